import type { JsonObject } from '../../../base/json';
import { ipErrors } from '../../../kube/ip';
import { configMapKeyErrors, dns1035LabelErrors, dns1123SubdomainErrors } from '../../../kube/names';
import type { FieldError, KindStrategy, Strategies } from './errors';
import {
  type NameFn,
  pathSegmentErrors,
  validateGenericObjectMeta,
  validateNameFn,
  validateObjectMeta,
} from './metadata';

/** How the metadata of one kind is validated. */
export interface KindMeta {
  readonly scope: 'namespaced' | 'cluster';
  readonly nameFn: NameFn;
  /**
   * core: core validation.ValidateObjectMeta, which also refuses finalizers without a domain; generic: the function of
   * the same name in apimachinery.
   */
  readonly rules: 'core' | 'generic';
}

/** Upstream: rbac validation.ValidateRBACName, for which a prefix is a name. */
const rbacName: NameFn = name => pathSegmentErrors(name);

/** Upstream: certificates validation.ValidateCertificateRequestName. */
const anyName: NameFn = () => [];

/** Upstream: apiserverinternal validation.ValidateStorageVersionName. */
const storageVersionName: NameFn = name => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123SubdomainErrors(name.slice(0, dot)).map(it => `the group segment ${it}`),
    ...dns1035LabelErrors(name.slice(dot + 1)).map(it => `the resource segment ${it}`),
  ];
};

const { subdomain } = validateNameFn;
const core = (scope: KindMeta['scope'], nameFn: NameFn = subdomain): KindMeta => ({ scope, nameFn, rules: 'core' });
const generic = (scope: KindMeta['scope'], nameFn: NameFn = subdomain): KindMeta => ({
  scope,
  nameFn,
  rules: 'generic',
});

/** The metadata of kinds by `group/Kind`. */
export const KIND_META = {
  '/Endpoints': core('namespaced'),
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': generic('cluster'),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': generic('cluster'),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': generic('cluster'),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': generic('cluster'),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': generic('cluster'),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': generic('cluster'),
  'apps/ControllerRevision': core('namespaced'),
  'certificates.k8s.io/CertificateSigningRequest': core('cluster', anyName),
  'certificates.k8s.io/PodCertificateRequest': core('namespaced'),
  'coordination.k8s.io/Lease': generic('namespaced'),
  'coordination.k8s.io/LeaseCandidate': generic('namespaced', configMapKeyErrors),
  'discovery.k8s.io/EndpointSlice': core('namespaced'),
  'flowcontrol.apiserver.k8s.io/FlowSchema': core('cluster'),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': core('cluster'),
  'internal.apiserver.k8s.io/StorageVersion': core('cluster', storageVersionName),
  'networking.k8s.io/IPAddress': core('cluster', ipErrors),
  'networking.k8s.io/Ingress': core('namespaced'),
  'networking.k8s.io/IngressClass': core('cluster'),
  'networking.k8s.io/NetworkPolicy': core('namespaced'),
  'networking.k8s.io/ServiceCIDR': core('cluster'),
  'rbac.authorization.k8s.io/ClusterRole': core('cluster', rbacName),
  'rbac.authorization.k8s.io/ClusterRoleBinding': core('cluster', rbacName),
  'rbac.authorization.k8s.io/Role': core('namespaced', rbacName),
  'rbac.authorization.k8s.io/RoleBinding': core('namespaced', rbacName),
  'resource.k8s.io/ResourcePoolStatusRequest': core('cluster'),
  'storagemigration.k8s.io/StorageVersionMigration': core('cluster'),
} as const satisfies Readonly<Record<string, KindMeta>>;

/** Errors of the metadata of one of these kinds. */
export function validateKindMeta(object: JsonObject, kind: keyof typeof KIND_META): Iterable<FieldError> {
  const { scope, nameFn, rules } = KIND_META[kind];
  return rules === 'core'
    ? validateObjectMeta(object, scope, nameFn)
    : validateGenericObjectMeta(object, scope, nameFn);
}

/** Strategies that check the metadata alone. */
export const metadataStrategies: Strategies = Object.fromEntries(
  (Object.keys(KIND_META) as (keyof typeof KIND_META)[]).map((kind): [string, KindStrategy] => [
    kind,
    { validate: object => validateKindMeta(object, kind) },
  ]),
);
