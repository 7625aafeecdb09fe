import type { KindInfo, Kube, ObjectSchema, Schema } from '../../kube/kube';

type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Schemas as a server publishes them below /openapi/v3, for the kinds that somebody asks about. */
export interface OpenApi {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
  /** "apps/v1/Deployment" or "v1/Pod" → the name of its schema. */
  readonly kinds: Readonly<Record<string, string>>;
}

export function openApiOf(kinds: readonly KindInfo[]): OpenApi {
  const schemas: Record<string, OpenApiSchema> = {};
  for (const { group, version, kind, schema } of kinds) {
    add(schema);
    const own = schemas[schema.definition];
    schemas[schema.definition] = { ...own, 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
  }
  return { schemas, kinds: Object.fromEntries(kinds.map(it => [nameOf(it), it.schema.definition])) };

  function add(schema: ObjectSchema): void {
    if (Object.hasOwn(schemas, schema.definition)) return;
    schemas[schema.definition] = {}; // Definitions refer to each other in circles.
    const fields = [...schema.fields.values()];
    const required = fields.filter(it => it.required).map(it => it.name);
    schemas[schema.definition] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(it => [it.name, published(it.schema)])),
      ...(required.length > 0 && { required }),
    };
  }

  function published(schema: Schema): OpenApiSchema {
    switch (schema.type) {
      case 'object':
        add(schema);
        return { $ref: `#/components/schemas/${schema.definition}` };
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

const nameOf = ({ group, version, kind }: KindInfo): string => `${group === '' ? '' : `${group}/`}${version}/${kind}`;

/** The served kinds whose resource one of the rules names; a rule for every resource names none. */
export function kindsNamedBy(
  rules: readonly { readonly groups: readonly string[]; readonly resources: readonly string[] }[],
  kube: Kube,
): readonly KindInfo[] {
  return kube
    .kinds()
    .filter(it => it.served === 'on')
    .filter(it => rules.some(rule => rule.groups.includes(it.group) && rule.resources.includes(it.resource)));
}
