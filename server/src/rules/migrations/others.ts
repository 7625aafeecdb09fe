import { asObject, type JsonObject } from '../../base/json';
import { field, inField, inItems, renamed, withMissing, without } from './fields';

/** EndpointSlice of v1beta1. Upstream: Convert_v1beta1_Endpoint_To_discovery_Endpoint; v1 ignores other topology. */
export function endpointSlice(value: JsonObject): JsonObject {
  return inItems(value, 'endpoints', it => {
    const topology = asObject(it.topology);
    if (topology === undefined) return it;
    return {
      ...without(it, 'topology'),
      ...(it.nodeName === undefined && field(topology, 'kubernetes.io/hostname', 'nodeName')),
      ...field(topology, 'topology.kubernetes.io/zone', 'zone'),
    };
  });
}

const KEEPS_ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/**
 * PriorityLevelConfiguration of the betas. They took no shares for the default, which v1 does only where nothing is written.
 * Upstream: flowcontrol/v1beta3 SetDefaults_LimitedPriorityLevelConfiguration.
 */
export function priorityLevel(value: JsonObject): JsonObject {
  const annotations = asObject(asObject(value.metadata)?.annotations);
  const isZeroMeant = annotations?.[KEEPS_ZERO] !== undefined;
  return inField(value, 'spec', spec =>
    inField(spec, 'limited', limited => {
      const moved = renamed(limited, 'assuredConcurrencyShares', 'nominalConcurrencyShares');
      return moved.nominalConcurrencyShares === 0 && !isZeroMeant ? without(moved, 'nominalConcurrencyShares') : moved;
    }),
  );
}

/** RuntimeClass of v1alpha1 had a spec. Upstream: Convert_v1alpha1_RuntimeClass_To_node_RuntimeClass. */
export function runtimeClass(value: JsonObject): JsonObject {
  const spec = asObject(value.spec);
  return spec === undefined ? value : { ...without(value, 'spec'), ...renamed(spec, 'runtimeHandler', 'handler') };
}

/**
 * CertificateSigningRequest of v1beta1 had default usages. It chose a signer by the content of the request, too, and v1 refuses
 * the one for all others. Upstream: certificates/v1beta1 SetDefaults_CertificateSigningRequestSpec.
 */
export function signingRequest(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => withMissing(spec, { usages: ['digital signature', 'key encipherment'] }));
}

export const namesSigner = (value: JsonObject): boolean => asObject(value.spec)?.signerName !== undefined;

/** Event of v1beta1 told whether its series was still going on. */
export function event(value: JsonObject): JsonObject {
  return inField(value, 'series', it => without(it, 'state'));
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** RoleBinding of v1alpha1. Upstream: Convert_v1alpha1_Subject_To_rbac_Subject. */
export function binding(value: JsonObject): JsonObject {
  return inItems(value, 'subjects', it => {
    const { apiVersion, ...subject } = it;
    const isAccount = it.kind === 'ServiceAccount';
    const group = isAccount ? {} : { apiGroup: RBAC_GROUP };
    if (it.kind === 'User' && it.name === '*')
      return { ...subject, ...group, kind: 'Group', name: 'system:authenticated' };
    return apiVersion === undefined ? it : { ...subject, ...group };
  });
}

/** SubjectAccessReview of v1beta1. */
export function accessReview(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => renamed(spec, 'group', 'groups'));
}

/** LeaseCandidate of v1alpha1 named several strategies in the order of preference. */
export function leaseCandidate(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => {
    const { preferredStrategies: all } = spec;
    if (!Array.isArray(all)) return spec;
    const rest = without(spec, 'preferredStrategies');
    return all.length === 0 ? rest : { ...rest, strategy: all[0] };
  });
}

/** StorageVersionMigration of v1alpha1 named a version. Upstream: storagemigration/v1beta1 has group and resource alone. */
export function versionMigration(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec =>
    inField(without(spec, 'continueToken'), 'resource', resource => without(resource, 'version')),
  );
}
