import { isObject, type JsonObject } from '../../base/json';
import { regexOf } from '../../base/regexText';
import { defaultServiceAccount, rootCertificateConfigMap, systemPriorityClasses } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../object';
import { NAMED } from './kinds';
import { type PatternMatch, patternMatches, stepsOf, valueAt } from './pattern';
import type { ObjectTarget } from './references';
import type { KindName } from './row';

/**
 * Objects that are not written: those that exist in every cluster, and those that controllers create for an object of
 * the workspace.
 */

interface BuiltInObject {
  readonly kind: KindName;
  /** When absent, it exists in every namespace, or is cluster-scoped. */
  readonly namespace?: string;
  readonly names: RegExp;
}

/** Names of the controllers for which kube-controller-manager has ServiceAccounts. Upstream: ControllerRoles. */
const CONTROLLERS =
  /^(?:attachdetach|clusterrole-aggregation|cronjob|daemon-set|deployment|disruption|endpoint|endpointslice|endpointslicemirroring|ephemeral-volume|expand|generic-garbage-collector|horizontal-pod-autoscaler|job|legacy-service-account-token-cleaner|namespace|node|persistent-volume-binder|pod-garbage-collector|pv-protection|pvc-protection|replicaset|replication|resource-claim|resourcequota|root-ca-certificate-publisher|route|selinux-warning|service|service-account|service-cidrs|statefulset|storage-version-migrator|taint-eviction|ttl|ttl-after-finished|validatingadmissionpolicy-status|volumeattributesclass-protection)(?:-controller)?$/;

/** Upstream: bootstrappolicy, flowcontrol bootstrap, the controllers of namespaces; kubeadm's own objects. */
const BUILT_IN: readonly BuiltInObject[] = [
  { kind: NAMED.serviceAccount, names: exactly(defaultServiceAccount) },
  { kind: NAMED.configMap, names: exactly(rootCertificateConfigMap) },
  { kind: NAMED.priorityClass, names: exactly(...Object.keys(systemPriorityClasses)) },
  { kind: NAMED.namespace, names: /^(?:default|kube-.+)$/ },
  { kind: NAMED.service, namespace: 'default', names: exactly('kubernetes') },
  { kind: NAMED.service, namespace: 'kube-system', names: exactly('kube-dns') },
  { kind: NAMED.clusterRole, names: /^(?:cluster-admin|admin|edit|view|system:.+|kubeadm:.+)$/ },
  {
    kind: NAMED.role,
    namespace: 'kube-system',
    names: /^(?:extension-apiserver-authentication-reader|system:.+|kube-proxy|kubeadm:.+)$/,
  },
  { kind: NAMED.role, namespace: 'kube-public', names: /^(?:system:.+|kubeadm:.+)$/ },
  {
    kind: NAMED.configMap,
    namespace: 'kube-system',
    names: exactly(
      'extension-apiserver-authentication',
      'kube-apiserver-legacy-service-account-token-tracking',
      'coredns',
      'kube-proxy',
      'kubeadm-config',
      'kubelet-config',
    ),
  },
  { kind: NAMED.configMap, namespace: 'kube-public', names: exactly('cluster-info') },
  { kind: NAMED.serviceAccount, namespace: 'kube-system', names: CONTROLLERS },
  { kind: NAMED.serviceAccount, namespace: 'kube-system', names: exactly('coredns', 'kube-proxy', 'bootstrap-signer') },
  {
    kind: NAMED.priorityLevel,
    names: /^(?:exempt|catch-all|system|node-high|leader-election|workload-high|workload-low|global-default)$/,
  },
];

