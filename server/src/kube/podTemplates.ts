/** Where other kinds contain Pods, and the objects that exist in every cluster. */

const podPaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  PodTemplate: ['template'],
  Deployment: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

const groupOfKind: Readonly<Record<string, string>> = {
  Pod: '',
  PodTemplate: '',
  ReplicationController: '',
  Deployment: 'apps',
  ReplicaSet: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  Job: 'batch',
  CronJob: 'batch',
};

/** The built-in kinds that are Pods or have a Pod template. */
export const podKinds: readonly string[] = Object.keys(podPaths);

/**
 * Path from the object's root to the `metadata` and `spec` of the Pod: `[]` for a Pod itself, `['spec', 'template']`
 * for a Deployment. The PodSpec is at `[...path, 'spec']`. undefined for a kind without Pods.
 */
export function podTemplatePath(kind: string): readonly string[] | undefined {
  return Object.hasOwn(podPaths, kind) ? podPaths[kind] : undefined;
}

/** Path from the object's root to its PodSpec: `['spec']` for a Pod. undefined for a kind without Pods. */
export function podSpecPath(kind: string): readonly string[] | undefined {
  const path = podTemplatePath(kind);
  return path && [...path, 'spec'];
}

/** The API group of one of `podKinds`, '' for the core group; undefined for a kind without Pods. */
export function groupOfPodKind(kind: string): string | undefined {
  return Object.hasOwn(groupOfKind, kind) ? groupOfKind[kind] : undefined;
}

/** Whether a group and kind is one of `podKinds`, so that a CRD with the same kind name is not mistaken for it. */
export function holdsPods(group: string, kind: string): boolean {
  if (!Object.hasOwn(groupOfKind, kind)) return false;
  if (group === groupOfKind[kind]) return true;
  return group === 'extensions' && ['Deployment', 'ReplicaSet', 'DaemonSet'].includes(kind);
}

/** Upstream: k8s.io/kubernetes/pkg/apis/scheduling, SystemPriorityClasses. */
export const systemPriorityClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** The highest value that a user's PriorityClass may have. Upstream: HighestUserDefinablePriority. */
export const highestUserDefinablePriority = 1_000_000_000;

/** The prefix that a user's PriorityClass may not have. Upstream: SystemPriorityClassPrefix. */
export const systemPriorityClassPrefix = 'system-';

/** Namespaces that every cluster creates. */
export const systemNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** The ServiceAccount that a controller creates in every namespace, and that a Pod without one gets. */
export const defaultServiceAccount = 'default';

/** The ConfigMap that a controller creates in every namespace. */
export const rootCertificateConfigMap = 'kube-root-ca.crt';

/** The scheduler of a Pod without `schedulerName`. */
export const defaultSchedulerName = 'default-scheduler';
