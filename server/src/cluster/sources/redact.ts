import { isObject, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';

/** Annotations that decide placement in Kubernetes itself. */
const DECISIVE: readonly RegExp[] = [
  /^(?:storageclass(?:\.beta)?|ingressclass|snapshot\.storage)\.kubernetes\.io\/is-default-class$/,
  /^volume(?:\.beta)?\.kubernetes\.io\/(?:selected-node|storage-provisioner|storage-class|mount-options)$/,
  /^pv\.kubernetes\.io\/(?:bind-completed|bound-by-controller|provisioned-by|migrated-to)$/,
  /^storage\.alpha\.kubernetes\.io\/migrated-plugins$/,
  /^scheduler\.alpha\.kubernetes\.io\/(?:node-selector|defaultTolerations|tolerationsWhitelist)$/,
  /^kubernetes\.io\/config\.mirror$/,
];

export function isDecisive(annotation: string): boolean {
  return DECISIVE.some(it => it.test(annotation));
}

/** Which annotations are kept. */
export type KeptAnnotations = 'none' | 'decisive' | 'all';

/** What is kept of a value; undefined when nothing is. */
type Redact = (value: unknown, annotations: KeptAnnotations) => unknown;
type Fields = Readonly<Record<string, Redact>>;

const whole: Redact = value => value;
const keep = (...names: readonly string[]): Fields => Object.fromEntries(names.map(it => [it, whole]));

/** Keeps the named fields and drops all others. */
const only =
  (fields: Fields): Redact =>
  (value, annotations) => {
    if (!isObject(value)) return undefined;
    const kept = Object.entries(fields).flatMap(([name, redact]) => {
      const found = value[name] === undefined ? undefined : redact(value[name], annotations);
      return found === undefined ? [] : [[name, found]];
    });
    return Object.fromEntries(kept);
  };

/** Keeps all fields and redacts some. */
const allBut =
  (fields: Fields): Redact =>
  (value, annotations) => {
    if (!isObject(value)) return value;
    const kept = Object.entries(value).flatMap(([name, it]) => {
      const found = Object.hasOwn(fields, name) ? fields[name]?.(it, annotations) : it;
      return found === undefined ? [] : [[name, found]];
    });
    return Object.fromEntries(kept);
  };

const each =
  (item: Redact): Redact =>
  (value, annotations) =>
    Array.isArray(value) ? value.map(it => item(it, annotations)) : undefined;

const nothing: Redact = () => undefined;

const keptAnnotations: Redact = (value, annotations) => {
  if (!isObject(value) || annotations === 'none') return undefined;
  if (annotations === 'all') return value;
  const kept = Object.entries(value).filter(([key]) => isDecisive(key));
  const applied = appliedVersion(value[LAST_APPLIED]);
  const all = applied === undefined ? kept : [...kept, [LAST_APPLIED, applied]];
  return all.length === 0 ? undefined : Object.fromEntries(all);
};

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What `kubectl apply` wrote, down to its version: the rest may hold secrets. */
function appliedVersion(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const { apiVersion, kind } = JSON.parse(text) as UnknownObject;
    return typeof apiVersion === 'string' && typeof kind === 'string'
      ? JSON.stringify({ apiVersion, kind })
      : undefined;
  } catch {
    return undefined;
  }
}

/** In which version somebody beside the cluster itself wrote the object; the names of the fields are not kept. */
const managers: Redact = (value, annotations) => {
  if (annotations === 'none' || !Array.isArray(value)) return undefined;
  const written = value.filter(it => isObject(it) && it.subresource === undefined && !isPartOfCluster(it.manager));
  return written.length === 0
    ? undefined
    : each(only(keep('manager', 'operation', 'apiVersion')))(written, annotations);
};

/** Whether a manager of fields is a program of Kubernetes, which is upgraded with it. */
export const isPartOfCluster = (manager: unknown): boolean => OF_CLUSTER.test(`${manager}`);

const OF_CLUSTER = /^(?:kube-(?:controller-manager|scheduler|apiserver)|kubelet|cloud-controller-manager)$/;

const METADATA = only({
  ...keep('name', 'generateName', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'labels'),
  annotations: keptAnnotations,
  managedFields: managers,
  ownerReferences: each(only(keep('apiVersion', 'kind', 'name', 'uid', 'controller'))),
});

