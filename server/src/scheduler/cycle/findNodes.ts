import { largest } from '../../base/manyItems';
import { grouped } from '../../base/multiMap';
import type { PodModel } from '../../cluster/pods/podModel';
import { compareText } from '../../cluster/scenario';
import { EXTENDER, needsAllNodes, passExtenders } from '../extenders/chain';
import { filterNodes, type NominatedPods, runFilterWithNominated } from '../framework/cycle';
import type { Cycle, FilterRefusal, FilterRun, Profile, Refusal } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import { type Scores, verdictOf } from '../framework/scores';
import { unresolvable } from '../framework/status';
import type { NodeVerdict } from '../result';

export type NodeSnapshot = Cycle & {
  readonly nominated: NominatedPods;
  /** Index into `nodesInZoneOrder` at which a profile without scores begins. */
  readonly start: number;
  /** The candidate nodes; absent: all. */
  readonly among?: readonly NodeInfo[];
};

export interface Diagnosis {
  readonly feasible: readonly NodeInfo[];
  /** A feasible node that was found after there were enough. */
  readonly extraFeasible?: NodeInfo;
  /** By `NodeInfo.index`. */
  readonly refusals: readonly (FilterRefusal | undefined)[];
  readonly evaluatedNodes: number;
  /** The error of a plugin; no further node was evaluated after it. */
  readonly error?: Refusal;
}

/** Adds the refusal of the nominated node, which counts even where PreFilter excluded that node. */
export function withNominated(
  diagnosis: Diagnosis,
  node: NodeInfo | undefined,
  refusal: FilterRefusal | undefined,
): Diagnosis {
  if (!node || !refusal || diagnosis.refusals[node.index] || diagnosis.feasible.includes(node)) return diagnosis;
  const evaluatedNodes = diagnosis.evaluatedNodes + (refusal.status.code === 'Error' ? 0 : 1);
  const refusals = [...diagnosis.refusals];
  refusals[node.index] = refusal;
  return { ...diagnosis, refusals, evaluatedNodes };
}

/** Upstream: Diagnosis.UnschedulablePlugins. */
export function rejectorsOf({ refusals }: Diagnosis, narrowedBy: readonly string[]): readonly string[] {
  const plugins = new Set(narrowedBy);
  for (const it of refusals) if (it) plugins.add(it.plugin);
  return [...plugins].sort(compareText);
}

/** The diagnosis after the extenders have filtered the feasible nodes. */
export function withExtenders(diagnosis: Diagnosis, pod: PodModel, { extenders }: Profile): Diagnosis {
  if (!extenders || diagnosis.error || diagnosis.feasible.length === 0) return diagnosis;
  const passed = passExtenders(
    extenders,
    pod,
    diagnosis.feasible.map(it => it.node),
  );
  if (passed.error !== undefined) return { ...diagnosis, error: { code: 'Error', reasons: [passed.error] } };
  const refusals = [...diagnosis.refusals];
  for (const { name, index } of diagnosis.feasible) {
    const status = passed.refusals.get(name);
    if (status) refusals[index] = { plugin: EXTENDER, status };
  }
  return { ...diagnosis, feasible: diagnosis.feasible.filter(it => passed.left.has(it.name)), refusals };
}

export function extenderRefusal(node: NodeInfo, pod: PodModel, { extenders }: Profile): FilterRefusal | undefined {
  if (!extenders) return undefined;
  const { left, refusals, error } = passExtenders(extenders, pod, [node.node]);
  if (left.has(node.name)) return undefined;
  const status: Refusal = error === undefined ? unresolvable() : { code: 'Error', reasons: [error] };
  return { plugin: EXTENDER, status: refusals.get(node.name) ?? status };
}

