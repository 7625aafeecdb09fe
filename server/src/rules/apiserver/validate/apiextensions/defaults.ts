import type { JsonObject, JsonValue } from '../../../../base/json';
import { asObject } from '../../../../base/json';
import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { coercionError, embeddedErrors, resourceErrors } from '../crd/embedded';
import { keyOf } from '../crd/keys';
import { ruleErrors } from '../crd/rules';
import { schemaErrors } from '../crd/schema';
import { pruned } from '../crd/structural';
import { type FieldError, invalid } from '../errors';
import { otherSchemas } from './ordinary';
import { type SchemaProps, structuralOf } from './schemaProps';

/** Where a default stands in the resource around it: the value of that resource with a value in its place. */
type Surrounding = (value: JsonValue) => JsonValue;

const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** Upstream: schema/defaulting.ValidateDefaults. */
export function defaultErrors(of: SchemaProps, at: FieldPath, kube: Kube): readonly FieldError[] {
  const root = { ...of, 'x-kubernetes-embedded-resource': true };
  return errorsBelow(root, at, kube, undefined);
}

/** `meta` is set inside the names and the metadata of a resource. Values of maps have no defaults. */
function errorsBelow(of: SchemaProps, at: FieldPath, kube: Kube, meta: Surrounding | undefined): readonly FieldError[] {
  const isResource = of['x-kubernetes-embedded-resource'] === true;
  const around: Surrounding | undefined = isResource ? undefined : meta;
  const { items, properties } = otherSchemas(of, kube);
  const inItem: Surrounding | undefined = around && (it => around([it]));
  const own = of.default === undefined ? [] : ofDefault(of, of.default, at.child('default'), kube, around);
  const found: FieldError[] = [...own];
  if (items !== undefined) {
    for (const it of innerErrors(items, at.child('items'), kube, inItem)) found.push(it);
  }
  for (const [name, it] of properties) {
    const isMeta = isResource && META_FIELDS.has(name);
    const inField: Surrounding | undefined =
      around !== undefined || isMeta ? value => (around ?? same)({ [name]: value }) : undefined;
    for (const error of innerErrors(it, at.child('properties').key(name), kube, inField)) found.push(error);
  }
  return found;
}

/** Outside of metadata the errors depend on the schema alone. */
function innerErrors(of: SchemaProps, at: FieldPath, kube: Kube, meta: Surrounding | undefined): readonly FieldError[] {
  const find = (): readonly FieldError[] => errorsBelow(of, at, kube, meta);
  return meta === undefined ? [...kube.parts.unlessNone('errors of defaults', of, find)] : find();
}

const same: Surrounding = it => it;

function ofDefault(
  of: SchemaProps,
  value: JsonValue,
  at: FieldPath,
  kube: Kube,
  meta: Surrounding | undefined,
): readonly FieldError[] {
  const schema = structuralOf(of);
  const level = of['x-kubernetes-embedded-resource'] === true ? 'root' : 'inner';
  const isPruned = meta !== undefined || keyOf(pruned(value, schema, level)) === keyOf(value);
  const unpruned = isPruned ? [] : [invalid(at, value, 'must not have unknown fields')];
  const named = meta === undefined ? nameErrors(of, value, at, kube) : metadataErrors(value, at, meta, kube);
  if (named.length > 0) return [...unpruned, ...named];
  // Upstream does not translate int-or-string into types here.
  const { 'x-kubernetes-int-or-string': _, ...plain } = schema;
  const ofSchema = schemaErrors(value, plain, { kube, base: at });
  if (ofSchema.length > 0) return [...unpruned, ...ofSchema];
  const run = { cel: kube.cel, parts: kube.parts, wrongRules: 'reported' } as const;
  const updated = ruleErrors(value, schema, at, level, { ...run, before: { value } });
  return [...unpruned, ...(updated.length > 0 ? updated : ruleErrors(value, schema, at, level, run))];
}

function nameErrors(of: SchemaProps, value: JsonValue, at: FieldPath, kube: Kube): readonly FieldError[] {
  const schema = structuralOf(of);
  const coerced = coercionError(value, schema, at, kube);
  return coerced === undefined ? embeddedErrors(value, schema, at) : [coerced];
}

/** A default of metadata is judged in a resource that has it. */
function metadataErrors(value: JsonValue, at: FieldPath, meta: Surrounding, kube: Kube): readonly FieldError[] {
  const whole: JsonObject = {
    kind: 'Validation',
    apiVersion: 'validation/v1',
    ...asObject(meta(value)),
  };
  const schema = { 'x-kubernetes-embedded-resource': true };
  const coerced = coercionError(whole, schema, FieldPath.root, kube);
  const problems = coerced === undefined ? [...resourceErrors(whole, FieldPath.root)] : [coerced];
  const texts = problems.map(it => `${it.at.toString()}: ${it.detail}`);
  return texts.length === 0 ? [] : [invalid(at, value, `must result in valid metadata: ${texts.join(', ')}`)];
}