function exactly(...names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map(regexOf).join('|')})$`);
}

/** Whether the object exists in every cluster. */
export function isBuiltIn({ group, kind, namespace, name }: ObjectTarget): boolean {
  return BUILT_IN.some(
    it =>
      it.kind.kind === kind &&
      it.kind.group === group &&
      (it.namespace === undefined || it.namespace === namespace) &&
      it.names.test(name),
  );
}

/** A kind whose controller creates other objects. */
export interface ObjectGenerator {
  readonly group: string;
  readonly kind: string;
  readonly makes: KindName;
  /** The path of the created object's name. */
  readonly at: string;
  /** The path of the name if there is none at `at`. */
  readonly elseAt?: string;
  /** own: the namespace of the object; any: one that the object gives, or every namespace. */
  readonly namespace: 'own' | 'any';
  /** A required prefix of the annotation. */
  readonly annotation?: string;
}

const OWN_NAME = 'metadata.name';

export const GENERATORS: readonly ObjectGenerator[] = [
  generator('cert-manager.io', 'Certificate', NAMED.secret, 'spec.secretName'),
  generator('cert-manager.io', 'Issuer', NAMED.secret, 'spec.acme.privateKeySecretRef.name'),
  {
    ...generator('cert-manager.io', 'ClusterIssuer', NAMED.secret, 'spec.acme.privateKeySecretRef.name'),
    namespace: 'any',
  },
  {
    ...generator('networking.k8s.io', 'Ingress', NAMED.secret, 'spec.tls[].secretName'),
    annotation: 'cert-manager.io/',
  },
  {
    ...generator('networking.k8s.io', 'Ingress', NAMED.secret, 'spec.tls[].secretName'),
    annotation: 'kubernetes.io/tls-acme',
  },
  {
    ...generator('gateway.networking.k8s.io', 'Gateway', NAMED.secret, 'spec.listeners[].tls.certificateRefs[].name'),
    annotation: 'cert-manager.io/',
  },
  { ...generator('external-secrets.io', 'ExternalSecret', NAMED.secret, 'spec.target.name'), elseAt: OWN_NAME },
  {
    ...generator('external-secrets.io', 'ClusterExternalSecret', NAMED.secret, 'spec.externalSecretSpec.target.name'),
    elseAt: OWN_NAME,
    namespace: 'any',
  },
  { ...generator('bitnami.com', 'SealedSecret', NAMED.secret, 'spec.template.metadata.name'), elseAt: OWN_NAME },
  generator('secrets-store.csi.x-k8s.io', 'SecretProviderClass', NAMED.secret, 'spec.secretObjects[].secretName'),
  generator('isindir.github.com', 'SopsSecret', NAMED.secret, 'spec.secretTemplates[].name'),
  generator('secrets.hashicorp.com', 'VaultStaticSecret', NAMED.secret, 'spec.destination.name'),
  generator('secrets.hashicorp.com', 'VaultDynamicSecret', NAMED.secret, 'spec.destination.name'),
  { ...generator('trust.cert-manager.io', 'Bundle', NAMED.configMap, OWN_NAME), namespace: 'any' },
];

/** Generators of kustomizations. A kustomization may omit its kind, so the file's name identifies it. */
const KUSTOMIZE_GENERATORS: readonly { readonly makes: KindName; readonly at: string }[] = [
  { makes: NAMED.configMap, at: 'configMapGenerator[].name' },
  { makes: NAMED.secret, at: 'secretGenerator[].name' },
];

function generator(group: string, kind: string, makes: KindName, at: string): ObjectGenerator {
  return { group, kind, makes, at, namespace: 'own' };
}

/** An object that a controller creates for an object of the workspace. */
export interface GeneratedObject {
  readonly object: WorkspaceObject;
  readonly kind: KindName;
  /** undefined: any namespace. */
  readonly namespace: string | undefined;
  /** `#` at its end stands for a number that the controller chooses. */
  readonly name: string;
  /** The field that gives the name. */
  readonly at: FieldPath;
}

/** The objects that the controller of an object creates, as far as references may name them. */
export function generatedBy(object: WorkspaceObject): readonly GeneratedObject[] {
  const byController = (GENERATORS_OF.get(`${object.group}/${object.kind}`) ?? []).flatMap(it =>
    generatedByController(object, it),
  );
  return [...byController, ...generatedByKustomization(object), ...generatedClaims(object)];
}

const GENERATORS_OF: ReadonlyMap<string, readonly ObjectGenerator[]> = new Map(
  GENERATORS.map(({ group, kind }) => [
    `${group}/${kind}`,
    GENERATORS.filter(it => it.group === group && it.kind === kind),
  ]),
);

function generatedByController(
  object: WorkspaceObject,
  { makes, at, elseAt, namespace, annotation }: ObjectGenerator,
): readonly GeneratedObject[] {
  const { value } = object.manifest;
  if (annotation !== undefined && !annotationsOf(value).some(it => it.startsWith(annotation))) return [];
  const found = patternMatches(value, stepsOf(at), FieldPath.root);
  const matches =
    found.length > 0 || elseAt === undefined ? found : patternMatches(value, stepsOf(elseAt), FieldPath.root);
  const where = namespace === 'any' ? undefined : (object.namespace ?? 'default');
  return matches.map(it => ({ object, kind: makes, namespace: where, name: it.name, at: it.at }));
}

function annotationsOf(value: JsonObject): readonly string[] {
  const metadata = isObject(value.metadata) ? value.metadata : {};
  return isObject(metadata.annotations) ? Object.keys(metadata.annotations) : [];
}

function generatedByKustomization(object: WorkspaceObject): readonly GeneratedObject[] {
  const isKustomization =
    object.group === 'kustomize.config.k8s.io' || /\/kustomization\.ya?ml$/.test(object.manifest.uri);
  if (!isKustomization) return [];
  return KUSTOMIZE_GENERATORS.flatMap(({ makes, at }) =>
    patternMatches(object.manifest.value, stepsOf(at), FieldPath.root).map(it => ({
      object,
      kind: makes,
      namespace: undefined,
      name: it.name,
      at: it.at,
    })),
  );
}

/** Claims of a StatefulSet's Pods (TEMPLATE-SET-ORDINAL) and of a Pod's ephemeral volumes (POD-VOLUME). */
function generatedClaims(object: WorkspaceObject): readonly GeneratedObject[] {
  const { group, kind, name, namespace = 'default' } = object;
  if (name === undefined) return [];
  const { value } = object.manifest;
  const claim = (match: PatternMatch, made: string): GeneratedObject => ({
    object,
    kind: NAMED.claim,
    namespace,
    name: made,
    at: match.at,
  });
  if (group === 'apps' && kind === 'StatefulSet') {
    const templates = patternMatches(value, stepsOf('spec.volumeClaimTemplates[].metadata.name'), FieldPath.root);
    return templates.map(it => claim(it, `${it.name}-${name}-#`));
  }
  if (group !== '' || kind !== 'Pod') return [];
  return patternMatches(value, stepsOf('spec.volumes[].name'), FieldPath.root)
    .filter(it => isObject(valueAt(value, it.at.parent?.child('ephemeral') ?? it.at)))
    .map(it => claim(it, `${name}-${it.name}`));
}
