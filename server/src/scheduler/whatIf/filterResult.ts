import { push } from '../../base/multiMap';
import { podTerms } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { hostPortsOf } from '../../cluster/pods/podStrategy';
import { podRequests } from '../../cluster/resources/resources';
import type { PodSpec } from '../../kube/types';
import { findNodesThatFitPod, type NodeSnapshot } from '../cycle/findNodes';
import { runPreFilter } from '../framework/cycle';
import type { Profile } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import type { FilterRejection, FilterResult, Holder } from './candidate';
import { type Edit, edited, isSameRef } from './edits';

/** Runs the filters for a Pod in the cluster of its last cycle; nothing is scored. */
export function runFilters(pod: PodModel, cycle: NodeSnapshot, profile: Profile): FilterResult {
  const before = runPreFilter(profile, pod, cycle);
  const nodes = cycle.among ?? cycle.nodes;
  if ('rejection' in before) {
    const { plugin, rejection } = before;
    return { feasible: [], rejections: new Map([[plugin, rejectionOf(nodes.map(it => [it, rejection.reasons]))]]) };
  }
  const { run, nodeNames, narrowedBy } = before;
  const { feasible, refusals } = findNodesThatFitPod(run, pod, cycle, profile, nodeNames);
  const byPlugin = new Map<string, [NodeInfo, readonly string[]][]>();
  for (const node of nodes) {
    const refusal = refusals[node.index];
    if (refusal) push(byPlugin, refusal.plugin, [node, refusal.status.reasons]);
    else if (nodeNames?.has(node.name) === false) for (const it of narrowedBy) push(byPlugin, it, [node, []]);
  }
  return { feasible, rejections: new Map([...byPlugin].map(([plugin, it]) => [plugin, rejectionOf(it)])) };
}

function rejectionOf(nodes: readonly (readonly [NodeInfo, readonly string[]])[]): FilterRejection {
  return {
    nodes: nodes.map(([it]) => it),
    reasons: new Set(nodes.flatMap(([, it]) => it)),
    each: nodes.map(([, it]) => it),
  };
}

/** Whether a change altered the result on any node, so that another change may complete it. */
export function differs(before: FilterResult, after: FilterResult): boolean {
  const textOf = ({ rejections }: FilterResult): string =>
    [...rejections]
      .map(([plugin, { nodes, each }]) => `${plugin} ${nodes.map(it => it.index)} ${each.join()}`)
      .join('\n');
  return textOf(before) !== textOf(after);
}

/** The Pod as if it had been written with some changes. */
export function changedPod(pod: PodModel, holder: Holder, edits: readonly Edit[]): PodModel {
  return withSpec(pod, editedSpec(pod.spec, holder, edits));
}

/** A Pod's spec after those changes that concern its holder. */
export function editedSpec(spec: PodSpec, { ref, specPath }: Holder, edits: readonly Edit[]): PodSpec {
  const own = edits.filter(it => isSameRef(it.object, ref));
  return own.reduce<unknown>((it, edit) => edited(it, edit.path.slice(specPath.length), edit), spec) as PodSpec;
}

function withSpec(pod: PodModel, spec: PodSpec): PodModel {
  const { requests, nonZero, nonZeroOfContainers } = podRequests(spec, () => undefined, pod.source.status);
  return {
    ...pod,
    spec,
    priority: spec.priority ?? 0,
    requests,
    nonZeroRequests: nonZero,
    nonZeroOfContainers,
    terms: podTerms(spec, pod.namespace),
    hostPorts: hostPortsOf(spec),
  };
}
