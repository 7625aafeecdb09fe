import type { ClusterModel } from '../../cluster/clusterModel';
import { ownersOf } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Attempt, AttemptStatus } from '../../scheduler/result';
import type { Simulation } from '../../scheduler/scenario';
import type { PodSelector } from './format';

/** What became of one Pod. */
export interface TestedPod {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** `Deployment/web`, the workload at the top; '' for a Pod without one. */
  readonly workload: string;
  /** Absent for a Pod without a node, and for an evicted one. */
  readonly node?: string;
  readonly status: 'running' | 'evicted' | AttemptStatus;
  /** Why it has no node. */
  readonly message?: string;
}

export interface NodeOutcome {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Everything that a test may ask of one run. */
export interface TestOutcome {
  readonly pods: readonly TestedPod[];
  readonly nodes: readonly NodeOutcome[];
}

/** What a run came to: the Pods that ran before, then those that were placed, then those that admission refused. */
export function outcomeOf({ scenario, result }: Pick<Simulation, 'scenario' | 'result'>): TestOutcome {
  const { cluster, pending, rejected } = scenario;
  const attempts = new Map(result.attempts.map(it => [it.pod, it]));
  const evicted = new Set(result.evicted);
  const fateOf = (id: string, node: string | undefined, status: TestedPod['status']) =>
    evicted.has(id) ? { status: 'evicted' as const } : { status, ...(node !== undefined && { node }) };
  const ran = cluster.running.map(it => ({ ...podOf(it, cluster), ...fateOf(it.id, it.nodeName, 'running') }));
  const placed = pending.map(it => {
    const { status = 'ignored', message } = attempts.get(it.id) ?? ({} as Partial<Attempt>);
    const fate = fateOf(it.id, result.placements[it.id], status);
    return { ...podOf(it, cluster), ...fate, ...(message !== undefined && { message }) };
  });
  const refused = rejected.map(({ id, source }): TestedPod => {
    const [namespace = '', name = ''] = id.split('/');
    const labels = source.metadata?.labels ?? {};
    const message = attempts.get(id)?.message;
    const workload = workloadOf({ source }, cluster);
    return { id, namespace, name, labels, workload, status: 'rejected', ...(message !== undefined && { message }) };
  });
  return {
    pods: [...ran, ...placed, ...refused],
    nodes: cluster.nodes.map(({ name, labels }) => ({ name, labels })),
  };
}

function podOf(pod: PodModel, cluster: ClusterModel): Omit<TestedPod, 'status'> {
  const { id, namespace, name, labels } = pod;
  return { id, namespace, name, labels, workload: workloadOf(pod, cluster) };
}

function workloadOf(pod: Pick<PodModel, 'source'>, cluster: ClusterModel): string {
  const owner = ownersOf(pod, cluster).at(-1);
  return owner === undefined ? '' : `${owner.kind}/${owner.name}`;
}

/** The Pods that a selector means, evicted ones too. */
export function selected(
  pods: readonly TestedPod[],
  { workload, namespace, labels = {} }: PodSelector,
): readonly TestedPod[] {
  const wanted = Object.entries(labels);
  if (workload === undefined && namespace === undefined && wanted.length === 0) return pods;
  return pods.filter(
    it =>
      (namespace === undefined || it.namespace === namespace) &&
      (workload === undefined ||
        it.workload === workload ||
        it.name === workload ||
        it.workload.endsWith(`/${workload}`)) &&
      wanted.every(([key, value]) => it.labels[key] === value),
  );
}
