import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import type { KindInfo, Schema } from '../../kube/kube';
import { autoscaler } from './autoscaler';
import { definition } from './definition';
import { claim, claimTemplate, deviceClass, olderSlice, slice, taintRule } from './devices';
import { ingress } from './ingress';
import {
  accessReview,
  binding,
  endpointSlice,
  event,
  leaseCandidate,
  namesSigner,
  priorityLevel,
  runtimeClass,
  signingRequest,
  versionMigration,
} from './others';
import { podGroupOfAlpha2, workloadOfAlpha1, workloadOfAlpha2 } from './podGroups';
import { declareEffects, webhooks } from './webhooks';
import { workload } from './workloads';

/** The fields of one API version as those of a later one. The apiVersion itself is not its concern. */
type Move = (value: JsonObject) => JsonObject;

const EXTENSIONS = 'extensions/v1beta1';
const RESOURCE = 'resource.k8s.io';

/** By API version and kind. Kinds that are not here have the same fields in all their versions, or no mechanical move. */
const MOVES: ReadonlyMap<string, Move> = new Map([
  ...each([EXTENSIONS, 'networking.k8s.io/v1beta1'], ['Ingress'], ingress),
  ...each(
    [EXTENSIONS, 'apps/v1beta1', 'apps/v1beta2'],
    ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'],
    workload,
  ),
  ...each(['autoscaling/v2alpha1', 'autoscaling/v2beta1'], ['HorizontalPodAutoscaler'], autoscaler),
  ...each(['apiextensions.k8s.io/v1beta1'], ['CustomResourceDefinition'], definition),
  ...each(
    ['admissionregistration.k8s.io/v1beta1'],
    ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    webhooks,
  ),
  ...each(['discovery.k8s.io/v1alpha1', 'discovery.k8s.io/v1beta1'], ['EndpointSlice'], endpointSlice),
  ...each(
    ['v1alpha1', 'v1beta1', 'v1beta2', 'v1beta3'].map(it => `flowcontrol.apiserver.k8s.io/${it}`),
    ['PriorityLevelConfiguration'],
    priorityLevel,
  ),
  ...each(
    ['certificates.k8s.io/v1alpha1', 'certificates.k8s.io/v1beta1'],
    ['CertificateSigningRequest'],
    signingRequest,
  ),
  ...each(['events.k8s.io/v1beta1'], ['Event'], event),
  ...each(['node.k8s.io/v1alpha1'], ['RuntimeClass'], runtimeClass),
  ...each(['rbac.authorization.k8s.io/v1alpha1'], ['RoleBinding', 'ClusterRoleBinding'], binding),
  ...each(['authorization.k8s.io/v1beta1'], ['SubjectAccessReview', 'LocalSubjectAccessReview'], accessReview),
  ...each(['coordination.k8s.io/v1alpha1'], ['LeaseCandidate'], leaseCandidate),
  ...each(['storagemigration.k8s.io/v1alpha1'], ['StorageVersionMigration'], versionMigration),
  ...each([`${RESOURCE}/v1alpha3`, `${RESOURCE}/v1beta1`], ['ResourceClaim'], claim),
  ...each([`${RESOURCE}/v1alpha3`, `${RESOURCE}/v1beta1`], ['ResourceClaimTemplate'], claimTemplate),
  ...each([`${RESOURCE}/v1alpha3`], ['ResourceSlice'], olderSlice),
  ...each([`${RESOURCE}/v1beta1`], ['ResourceSlice'], slice),
  ...each([`${RESOURCE}/v1alpha3`], ['DeviceClass'], deviceClass),
  ...each([`${RESOURCE}/v1alpha3`], ['DeviceTaintRule'], taintRule),
  ...each(['scheduling.k8s.io/v1alpha1'], ['Workload'], workloadOfAlpha1),
  ...each(['scheduling.k8s.io/v1alpha2'], ['Workload'], workloadOfAlpha2),
  ...each(['scheduling.k8s.io/v1alpha2'], ['PodGroup'], podGroupOfAlpha2),
]);

function each(versions: readonly string[], kinds: readonly string[], move: Move): readonly (readonly [string, Move])[] {
  return versions.flatMap(version => kinds.map(kind => [`${version} ${kind}`, move] as const));
}

export interface Migration {
  readonly value: JsonObject;
  /** Whether more than the apiVersion changes. */
  readonly movesFields: boolean;
  /** safe: the object means the same and has all of its fields. */
  readonly safety: 'safe' | 'unsafe';
}

/** Kinds whose fields have other defaults, or another meaning, in the version that follows. */
const OTHER_MEANING: ReadonlySet<string> = new Set([
  ...[EXTENSIONS, 'apps/v1beta1', 'apps/v1beta2'].flatMap(version =>
    ['Deployment', 'DaemonSet', 'StatefulSet'].map(kind => `${version} ${kind}`),
  ),
  'policy/v1beta1 PodDisruptionBudget',
]);

/** The object in another API version of its kind, with its fields moved where that is mechanical. */
export function migrated(value: JsonObject, from: string, to: string, info: KindInfo): Migration {
  const key = `${from} ${info.kind}`;
  // A claim of v1beta1 has the fields of v1alpha3: only what follows both moved them.
  const isBetween = to === `${RESOURCE}/v1beta1`;
  const move = isBetween && info.kind !== 'DeviceClass' ? undefined : MOVES.get(key);
  const moved = move?.(value) ?? value;
  const isComplete = (move !== webhooks || declareEffects(value)) && (move !== signingRequest || namesSigner(value));
  const isSame = hasFieldsOf(moved, info.schema) && !OTHER_MEANING.has(key) && isComplete;
  return { value: { ...moved, apiVersion: to }, movesFields: moved !== value, safety: isSame ? 'safe' : 'unsafe' };
}

function hasFieldsOf(value: JsonValue, schema: Schema): boolean {
  if (schema.type === 'list') {
    return Array.isArray(value) && (value as readonly JsonValue[]).every(it => hasFieldsOf(it, schema.items));
  }
  if (schema.type !== 'object' && schema.type !== 'map') return true;
  const written = Object.entries(isObject(value) ? value : {});
  return written.every(([name, it]) => {
    const inner = schema.type === 'map' ? schema.values : schema.fields.get(name)?.schema;
    return inner !== undefined && hasFieldsOf(it, inner);
  });
}
