import type { UnknownObject } from '../../base/json';
import { jsonText } from '../../base/printed';
import type { Node, ObjectMeta, OwnerReference, PersistentVolumeClaim, Pod, PodTemplateSpec } from '../../kube/types';
import { schedulingFields } from '../pods/schedulingFields';

/** A workload with a name and a Pod template. */
export interface WorkloadObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly metadata: ObjectMeta;
  readonly template: PodTemplateSpec;
  readonly source: UnknownObject;
}

/** What controllers read of the cluster. */
export interface World {
  readonly nodes: readonly Node[];
  /** The workload's existing Pods, finished ones included. */
  podsOf(workload: WorkloadObject): readonly Pod[];
  /** Objects of a kind whose controller is the workload. */
  controlled(workload: WorkloadObject, kind: string): readonly UnknownObject[];
  /** The Workloads of scheduling.k8s.io in a namespace. */
  workloads(namespace: string): readonly UnknownObject[];
  /** Whether a feature gate is on. */
  isOn(gate: string): boolean;
  /** The desired number of replicas: the workload's own, within the bounds of its autoscaler. */
  replicasOf(workload: WorkloadObject): number;
  /** An object that a controller makes, after admission; undefined: refused. */
  admitted(object: UnknownObject): UnknownObject | undefined;
  /** A stand-in for the hash of a template. */
  hashOf(template: PodTemplateSpec): string;
}

/** The Pods that a controller makes. */
export interface Plan {
  readonly pod: Pod;
  /** Claims that are created before the Pod. */
  readonly claims?: readonly PersistentVolumeClaim[];
}

export interface Plans {
  /** The objects between the workload and its Pods: a Deployment's ReplicaSet, a CronJob's Job. */
  readonly between?: readonly UnknownObject[];
  /** The number of Pods to make; `plan` makes them one by one, so a limit costs nothing. */
  readonly count: number;
  readonly plan: (index: number) => Plan;
}

/** Limit on the Pods of one workload of a scenario; a note gives the number of missing ones. */
export const MAX_PODS = 10_000;

/** Limit on the made Pods of all workloads of a scenario together. */
export const MAX_PODS_IN_ALL = 50_000;

export const NO_PLANS: Plans = {
  count: 0,
  plan: () => {
    throw new RangeError('no Pod is planned');
  },
};

/** A Pod as `template` describes it; the caller sets the name. Upstream: controller.GetPodFromTemplate. */
export function podFrom(
  template: PodTemplateSpec,
  name: string,
  namespace: string,
  owner: OwnerReference,
  labels: Readonly<Record<string, string>> = {},
): Pod {
  const { metadata, spec } = template;
  const all = { ...metadata?.labels, ...labels };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(Object.keys(all).length > 0 && { labels: all }),
      ...(metadata?.annotations && { annotations: metadata.annotations }),
      name,
      namespace,
      ownerReferences: [owner],
    },
    spec: spec ?? {},
  };
}

/** Upstream: metav1.NewControllerRef. */
export function controllerRef(
  it: Pick<WorkloadObject, 'apiVersion' | 'kind' | 'name' | 'namespace' | 'metadata'>,
): OwnerReference {
  const { apiVersion, kind, name } = it;
  return { apiVersion, kind, name, uid: uidOf(it), controller: true, blockOwnerDeletion: true };
}

/** The written UID, or a stand-in that is the same in every run. */
export function uidOf({
  kind,
  name,
  namespace,
  metadata,
}: Pick<WorkloadObject, 'kind' | 'name' | 'namespace' | 'metadata'>): string {
  if (metadata.uid) return metadata.uid;
  const part = (salt: string): string => fnv32(`${salt}${kind}/${namespace}/${name}`).toString(16).padStart(8, '0');
  const digits = ['a', 'b', 'c', 'd'].map(part).join('');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}

/**
 * Stand-ins for the hashes that controllers put into names and labels. Equal templates have equal hashes; fields that
 * placement ignores change a hash only where two templates differ in nothing else. The alphabet is that of the real
 * hashes. Upstream: controller.ComputeHash, rand.SafeEncodeString.
 */
export function templateHashes(): World['hashOf'] {
  const first = new Map<string, string>();
  return template => {
    const whole = jsonText(template);
    const relevant = jsonText({ ...template, spec: template.spec && schedulingFields(template.spec, () => '') });
    if (!first.has(relevant)) first.set(relevant, whole);
    return templateHash(first.get(relevant) === whole ? relevant : whole);
  };
}

function templateHash(template: string): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789';
  return [...String(fnv32(template))].map(it => letters[it.charCodeAt(0) % letters.length]).join('');
}

function fnv32(value: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < value.length; i += 1) hash = Math.imul(hash ^ value.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Upstream: controller.IsPodActive. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata?.deletionTimestamp === undefined;
}

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}
