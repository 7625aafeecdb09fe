import type { Note } from '../../cluster/pods/note';
import type { Scenario } from '../../cluster/scenario';
import type { Profile, SchedulerGates } from '../framework/interface';
import { batchGroupsOf, batchProfile, isForBatch } from './batch';
import { gangNotes } from './notes';
import { podGroupsOf } from './podGroup';
import type { Gangs } from './queue';

type Profiles = ReadonlyMap<string, Profile>;

/**
 * The groups of a scenario, and the profiles, extended by one for each batch scheduler that Pods ask for and no profile
 * serves.
 */
export function gangsOf(
  scenario: Scenario,
  profiles: Profiles,
  gates: SchedulerGates,
  onNote: (note: Note) => void,
): { readonly gangs: Gangs; readonly profiles: Profiles } {
  const native = podGroupsOf(scenario.cluster, gates, onNote);
  for (const note of gangNotes(scenario, native, gates)) onNote(note);
  const batchPods = scenario.pending.filter(it => !profiles.has(it.schedulerName) && isForBatch(it, scenario.cluster));
  const names = new Set(batchPods.map(it => it.schedulerName));
  const [like] = profiles.values();
  if (names.size === 0 || !like) return { gangs: { ...(native && { native }), batch: new Map() }, profiles };
  for (const name of names) {
    const message = `Pods of the scheduler ${name} are placed after a model of it: whole jobs, kube-scheduler's filters and scores, no preemption.`;
    onNote({ message });
  }
  const batch = batchGroupsOf(scenario.cluster, onNote);
  const more = [...names].map((name): [string, Profile] => [name, batchProfile(name, like)]);
  return { gangs: { ...(native && { native }), batch }, profiles: new Map([...profiles, ...more]) };
}
