import type {
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Node,
  ObjectMeta,
  OwnerReference,
  Pod,
  PodSpec,
  PodTemplateSpec,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
  Toleration,
} from '../kube/types';
import type { JsonObject } from './model';
import { requiredNodeAffinity } from './requiredAffinity';
import { isTolerated } from './tolerations';

export interface Expansion {
  /** The Pods that the workloads' controllers would make and that are not there yet, in the order of the workloads. */
  readonly pods: readonly JsonObject[];
  /** Claims of StatefulSets' volumeClaimTemplates that are not there yet. */
  readonly claims: readonly JsonObject[];
}

interface Workload {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
  readonly template: PodTemplateSpec;
}

/**
 * Makes the Pods of Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets, Jobs and CronJobs among
 * the objects. Names repeat from run to run: `web-0` with ordinals for StatefulSets, `web-1`, `web-2`, … for the others
 * (the real ones end in random letters). Pods that the scenario already holds, by ownerReference, are not made again.
 */
export function expandWorkloads(objects: readonly JsonObject[]): Expansion {
  const owned = ownedPods(objects);
  const nodes = objects.filter(it => it.kind === 'Node') as readonly Node[];
  const ids = new Set(objects.map(idOf));
  const claims: JsonObject[] = [];
  const pods = objects.flatMap(it => {
    const made = podsOf(it, owned, nodes);
    for (const pod of made) for (const claim of claimsOf(it, pod)) if (!ids.has(idOf(claim))) claims.push(claim);
    return made;
  });
  const fresh = pods as readonly unknown[] as readonly JsonObject[];
  return { pods: fresh.filter(it => !ids.has(idOf(it))), claims };
}

function idOf(object: JsonObject): string {
  const { kind, metadata } = object as Pod;
  return `${kind}/${metadata?.namespace}/${metadata?.name}`;
}

/** NAMESPACE/KIND/OWNER → Pods. */
type Owned = ReadonlyMap<string, readonly Pod[]>;

function ownedPods(objects: readonly JsonObject[]): Owned {
  const res = new Map<string, Pod[]>();
  for (const object of objects) {
    if (object.kind !== 'Pod') continue;
    const pod = object as Pod;
    const owners = pod.metadata?.ownerReferences;
    for (const owner of Array.isArray(owners) ? (owners as readonly OwnerReference[]) : []) {
      for (const key of ownerKeys(pod.metadata?.namespace, owner)) {
        const found = res.get(key);
        if (found) found.push(pod);
        else res.set(key, [pod]);
      }
    }
  }
  return res;
}

/** A ReplicaSet named after a Deployment and a template hash stands for the Deployment; so does a Job for its CronJob. */
function ownerKeys(namespace: string | undefined, { kind, name }: OwnerReference): readonly string[] {
  const base = name?.replace(/-[^-]+$/, '');
  const own = `${namespace}/${kind}/${name}`;
  if (kind === 'ReplicaSet') return [own, `${namespace}/Deployment/${base}`];
  if (kind === 'Job') return [own, `${namespace}/CronJob/${base}`];
  return [own];
}

function podsOf(object: JsonObject, owned: Owned, nodes: readonly Node[]): readonly Pod[] {
  try {
    return makePods(object, owned, nodes);
  } catch {
    // A workload of the wrong shape has no Pods; what is wrong with it is for the API rules to say.
    return [];
  }
}

function makePods(object: JsonObject, owned: Owned, nodes: readonly Node[]): readonly Pod[] {
  const workload = workloadOf(object);
  if (!workload) return [];
  const { kind, metadata } = workload;
  const there = owned.get(`${metadata.namespace}/${kind}/${metadata.name}`) ?? [];
  switch (kind) {
    case 'StatefulSet':
      return ordinalPods(workload, object as StatefulSet, there);
    case 'DaemonSet':
      return daemonPods(workload, nodes, there);
    case 'Job':
      return numberedPods(workload, jobPods(object as Job), there);
    case 'CronJob':
      return numberedPods(workload, cronJobPods(object as CronJob), there);
    default:
      // Someone else's controller looks after an owned ReplicaSet's Pods only when its owner is not here.
      return numberedPods(workload, (object as Deployment | ReplicaSet).spec?.replicas ?? 1, there);
  }
}

function workloadOf(object: JsonObject): Workload | undefined {
  const { kind, apiVersion, metadata } = object as Deployment;
  if (!metadata?.name || kind === undefined || apiVersion === undefined) return undefined;
  const template = templateOf(object);
  return template?.spec && { kind, apiVersion, metadata, template };
}

function templateOf(object: JsonObject): PodTemplateSpec | undefined {
  switch (object.kind) {
    case 'Deployment':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'Job':
      return (object as Deployment | ReplicaSet | ReplicationController | StatefulSet | DaemonSet | Job).spec?.template;
    case 'CronJob':
      return (object as CronJob).spec?.jobTemplate?.spec?.template;
    default:
      return undefined;
  }
}

