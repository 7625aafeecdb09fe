import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import { type ClusterStep, type SearchedSpace, statesTo, wayTo } from './search';
import { clusterOf, type ExploredPod, type ExploredState, isEnding, podModels } from './state';
import type { ExploredWorld } from './world';

/** Clusters along a way. */
export interface Trail {
  readonly world: ExploredWorld;
  /** Before the first step, and after each one. */
  readonly states: readonly ExploredState[];
}

/** A shortest way to a state with the clusters along it. */
export function followed<State>(
  searched: Pick<SearchedSpace<State>, 'states' | 'from'>,
  state: number,
  world: ExploredWorld,
  clusterIn: (state: State) => ExploredState,
): { readonly steps: readonly ClusterStep[]; readonly trail: Trail } {
  return {
    steps: wayTo(searched, state),
    trail: { world, states: statesTo(searched, state).map(clusterIn) },
  };
}

export const clusterWithin = ({ cluster }: { readonly cluster: ExploredState }): ExploredState => cluster;

export const itself = (state: ExploredState): ExploredState => state;

/** The cluster at one of its states. Nothing is placed there: what has no node waits. */
export function scenarioAt({ world, states }: Trail, at: number): Scenario {
  const state = states[at]!;
  const names = namesAlong(states.slice(0, at + 1), world);
  const models = podModels(state, world).map((it, i): PodModel => {
    const name = names.get(state.pods[i]!)!;
    const id = `${it.namespace}/${name}`;
    const source = { ...it.source, metadata: { ...it.source.metadata, name } };
    return { ...it, name, id, source };
  });
  const pending = models.filter(it => it.nodeName === undefined);
  return { ...world.scenario, cluster: clusterOf(state, world, models), pending, rejected: [], mutated: [] };
}

/** A name for each Pod of the last state, which it keeps as long as it lives. */
function namesAlong(
  states: readonly ExploredState[],
  { kinds, pods: existing }: ExploredWorld,
): ReadonlyMap<ExploredPod, string> {
  const given = [...existing];
  const used = new Set(existing.map(it => it.name));
  const fresh = ({ kind, node }: ExploredPod): string => {
    const known = given.findIndex(it => it.kind === kind && it.node === node);
    if (known >= 0) return given.splice(known, 1)[0]!.name;
    const stem = kinds[kind]!.name.replace(' (new)', '-new');
    let number = 1;
    while (used.has(`${stem}-${number}`)) number += 1;
    used.add(`${stem}-${number}`);
    return `${stem}-${number}`;
  };
  let names: ReadonlyMap<ExploredPod, string> = new Map();
  for (const { pods } of states) {
    const changed = [...names].filter(([pod]) => !pods.includes(pod));
    const nameNow = (pod: ExploredPod): string => {
      const same = changed.findIndex(([old]) => old.kind === pod.kind && isBefore(old, pod));
      return names.get(pod) ?? (same < 0 ? fresh(pod) : changed.splice(same, 1)[0]![1]);
    };
    names = new Map(pods.map(it => [it, nameNow(it)]));
    // What existed in the beginning and is not there any more does not come back.
    given.length = 0;
  }
  return names;
}

/** Whether a Pod may have become the other one of its kind by one step. */
function isBefore(old: ExploredPod, { node, phase }: ExploredPod): boolean {
  if (isEnding({ phase })) return old.node === node && !isEnding(old);
  return old.phase === 'waits' || (old.phase === 'starts' && old.node === node);
}