/** Upstream: findNodesThatPassFilters. A profile without scores needs one feasible node only. */
export function findNodesThatFitPod(
  run: FilterRun,
  pod: PodModel,
  cycle: NodeSnapshot,
  profile: Profile,
  nodeNames: ReadonlySet<string> | undefined,
): Diagnosis {
  const isScored = profile.score.length > 0 || needsAllNodes(profile.extenders);
  const all = isScored ? (cycle.among ?? cycle.nodes) : nodesInZoneOrder(cycle);
  const candidates = nodeNames ? all.filter(it => nodeNames.has(it.name)) : all;
  if (isScored) {
    const answers = filterNodes(run, pod, candidates, cycle, profile, cycle.nominated);
    const feasible: NodeInfo[] = [];
    let isBroken = false;
    for (let i = 0; i < candidates.length; i++) {
      const refusal = answers[i];
      if (refusal === undefined) feasible.push(candidates[i]!);
      else if (refusal.status.code === 'Error') isBroken = true;
    }
    if (isBroken) {
      const answerOf = new Map(candidates.map((it, i) => [it.index, answers[i]]));
      const ordered = nodesInZoneOrder(cycle).filter(it => answerOf.has(it.index));
      return filterInOrder(ordered, it => answerOf.get(it.index), Number.POSITIVE_INFINITY);
    }
    const refusals = candidates === cycle.nodes ? answers : byIndex(candidates, answers);
    return { feasible, refusals, evaluatedNodes: candidates.length };
  }
  return filterInOrder(candidates, it => runFilterWithNominated(run, pod, it, cycle, cycle.nominated), 1);
}

function byIndex(nodes: readonly NodeInfo[], answers: Diagnosis['refusals']): Diagnosis['refusals'] {
  const refusals: (FilterRefusal | undefined)[] = [];
  for (const [i, { index }] of nodes.entries()) refusals[index] = answers[i];
  return refusals;
}

/**
 * Ends at an error, and at the first feasible node beyond `enough`: only there does upstream notice that it has enough.
 */
function filterInOrder(
  ordered: readonly NodeInfo[],
  answerOf: (node: NodeInfo) => FilterRefusal | undefined,
  enough: number,
): Diagnosis {
  const refusals: (FilterRefusal | undefined)[] = [];
  const feasible: NodeInfo[] = [];
  let refused = 0;
  for (const node of ordered) {
    const refusal = answerOf(node);
    const evaluatedNodes = refused + feasible.length;
    if (!refusal && feasible.length === enough) return { feasible, extraFeasible: node, refusals, evaluatedNodes };
    if (!refusal) {
      feasible.push(node);
      continue;
    }
    refusals[node.index] = refusal;
    if (refusal.status.code === 'Error') return { feasible, refusals, evaluatedNodes, error: refusal.status };
    refused += 1;
  }
  return { feasible, refusals, evaluatedNodes: refused + feasible.length };
}

/** The verdicts by node name; nodes that were not evaluated have none. */
export function verdictsOf(
  { nodes }: Cycle,
  { feasible, extraFeasible, refusals }: Diagnosis,
  nodeNames: ReadonlySet<string> | undefined,
  scores: Scores | undefined,
): readonly NodeVerdict[] {
  const positions = new Map(feasible.map((it, i) => [it.index, i]));
  return nodes.flatMap(({ name, index }): readonly NodeVerdict[] => {
    if (nodeNames?.has(name) === false) return [{ node: name, verdict: 'excluded' }];
    const refusal = refusals[index];
    if (refusal) {
      const { code, reasons } = refusal.status;
      return [{ node: name, verdict: 'rejected', plugin: refusal.plugin, code, reasons }];
    }
    if (index === extraFeasible?.index) return [{ node: name, verdict: 'feasible' }];
    const at = positions.get(index);
    if (at !== undefined) return [scores ? verdictOf(name, scores, at) : { node: name, verdict: 'feasible' }];
    return [];
  });
}

/** Round-robin over the zones, beginning at `start`. Upstream: nodeTree.list and Scheduler.nextStartNodeIndex. */
function nodesInZoneOrder({ nodes, among = nodes, start }: NodeSnapshot): readonly NodeInfo[] {
  const zones = grouped(among, zoneOf);
  const longest = largest([...zones.values()].map(it => it.length));
  const res: NodeInfo[] = [];
  for (let i = 0; i < longest; i++) for (const zone of zones.values()) res.push(...zone.slice(i, i + 1));
  return [...res.slice(start), ...res.slice(0, start)];
}

function zoneOf({ node: { labels } }: NodeInfo): string {
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '';
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? '';
  return JSON.stringify([region, zone]);
}
