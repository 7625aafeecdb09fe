import { asList, asText, isObject } from '../../base/json';
import type { Field, KindInfo, Kube, ObjectSchema, Schema } from '../../kube/kube';
import { structuralSchemaOf } from '../../kube/structuralSchema';
import { fieldAt } from '../../manifest/valueAt';
import type { Snapshot } from '../../workspace/workspace';

type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Schemas of some kinds, as a server publishes them under /openapi/v3. */
export interface OpenApi {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
  /** "apps/v1/Deployment" or "v1/Pod" → the name of its schema. */
  readonly kinds: Readonly<Record<string, string>>;
}

/**
 * The schemas of kinds, with those of custom resources added. A kind has one schema: the engine takes any of two.
 */
export function openApiOf(all: readonly KindInfo[], custom: OpenApi = noSchemas): OpenApi {
  const schemas: Record<string, OpenApiSchema> = { ...custom.schemas };
  const kinds = all.filter(it => !Object.hasOwn(custom.kinds, nameOf(it)));
  for (const { group, version, kind, schema } of kinds) {
    add(schema);
    const name = componentName(schema);
    schemas[name] = { ...schemas[name], 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
  }
  const named = Object.fromEntries(kinds.map(it => [nameOf(it), componentName(it.schema)]));
  return { schemas, kinds: { ...named, ...custom.kinds } };

  function add(schema: ObjectSchema): void {
    const name = componentName(schema);
    if (Object.hasOwn(schemas, name)) return;
    schemas[name] = {}; // Definitions refer to each other in circles.
    const fields = [...schema.fields.values()];
    const required = fields.filter(it => it.required).map(it => it.name);
    schemas[name] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(it => [it.name, fieldOf(schema.definition, it)])),
      ...(required.length > 0 && { required }),
      ...(ATOMIC_STRUCTS.has(schema.definition) && { 'x-kubernetes-map-type': 'atomic' }),
    };
  }

  function fieldOf(definition: string, { name, schema, required }: Field): OpenApiSchema {
    const own =
      required && schema.type in ZEROS ? { ...published(schema), default: ZEROS[schema.type] } : published(schema);
    const path = `${definition}.${name}`;
    if (DEFAULT_PROTOCOLS.has(path)) return { ...own, default: 'TCP' };
    return ATOMIC_MAPS.has(path) ? { ...own, 'x-kubernetes-map-type': 'atomic' } : own;
  }

  function published(schema: Schema): OpenApiSchema {
    switch (schema.type) {
      case 'object':
        add(schema);
        return { $ref: `#/components/schemas/${componentName(schema)}` };
      case 'map':
        return { type: 'object', additionalProperties: published(schema.values) };
      case 'list':
        return {
          type: 'array',
          items: published(schema.items),
          ...(schema.listType && { 'x-kubernetes-list-type': schema.listType }),
          ...(schema.mapKeys && { 'x-kubernetes-list-map-keys': schema.mapKeys }),
        };
      default:
        return SCALARS[schema.type];
    }
  }
}

/** Without slashes, as the engine takes what follows the last one in a reference. Those of custom kinds have some. */
const componentName = ({ definition }: ObjectSchema): string => definition.replaceAll('/', '..');

/** Types marked `+structType=atomic` in some supported minor, by package. */
const ATOMIC_STRUCTS: ReadonlySet<string> = new Set(
  Object.entries({
    'io.k8s.api.admissionregistration.v1': 'MatchResources NamedRuleWithOperations ParamKind ParamRef Variable',
    'io.k8s.api.admissionregistration.v1alpha1': 'MatchResources NamedRuleWithOperations ParamKind ParamRef',
    'io.k8s.api.admissionregistration.v1beta1': 'MatchResources NamedRuleWithOperations ParamKind ParamRef Variable',
    'io.k8s.api.autoscaling.v1': 'CrossVersionObjectReference',
    'io.k8s.api.core.v1':
      'ConfigMapKeySelector EndpointAddress EndpointPort EvictionResponder FileKeySelector LocalObjectReference ' +
      'NodeSelector NodeSelectorTerm ObjectFieldSelector ObjectReference ResourceFieldSelector ScopeSelector ' +
      'SecretKeySelector SecretReference TopologySelectorTerm TypedLocalObjectReference',
    'io.k8s.api.discovery.v1': 'EndpointPort',
    'io.k8s.api.lifecycle.v1alpha1': 'Requester TargetResponder',
    'io.k8s.api.networking.v1': 'ServiceBackendPort',
    'io.k8s.api.rbac.v1': 'RoleRef Subject',
    'io.k8s.apimachinery.pkg.apis.meta.v1': 'LabelSelector OwnerReference',
  }).flatMap(([pack, names]) => names.split(' ').map(it => `${pack}.${it}`)),
);

/** Maps marked `+mapType=atomic`. */
const ATOMIC_MAPS: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.PodSpec.nodeSelector',
  'io.k8s.api.core.v1.ReplicationControllerSpec.selector',
  'io.k8s.api.core.v1.ServiceSpec.selector',
  'io.k8s.api.node.v1.Scheduling.nodeSelector',
]);

