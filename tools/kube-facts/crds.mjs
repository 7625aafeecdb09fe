// How CustomResourceDefinitions and their kin become definitions of a pack; what pack.mjs and tools/gen-policy-schemas.mjs share.
import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import { brotli } from '../brotli.mjs';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Packs for `kinds`, filled by `addKind` and `addDefinition`. */
export const emptyCrds = () => ({ kinds: [], definitions: {}, descriptions: {}, structural: {} });

/**
 * Adds one version of a kind that is no part of Kubernetes: `{ apiVersion, kind, resource, scope, served, schema }`.
 * Inline parts of its schema become definitions named by kind and path.
 */
export function addKind(out, doc) {
  const [group, version] = doc.apiVersion.includes('/') ? doc.apiVersion.split('/') : ['', doc.apiVersion];
  const definition = `${doc.apiVersion}.${doc.kind}`;
  addDefinition(out, definition, doc.schema, doc.schema, definition);
  // kind's and the descheduler's files never reach an API server; what a CRD no longer serves neither.
  const served = doc.resource === undefined || doc.served === false ? 'no' : 'on';
  const namespaced = doc.scope === 'Namespaced';
  if (served === 'on') out.structural[definition] = withoutDescriptions(doc.schema);
  out.kinds.push({ group, version, kind: doc.kind, resource: doc.resource ?? '', namespaced, served, definition });
}

/** A CRD's own schema, constraints and rules and all, by which the API server judges its objects. */
function withoutDescriptions(schema) {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutDescriptions(value)]));
}

export function addDefinition(out, name, schema, root, rootName) {
  if (name in out.definitions) return;
  out.definitions[name] = {};
  const descriptions = {};
  if (schema.description) descriptions[''] = schema.description;
  for (const [field, it] of Object.entries(schema.properties ?? {})) {
    if (it.description) descriptions[field] = it.description;
  }
  if (Object.keys(descriptions).length > 0) out.descriptions[name] = descriptions;
  const isRoot = name === rootName;
  const packOne = (it, field) =>
    isRoot && field === 'metadata' ? { ref: objectMeta } : packInline(out, it, `${name}.${field}`, root, rootName);
  const fields = packFields(schema, packOne);
  // Files of kind and the descheduler carry type meta that their Go types inline.
  const typeMeta =
    isRoot && !name.endsWith('Args')
      ? { apiVersion: { schema: { type: 'string' } }, kind: { schema: { type: 'string' } } }
      : {};
  out.definitions[name] = { fields: { ...typeMeta, ...fields } };
}

function packInline(out, schema, name, root, rootName) {
  if (schema.$ref !== undefined) {
    const part = schema.$ref.slice('#/$defs/'.length);
    const target = root.$defs[part];
    if (!target.properties) return packInline(out, target, `${rootName}/${part}`, root, rootName);
    addDefinition(out, `${rootName}/${part}`, target, root, rootName);
    return { ref: `${rootName}/${part}` };
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return { type: 'any' };
  if (schema['x-kubernetes-int-or-string']) {
    return { type: schema.format === 'quantity' || schema.pattern?.includes('[KMGTPE]i') ? 'quantity' : 'intOrString' };
  }
  if (schema.type === 'array') {
    const listType = schema['x-kubernetes-list-type'];
    const mapKeys = schema['x-kubernetes-list-map-keys'];
    const items = packInline(out, schema.items ?? {}, `${name}[]`, root, rootName);
    return { type: 'list', items, ...(listType && { listType }), ...(mapKeys && { mapKeys }) };
  }
  if (schema.properties) {
    addDefinition(out, name, schema, root, rootName);
    return { ref: name };
  }
  if (typeof schema.additionalProperties === 'object') {
    return { type: 'map', values: packInline(out, schema.additionalProperties, `${name}{}`, root, rootName) };
  }
  if (schema.type === 'object') return { type: 'any' };
  return packScalar(schema);
}

export function packFields(schema, packOne) {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, it]) => {
      const required = schema.required?.includes(name) ?? false;
      return [
        name,
        {
          schema: packOne(it, name),
          ...(required && { required }),
          ...(isRealDefault(it.default, required) && { default: it.default }),
        },
      ];
    }),
  );
}

/** OpenAPI gives Go's zero value as the default of everything that is not a pointer; that says nothing. */
function isRealDefault(value, required) {
  if (value === undefined || value === null || value === '') return false;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return !required || (value !== 0 && value !== false);
}

export function packScalar(schema) {
  if (schema.type === 'string' && schema.format === 'byte') return { type: 'bytes' };
  if (schema.type === 'string' && schema.format === 'date-time') return { type: 'time' };
  if (schema.type === 'string') {
    return {
      type: 'string',
      ...(schema.format && { format: schema.format }),
      ...(schema.enum && { enum: schema.enum }),
    };
  }
  if (schema.type === 'integer')
    return { type: 'integer', ...(/^int(32|64)$/.test(schema.format) && { format: schema.format }) };
  if (schema.type === 'number' || schema.type === 'boolean') return { type: schema.type };
  if (schema.type === undefined) return { type: 'any' };
  throw new Error(`unknown schema ${JSON.stringify(schema).slice(0, 200)}`);
}

export function compress(text) {
  return brotli(Buffer.from(text), constants.BROTLI_MAX_QUALITY);
}

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
