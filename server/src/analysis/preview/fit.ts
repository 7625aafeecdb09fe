import { t } from '../../base/l10n';
import type { PodModel } from '../../cluster/pods/podModel';
import { scheduleOne } from '../../scheduler/cycle/scheduleAll';
import { noNominatedPods } from '../../scheduler/framework/cycle';
import { nodeInfos } from '../../scheduler/framework/nodeInfo';
import type { NodeVerdict } from '../../scheduler/result';
import { amountOf, refusalInShort, type TriedNodes } from '../explain/shortRefusals';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { PreviewFit } from './model';

/**
 * Whether a Pod would fit on a node, in the cluster as it is after the run and without the Pod itself; undefined: there is no
 * such Pod or node. Nothing is moved.
 */
export function fitOn(
  placement: EnvironmentPlacement,
  { pod, node }: { readonly pod: string; readonly node: string },
): PreviewFit | undefined {
  const model = placement.pods.find(it => it.id === pod);
  if (model === undefined || placement.cluster.nodes.every(it => it.name !== node)) return undefined;
  const profile = placement.profiles.get(model.schedulerName);
  const about = { pod, node, words: [] };
  if (profile === undefined) {
    const summary = t`No profile of this scheduler places ${model.name} (schedulerName ${model.schedulerName}).`;
    return { ...about, fits: false, summary };
  }
  const { cluster } = placement.settled();
  const others = { ...cluster, running: cluster.running.filter(it => it.id !== pod) };
  const free = withoutNode(model);
  const attempt = scheduleOne(free, others, profile);
  const tried: TriedNodes = {
    pod: free,
    nodes: nodeInfos(others),
    nominated: noNominatedPods,
    namespaces: cluster.namespaces,
  };
  const verdict = attempt.nodes?.find(it => it.node === node);
  if (verdict?.verdict === 'feasible')
    return { ...about, fits: true, summary: fitting(verdict, attempt.nodes ?? [], tried) };
  const words = verdict?.verdict === 'rejected' ? verdict.reasons : (attempt.preFilterRejection?.reasons ?? []);
  const info = tried.nodes.find(it => it.name === node);
  const short = verdict?.verdict === 'rejected' && info ? refusalInShort(verdict, info, tried) : words.join('; ');
  const why = short === '' ? t('it was left out before it was looked at') : short;
  return { ...about, fits: false, words, summary: t`${model.name} does not fit on ${node}: ${why}.` };
}

/** As its controller would make it again: on no node. */
function withoutNode({ nodeName: _, nominatedNodeName: __, ...pod }: PodModel): PodModel {
  const { nodeName: ___, ...spec } = pod.spec;
  return { ...pod, spec };
}

type Feasible = Extract<NodeVerdict, { readonly verdict: 'feasible' }>;

function fitting(verdict: Feasible, all: readonly NodeVerdict[], { pod, nodes }: TriedNodes): string {
  const feasible = all.filter((it): it is Feasible => it.verdict === 'feasible');
  const rank = 1 + feasible.filter(it => (it.total ?? 0) > (verdict.total ?? 0)).length;
  const info = nodes.find(it => it.name === verdict.node)!;
  const left = info.node.allocatable.milliCpu - info.requested.milliCpu - pod.requests.milliCpu;
  const room = amountOf('cpu', Math.max(0, left), Math.floor);
  const said = t`${pod.name} would fit on ${verdict.node}, with ${room} CPU left.`;
  if (verdict.total === undefined) return `${said} ${t('No other node fits.')}`;
  return `${said} ${t`By score it is number ${rank} of ${feasible.length} nodes that fit.`}`;
}