/** Keys of list items with a default, by which a patch without the key finds its item. */
const DEFAULT_PROTOCOLS: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.ContainerPort.protocol',
  'io.k8s.api.core.v1.ServicePort.protocol',
]);

/** Go's values of required fields that are left out: an item without its key is one whose key is empty. */
const ZEROS: Readonly<Partial<Record<Schema['type'], string | number>>> = { string: '', integer: 0 };

const SCALARS: Readonly<Record<Exclude<Schema['type'], 'object' | 'map' | 'list'>, OpenApiSchema>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  quantity: { 'x-kubernetes-int-or-string': true },
  intOrString: { 'x-kubernetes-int-or-string': true },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  bytes: { type: 'string', format: 'byte' },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};

const noSchemas: OpenApi = { schemas: {}, kinds: {} };

interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const nameOf = ({ group, version, kind }: NamedKind): string =>
  `${group === '' ? '' : `${group}/`}${version}/${kind}`;

/** The schemas of the named kinds alone, of those that there are. */
export function openApiOfNamed(names: ReadonlySet<string>, all: readonly KindInfo[], custom: OpenApi): OpenApi {
  const kinds = Object.fromEntries(Object.entries(custom.kinds).filter(([name]) => names.has(name)));
  const others = new Set(Object.entries(custom.kinds).flatMap(([name, schema]) => (names.has(name) ? [] : [schema])));
  const schemas = Object.fromEntries(Object.entries(custom.schemas).filter(([name]) => !others.has(name)));
  return openApiOf(
    all.filter(it => names.has(nameOf(it)) && !Object.hasOwn(custom.kinds, nameOf(it))),
    Object.keys(kinds).length === 0 ? noSchemas : { schemas, kinds },
  );
}

/**
 * The schemas in the CustomResourceDefinitions of a workspace, with the metadata that the server adds. Keywords of another
 * type are left out: the engine decodes all schemas or none.
 */
export function customSchemasOf(snapshot: Snapshot, kube: Kube): OpenApi {
  const definitions = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition');
  const builtIn = kube.kindOf('v1', 'ConfigMap');
  const metadata = builtIn?.schema.fields.get('metadata')?.schema;
  if (definitions.length === 0 || builtIn === undefined || metadata?.type !== 'object') return noSchemas;
  const schemas: Record<string, OpenApiSchema> = { ...openApiOf([builtIn]).schemas };
  const kinds: Record<string, string> = {};
  const string = SCALARS.string;
  const common = {
    apiVersion: string,
    kind: string,
    metadata: { $ref: `#/components/schemas/${metadata.definition}` },
  };
  for (const { manifest } of definitions) {
    const spec = fieldAt(manifest.value, 'spec');
    const [group, kind] = [asText(fieldAt(spec, 'group')), asText(fieldAt(spec, 'names', 'kind'))];
    if (group === undefined || kind === undefined) continue;
    for (const it of asList(fieldAt(spec, 'versions'))) {
      const version = asText(fieldAt(it, 'name'));
      const written = fieldAt(it, 'schema', 'openAPIV3Schema');
      if (version === undefined || !isObject(written) || fieldAt(it, 'served') === false) continue;
      const name = `${group}.${version}.${kind}`;
      const schema = structuralSchemaOf(written, kube.parts);
      schemas[name] = {
        ...schema,
        ...(schema.properties !== undefined && { properties: { ...schema.properties, ...common } }),
        'x-kubernetes-group-version-kind': [{ group, version, kind }],
      };
      kinds[nameOf({ group, version, kind })] = name;
    }
  }
  return { schemas, kinds };
}

/**
 * The served kinds whose resource a rule names; `*` names none. The group "" matches all groups. Upstream:
 * RESTMapper.KindsFor, where an empty group means any.
 */
export function kindsNamedBy(
  rules: readonly { readonly groups: readonly string[]; readonly resources: readonly string[] }[],
  kube: Kube,
): readonly KindInfo[] {
  return kube
    .kinds()
    .filter(it => it.served === 'on')
    .filter(it =>
      rules.some(
        rule => (rule.groups.includes(it.group) || rule.groups.includes('')) && rule.resources.includes(it.resource),
      ),
    );
}

/** The served kinds that rules may match, wildcards included. Upstream: rules.Matcher. */
export function kindsMatchedBy(
  rules: readonly { readonly groups: readonly string[]; readonly resources: readonly string[] }[],
  kube: Kube,
): readonly KindInfo[] {
  const isEvery = (resource: string): boolean => resource === '*' || resource === '*/*';
  const broad = rules.filter(it => it.groups.includes('*') || it.resources.some(isEvery));
  const matched = kube
    .kinds()
    .filter(it => it.served === 'on')
    .filter(it =>
      broad.some(
        rule =>
          (rule.groups.includes('*') || rule.groups.includes(it.group)) &&
          (rule.resources.some(isEvery) || rule.resources.includes(it.resource)),
      ),
    );
  return [...new Set([...kindsNamedBy(rules, kube), ...matched])];
}
