import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import type { Profiles } from '../configuration/profiles';
import type { SchedulerGates } from '../framework/interface';
import { unbuiltFeatures } from '../plugins/dynamicResources/features';

/** A Pod field whose plugin is not implemented, or which an implemented plugin ignores. */
interface Gap {
  readonly field: string;
  /**
   * The upstream plugin; the gap applies while the profile lists it as not implemented. Absent: the gap is in an
   * implemented plugin.
   */
  readonly plugin?: string;
  isUsed(pod: PodModel): boolean;
}

const GAPS: readonly Gap[] = [
  {
    field: 'topologySpreadConstraints',
    plugin: 'PodTopologySpread',
    isUsed: it => (it.spec.topologySpreadConstraints ?? []).length > 0,
  },
  { field: 'podAffinity', plugin: 'InterPodAffinity', isUsed: it => it.spec.affinity?.podAffinity !== undefined },
  {
    field: 'podAntiAffinity',
    plugin: 'InterPodAffinity',
    isUsed: it => it.spec.affinity?.podAntiAffinity !== undefined,
  },
];

/** One sentence for each pending Pod and field, and for each gate, that the result ignores. */
export function unsimulated(
  scenario: Scenario,
  profiles: Profiles,
  gates: Pick<SchedulerGates, 'isOn'>,
): readonly Note[] {
  const notBuilt = new Set([...profiles.values()].flatMap(it => it.notBuilt));
  const gaps = GAPS.filter(it => it.plugin === undefined || notBuilt.has(it.plugin));
  const notes: Note[] = [];
  const say = (pod: PodModel, field: string): void => {
    notes.push({ pod: pod.id, message: `${field} is not simulated yet; the result does not take it into account.` });
  };
  for (const pod of scenario.pending) {
    for (const gap of gaps) if (gap.isUsed(pod)) say(pod, gap.field);
  }
  const { claims, slices } = scenario.cluster.devices;
  if (claims.size + slices.length > 0) notes.push(...unbuiltFeatures(gates).map(message => ({ message })));
  if (!notBuilt.has('InterPodAffinity')) return notes;
  for (const pod of scenario.cluster.running) {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    if (podAffinity || podAntiAffinity) say(pod, podAffinity ? 'podAffinity' : 'podAntiAffinity');
  }
  return notes;
}