/** Commands, arguments, probes and values of variables may contain secrets, and do not affect placement. */
const CONTAINERS = each(
  only({
    ...keep('name', 'image', 'resources', 'ports', 'volumeMounts', 'volumeDevices', 'envFrom', 'restartPolicy'),
    ...keep('resizePolicy', 'securityContext'),
    env: each(only(keep('name', 'valueFrom'))),
  }),
);

const POD_SPEC = allBut({
  hostAliases: nothing,
  containers: CONTAINERS,
  initContainers: CONTAINERS,
  ephemeralContainers: CONTAINERS,
});

const TEMPLATE = allBut({ metadata: METADATA, spec: POD_SPEC });

/** Without messages and times, which change without relevance. */
const CONDITIONS = each(only(keep('type', 'status', 'reason')));
const CONTAINER_STATUSES = each(only(keep('name', 'allocatedResources', 'resources')));

const STATUS: Fields = {
  Pod: only({
    ...keep('phase', 'startTime', 'nominatedNodeName', 'resize', 'qosClass', 'resourceClaimStatuses'),
    ...keep('extendedResourceClaimStatus', 'allocatedResources', 'resources'),
    conditions: CONDITIONS,
    containerStatuses: CONTAINER_STATUSES,
    initContainerStatuses: CONTAINER_STATUSES,
  }),
  Node: only({
    ...keep('capacity', 'allocatable', 'images', 'volumesAttached', 'declaredFeatures', 'features', 'runtimeHandlers'),
    conditions: CONDITIONS,
    nodeInfo: only(keep('operatingSystem', 'architecture', 'kubeletVersion')),
  }),
};

const eachField =
  (field: Redact): Redact =>
  (value, annotations) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, it]) => [name, field(it, annotations)]))
      : value;

/** A schema without texts for people, which are most of a large one. */
const schema: Redact = (value, annotations) => {
  const items: Redact = it => (Array.isArray(it) ? it.map(item => schema(item, annotations)) : it);
  return allBut({
    ...Object.fromEntries(['description', 'title', 'example', 'externalDocs'].map(it => [it, nothing])),
    ...Object.fromEntries(['items', 'additionalProperties', 'not'].map(it => [it, schema])),
    ...Object.fromEntries(['allOf', 'anyOf', 'oneOf'].map(it => [it, items])),
    properties: eachField(schema),
  })(value, annotations);
};

/** What defines custom resources. */
const DEFINITION_SPEC = only({
  ...keep('group', 'names', 'scope', 'preserveUnknownFields'),
  versions: each(
    only({
      ...keep('name', 'served', 'storage', 'deprecated', 'deprecationWarning', 'subresources', 'selectableFields'),
      schema: only({ openAPIV3Schema: schema }),
    }),
  ),
});

/** Kinds of which only the name is ever kept. */
const NAMED_ONLY: ReadonlySet<string> = new Set(['Secret', 'ConfigMap']);

/**
 * The object without what placement and references do not need, above all without secrets: no data of Secrets and
 * ConfigMaps, no values of environment variables, no commands, no names of managed fields, and only the requested annotations.
 */
export function redacted(object: UnknownObject, annotations: KeptAnnotations): UnknownObject {
  const kind = printed(object.kind);
  if (NAMED_ONLY.has(kind))
    return only({ ...keep('apiVersion', 'kind'), metadata: METADATA })(object, annotations) as UnknownObject;
  if (kind === 'CustomResourceDefinition')
    return only({ ...keep('apiVersion', 'kind'), metadata: METADATA, spec: DEFINITION_SPEC })(
      object,
      annotations,
    ) as UnknownObject;
  const spec =
    kind === 'Pod'
      ? POD_SPEC
      : allBut({ template: TEMPLATE, jobTemplate: allBut({ spec: allBut({ template: TEMPLATE }) }) });
  const status = (Object.hasOwn(STATUS, kind) ? STATUS[kind] : undefined) ?? allBut({ conditions: CONDITIONS });
  return allBut({ metadata: METADATA, spec, template: TEMPLATE, status })(object, annotations) as UnknownObject;
}
