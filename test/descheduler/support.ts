import type { UnknownObject } from '../../server/src/base/json';
import type { DeschedulerPolicy } from '../../server/src/descheduler/policy';
import { type SettleResult, settle } from '../../server/src/descheduler/settle';
import { isGateOn, objectsIn } from '../scheduler/support';

/** A node of some size; a zone may follow the name: `n0 a`. */
export function node(text: string, allocatable: Readonly<Record<string, string>>): UnknownObject {
  const [name = '', zone] = text.split(' ');
  const labels = { 'kubernetes.io/hostname': name, ...(zone && { 'topology.kubernetes.io/zone': zone }) };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    status: { allocatable: { pods: '110', ...allocatable } },
  };
}

/** A ReplicaSet and its running Pods by node: `{ n0: 1, n2: 3 }`. */
export function replicas(
  name: string,
  where: Readonly<Record<string, number>>,
  spec: UnknownObject,
): readonly UnknownObject[] {
  const labels = { app: name };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name, controller: true };
  const nodes = Object.entries(where).flatMap(([it, count]) => Array.from({ length: count }, () => it));
  const pods = nodes.map((nodeName, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-${i + 1}`, namespace: 'default', labels, ownerReferences: [owner] },
    spec: { ...spec, nodeName },
  }));
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', uid: name },
    spec: { replicas: pods.length, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
  return [set, ...pods];
}

/** A Pod spec with one container and these requests. */
export function withRequests(requests: Readonly<Record<string, string>>, more: UnknownObject = {}): UnknownObject {
  return { containers: [{ name: 'app', image: 'app', resources: { requests } }], ...more };
}

/** A policy with one profile that enables these plugins at their extension points. */
export function policy(
  plugins: Readonly<Partial<Record<'deschedule' | 'balance', readonly string[]>>>,
  args: Readonly<Record<string, UnknownObject>> = {},
  limits: UnknownObject = {},
): DeschedulerPolicy {
  return {
    profiles: [
      {
        name: 'test',
        pluginConfig: Object.entries(args).map(([name, it]) => ({ name, args: it })),
        plugins: Object.fromEntries(Object.entries(plugins).map(([point, enabled]) => [point, { enabled }])),
      },
    ],
    ...limits,
  };
}

export const MOST_ALLOCATED = objectsIn(`
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy: { type: MostAllocated, resources: [{ name: cpu, weight: 1 }, { name: memory, weight: 1 }] }
`)[0]!;

export function settled(
  objects: readonly UnknownObject[],
  of: DeschedulerPolicy,
  options: { readonly scheduler?: UnknownObject; readonly now?: number } = {},
): SettleResult {
  const { scheduler, now } = options;
  return settle(objects, of, {
    run: { kubernetesVersion: '1.37', isGateOn, ...(scheduler && { schedulerConfiguration: scheduler }) },
    maxRounds: 12,
    ...(now !== undefined && { now }),
  });
}

/** One line for each eviction and replacement, in order: `default/web-1 n0 → default/web-3 n1`. */
export function evictionLines({ rounds }: SettleResult): readonly string[] {
  return rounds.map(
    ({ evictions, landings }) =>
      `${evictions.map(it => `${it.pod} ${it.node}`).join(', ')} → ${landings.map(it => `${it.pod} ${it.node ?? '-'}`).join(', ')}`,
  );
}
