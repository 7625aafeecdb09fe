import type { JsonObject } from '../../../base/json';
import { repeatedAt } from '../../../base/repeated';
import { flag, has, record, records, text, without } from '../../../kube/goFields';
import type { KindInfo } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';
import type { Validation } from './errors';

interface Created {
  readonly object: JsonObject;
  readonly dropped: readonly FieldPath[];
  readonly warnings: readonly string[];
}

/**
 * An object as the create handler passes it to the strategy: without metadata that only the server sets. Upstream:
 * rest.WipeObjectMetaSystemFields, rest.EnsureObjectNamespaceMatchesRequestNamespace, the field manager, and
 * handlers.dedupOwnerReferencesAndAddWarning.
 */
export function systemMetadata(whole: JsonObject, kind: KindInfo): Created {
  const metadata = record(whole, 'metadata');
  const dropped = SYSTEM_FIELDS.filter(it => it.isDropped(metadata, kind)).map(it => it.field);
  const { references, duplicates } = withoutDuplicates(records(metadata, 'ownerReferences'));
  const taken = has(metadata, 'managedFields') ? [...dropped, 'managedFields'] : dropped;
  if (metadata === undefined || (taken.length === 0 && duplicates.length === 0)) {
    return { object: whole, dropped: [], warnings: [] };
  }
  const kept = taken.reduce(without, metadata);
  return {
    object: { ...whole, metadata: duplicates.length === 0 ? kept : { ...kept, ownerReferences: references } },
    dropped: dropped.map(it => FieldPath.of('metadata', it)),
    warnings: duplicates.length === 0 ? [] : [`${DUPLICATES}; duplicate UID(s) observed: ${duplicates.join(', ')}`],
  };
}

interface SystemField {
  readonly field: string;
  isDropped(metadata: JsonObject | undefined, kind: KindInfo): boolean;
}

const SYSTEM_FIELDS: readonly SystemField[] = [
  { field: 'uid', isDropped: it => text(it, 'uid') !== '' },
  { field: 'selfLink', isDropped: it => text(it, 'selfLink') !== '' },
  { field: 'creationTimestamp', isDropped: it => !isZeroTime(text(it, 'creationTimestamp')) },
  { field: 'deletionTimestamp', isDropped: it => has(it, 'deletionTimestamp') },
  { field: 'deletionGracePeriodSeconds', isDropped: it => has(it, 'deletionGracePeriodSeconds') },
  { field: 'namespace', isDropped: (it, kind) => !kind.namespaced && text(it, 'namespace') !== '' },
];

/** Upstream: metav1.Time.IsZero. */
export function isZeroTime(time: string): boolean {
  return time === '' || Date.parse(time) === Date.parse('0001-01-01T00:00:00Z');
}

const DUPLICATES =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject ' +
  'such requests as early as 1.24; please fix your requests';

/** Upstream: handlers.dedupOwnerReferences. */
function withoutDuplicates(all: readonly JsonObject[]) {
  const repeated = repeatedAt(all.map(keyOf));
  return {
    references: all.filter((_, i) => !repeated.has(i)),
    duplicates: all.filter((_, i) => repeated.has(i)).map(it => text(it, 'uid')),
  };
}

function keyOf(reference: JsonObject): string {
  const texts = ['apiVersion', 'kind', 'name', 'uid'].map(it => text(reference, it));
  return JSON.stringify([...texts, ...['controller', 'blockOwnerDeletion'].map(it => flag(reference, it))]);
}

/** Kinds whose generation the server sets to 1, whatever is written. Upstream: PrepareForCreate of their strategies. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod', 'PodTemplate', 'ReplicationController'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  batch: ['CronJob', 'Job'],
  'discovery.k8s.io': ['EndpointSlice'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'lifecycle.k8s.io': ['Eviction', 'EvictionRequest'],
  'networking.k8s.io': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  policy: ['PodDisruptionBudget'],
  'resource.k8s.io': ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
};

/** The object with its generation after PrepareForCreate. */
export function withGeneration(whole: JsonObject, { group, kind }: KindInfo, { isOn }: Validation): JsonObject {
  const metadata = record(whole, 'metadata');
  if (!has(metadata, 'generation')) return whole;
  const isCounted = COUNTED[group]?.includes(kind) ?? (kind === 'HorizontalPodAutoscaler' && isOn('HPAGeneration'));
  return isCounted ? { ...whole, metadata: { ...metadata, generation: 1 } } : whole;
}
