import type { Node, Pod, PodSpec, Toleration } from '../../kube/types';
import { withToleration } from '../admission/tolerations';
import { requiredNodeAffinity } from '../pods/requiredAffinity';
import { isTolerated } from '../pods/tolerations';
import { controllerRef, isActive, type Plans, podFrom, type WorkloadObject, type World } from './controller';

const exists = (name: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/**
 * The tolerations that the DaemonSet controller adds to its Pods. Upstream:
 * daemon/util.AddOrUpdateDaemonPodTolerations.
 */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  exists('not-ready', 'NoExecute'),
  exists('unreachable', 'NoExecute'),
  exists('disk-pressure', 'NoSchedule'),
  exists('memory-pressure', 'NoSchedule'),
  exists('pid-pressure', 'NoSchedule'),
  exists('unschedulable', 'NoSchedule'),
];

/** One Pod for each node without one that the template's node name, selector, affinity and tolerations allow. */
export function daemonPods(workload: WorkloadObject, world: World): Plans {
  const { template, metadata } = workload;
  const spec = template.spec ?? {};
  const more = spec.hostNetwork
    ? [...DAEMON_TOLERATIONS, exists('network-unavailable', 'NoSchedule')]
    : DAEMON_TOLERATIONS;
  const tolerations = more.reduce(withToleration, spec.tolerations ?? []);
  const own = world.podsOf(workload);
  const active = own.filter(isActive);
  // Upstream: podsShouldBeOnNode makes none while one ends.
  const there = new Set(own.filter(it => isActive(it) || it.metadata?.deletionTimestamp !== undefined).map(targetNode));
  const affinity = requiredNodeAffinity(spec);
  const names = world.nodes
    .filter(it => shouldRun(spec, tolerations, affinity, it))
    .map(it => it.metadata?.name ?? '')
    .filter(it => !there.has(it));
  const owner = controllerRef(workload);
  const labels = {
    'controller-revision-hash': world.hashOf(template),
    'pod-template-generation': String(metadata.generation ?? 1),
  };
  return {
    count: names.length,
    plan: i => {
      const pod = podFrom(template, `${workload.name}-${active.length + i + 1}`, workload.namespace, owner, labels);
      return { pod: { ...pod, spec: { ...pinnedTo(names[i] ?? '', spec), tolerations } } };
    },
  };
}

/** Upstream: nodeShouldRunDaemonPod. */
function shouldRun(
  spec: PodSpec,
  tolerations: readonly Toleration[],
  affinity: ReturnType<typeof requiredNodeAffinity>,
  node: Node,
): boolean {
  const name = node.metadata?.name ?? '';
  if (spec.nodeName && spec.nodeName !== name) return false;
  if (!affinity.matches({ name, labels: node.metadata?.labels ?? {} })) return false;
  return (node.spec?.taints ?? []).every(
    it => (it.effect !== 'NoExecute' && it.effect !== 'NoSchedule') || isTolerated(it, tolerations, 'off'),
  );
}

/** Replaces the required terms by the node's name. Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity. */
function pinnedTo(name: string, spec: PodSpec): PodSpec {
  const required = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
  };
  const nodeAffinity = { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

/** Upstream: GetTargetNodeName. */
export function targetNode({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const fields = terms.flatMap(it => it.matchFields ?? []);
  return fields.find(it => it.key === 'metadata.name' && it.operator === 'In')?.values?.[0];
}
