import { t } from '../../base/l10n';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { podRequests } from '../../cluster/resources/resources';
import { podQos } from '../../kube/podResources';
import type { PodSpec } from '../../kube/types';
import { amountIn } from '../../scheduler/framework/allocation';
import { amountsIn } from './recommended';

/** The answer of the API server and the kubelet to a resize in place. */
export type Resize =
  | { readonly answer: 'done' }
  /** refused by the API server; infeasible: never on this node; deferred: not now. */
  | { readonly answer: 'refused' | 'infeasible' | 'deferred'; readonly because: string };

/** Tries the new requests on the Pod's own node. Upstream: ValidatePodResize, (*manager).canResizePod. */
export function resizeOf(pod: PodModel, spec: PodSpec, { nodes, running }: ClusterModel, minor: string): Resize {
  const [before, after] = [podQos(pod.spec), podQos(spec)];
  if (before !== after) return { answer: 'refused', because: t`its QoS class would change from ${before} to ${after}` };
  if (isBefore134(minor) && lowersMemoryLimit(pod.spec, spec)) {
    const because = t('before Kubernetes 1.34 a memory limit cannot be lowered without restartPolicy RestartContainer');
    return { answer: 'refused', because };
  }
  const node = nodes.find(it => it.name === pod.nodeName);
  if (node === undefined) return { answer: 'infeasible', because: t`its node ${pod.nodeName ?? ''} is not there` };
  const { requests } = podRequests(spec, () => undefined);
  for (const name of ['cpu', 'memory']) {
    const requested = amountIn(requests, name);
    const all = amountIn(node.allocatable, name);
    if (requested > all) return { answer: 'infeasible', because: t`${node.name} has less ${name} altogether` };
    const others = running.filter(it => it.nodeName === node.name && it.id !== pod.id);
    const free = all - others.reduce((sum, it) => sum + amountIn(it.requests, name), 0);
    if (requested > free) return { answer: 'deferred', because: t`${node.name} has not enough ${name} left` };
  }
  return { answer: 'done' };
}

const isBefore134 = (minor: string): boolean => Number(minor.split('.')[1]) < 34;

function lowersMemoryLimit(before: PodSpec, after: PodSpec): boolean {
  return (before.containers ?? []).some((it, i) => {
    const restarts = it.resizePolicy?.some(p => p.resourceName === 'memory' && p.restartPolicy === 'RestartContainer');
    const old = amountsIn(it.resources?.limits).memory;
    const wanted = amountsIn(after.containers?.[i]?.resources?.limits).memory;
    return !restarts && old !== undefined && wanted !== undefined && wanted < old;
  });
}