function jobPods(job: Job): number {
  const { suspend, parallelism = 1, completions } = job.spec ?? {};
  if (suspend) return 0;
  return completions === undefined ? parallelism : Math.min(parallelism, completions);
}

function cronJobPods(cronJob: CronJob): number {
  const { suspend, jobTemplate } = cronJob.spec ?? {};
  return suspend ? 0 : jobPods({ ...(jobTemplate?.spec && { spec: jobTemplate.spec }) });
}

function numberedPods(workload: Workload, replicas: number, there: readonly Pod[]): readonly Pod[] {
  const missing = Math.max(0, replicas - there.length);
  return Array.from({ length: missing }, (_, i) =>
    podFrom(workload, `${workload.metadata.name}-${there.length + i + 1}`),
  );
}

function ordinalPods(workload: Workload, set: StatefulSet, there: readonly Pod[]): readonly Pod[] {
  const start = set.spec?.ordinals?.start ?? 0;
  const ordinals = Array.from({ length: set.spec?.replicas ?? 1 }, (_, i) => start + i);
  const templates = set.spec?.volumeClaimTemplates ?? [];
  return ordinals
    .map(ordinal => ({ ordinal, name: `${workload.metadata.name}-${ordinal}` }))
    .filter(({ name }) => !there.some(it => it.metadata?.name === name))
    .map(({ ordinal, name }) => {
      const pod = podFrom(workload, name);
      const labels = {
        ...pod.metadata?.labels,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
      };
      const claimed = templates.map(it => ({
        name: it.metadata?.name ?? '',
        persistentVolumeClaim: { claimName: `${it.metadata?.name}-${name}` },
      }));
      const own = (pod.spec?.volumes ?? []).filter(it => !claimed.some(other => other.name === it.name));
      const volumes = [...claimed, ...own];
      return {
        ...pod,
        metadata: { ...pod.metadata, labels },
        spec: { ...pod.spec, ...(volumes.length > 0 && { volumes }) },
      };
    });
}

function claimsOf(object: JsonObject, pod: Pod): readonly JsonObject[] {
  if (object.kind !== 'StatefulSet') return [];
  return ((object as StatefulSet).spec?.volumeClaimTemplates ?? []).map(it => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: `${it.metadata?.name}-${pod.metadata?.name}`,
      namespace: pod.metadata?.namespace,
      ...(it.metadata?.labels && { labels: it.metadata.labels }),
    },
    spec: it.spec,
  }));
}

/** What the DaemonSet controller lets its Pods tolerate. Upstream: daemon/util.AddOrUpdateDaemonPodTolerations. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const NETWORK_UNAVAILABLE: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** One Pod for each node that the template's selector, affinity and tolerations allow. */
function daemonPods(workload: Workload, nodes: readonly Node[], there: readonly Pod[]): readonly Pod[] {
  const spec = workload.template.spec ?? {};
  const tolerations = [
    ...(spec.tolerations ?? []),
    ...DAEMON_TOLERATIONS,
    ...(spec.hostNetwork ? [NETWORK_UNAVAILABLE] : []),
  ];
  return nodes
    .filter(node => shouldRun(spec, tolerations, node))
    .map(it => it.metadata?.name ?? '')
    .filter(name => !there.some(pod => pod.spec?.nodeName === name || nodeWanted(pod.spec) === name))
    .map((name, i) => {
      const pod = podFrom(workload, `${workload.metadata.name}-${there.length + i + 1}`);
      return { ...pod, spec: { ...pinnedTo(name, spec), tolerations } };
    });
}

function shouldRun(spec: PodSpec, tolerations: readonly Toleration[], node: Node): boolean {
  const model = { name: node.metadata?.name ?? '', labels: node.metadata?.labels ?? {} };
  if (!requiredNodeAffinity(spec).matches(model)) return false;
  return (node.spec?.taints ?? []).every(it => it.effect === 'PreferNoSchedule' || isTolerated(it, tolerations, 'off'));
}

/** Replaces the required terms by the node's name. Upstream: ReplaceDaemonSetPodNodeNameNodeAffinity. */
function pinnedTo(name: string, spec: PodSpec): PodSpec {
  const required = {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }],
  };
  const nodeAffinity = {
    ...spec.affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: required,
  };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

function nodeWanted(spec: PodSpec | undefined): string | undefined {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms?.[0]?.matchFields?.find(it => it.key === 'metadata.name')?.values?.[0];
}

function podFrom({ kind, apiVersion, metadata, template }: Workload, name: string): Pod {
  const { namespace } = metadata;
  const owner: OwnerReference = {
    apiVersion,
    kind,
    name: metadata.name ?? '',
    ...(metadata.uid !== undefined && { uid: metadata.uid }),
    controller: true,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(template.metadata?.labels && { labels: template.metadata.labels }),
      ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
      name,
      ...(namespace !== undefined && { namespace }),
      ownerReferences: [owner],
    },
    spec: template.spec ?? {},
  };
}
