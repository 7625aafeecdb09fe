import { byteLength } from '../../../../base/byteLength';
import { asObject, type JsonValue } from '../../../../base/json';
import { walkNodes } from '../../../../kube/cel/ast';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { type CheckedExpression, failureOf } from '../../../../kube/cel/environment';
import { type CelNode, celLibrary } from '../../../../kube/cel/library';
import type { StructuralSchema, ValidationRule } from '../../../../kube/kube';
import type { FieldPath, Segment } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';
import { resolvedPath } from './jsonPath';
import { entryAt } from './lists';
import { fieldSchema } from './structural';
import { celValue, isResource, resourceSchema } from './values';

/** The value before an update; absent on create. */
export interface Before {
  readonly value: JsonValue;
}

type Compile = CelCompilers['rule'];

/**
 * The errors of a schema's CEL rules. On create, rules that use the old object run only if that is optional. A rule
 * that this engine cannot evaluate reports nothing. `level` is root for the schema of a whole resource. Upstream:
 * schema/cel.Validator.
 */
export function ruleErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  { rule }: CelCompilers,
  level: 'root' | 'inner',
  before?: Before,
): readonly FieldError[] {
  return hasRules(schema) ? errorsBelow(value, schema, at, rule, level, before) : [];
}

/** Whether a schema has CEL rules anywhere. Upstream: hasXValidations. */
export function hasRules({ properties = {}, items, additionalProperties, ...own }: StructuralSchema): boolean {
  return (
    own['x-kubernetes-validations'] !== undefined ||
    (own.allOf ?? []).some(hasRules) ||
    (items !== undefined && hasRules(items)) ||
    (typeof additionalProperties === 'object' && hasRules(additionalProperties)) ||
    Object.values(properties).some(hasRules)
  );
}

function errorsBelow(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  compile: Compile,
  level: 'root' | 'inner',
  before: Before | undefined,
): readonly FieldError[] {
  if (value === null) return [];
  const rules = [schema, ...(schema.allOf ?? [])].flatMap(it => it['x-kubernetes-validations'] ?? []);
  const seen = level === 'root' || isResource(schema) ? resourceSchema(schema) : schema;
  const own = rules.flatMap(it => errorOf(it, { value, schema: seen, before }, at, compile));
  const below = (item: JsonValue, inner: StructuralSchema | undefined, path: FieldPath, old: JsonValue | undefined) =>
    inner === undefined
      ? []
      : errorsBelow(
          item,
          inner,
          path,
          compile,
          'inner',
          old === undefined || old === null ? undefined : { value: old },
        );
  if (Array.isArray(value)) {
    // Items are compared only in lists of type map; a default is compared with itself.
    const isMap = schema['x-kubernetes-list-type'] === 'map' && before?.value === value;
    const items = value as readonly JsonValue[];
    return [...own, ...items.flatMap((it, i) => below(it, schema.items, at.index(i), isMap ? it : undefined))];
  }
  const old = asObject(before?.value);
  const fields = Object.entries(asObject(value) ?? {});
  return [
    ...own,
    ...fields.flatMap(([name, it]) => below(it, fieldSchema(schema, name), entryAt(schema, name, at), old?.[name])),
  ];
}

interface Judged {
  readonly value: JsonValue;
  readonly schema: StructuralSchema;
  readonly before: Before | undefined;
}

function errorOf(rule: ValidationRule, judged: Judged, at: FieldPath, compile: Compile): readonly FieldError[] {
  const checked = compile(rule.rule);
  if (!('root' in checked)) return [];
  const isOptional = rule.optionalOldSelf === true;
  if (usesOldSelf(checked.root) && judged.before === undefined && !isOptional) return [];
  const variables = variablesOf(judged, isOptional);
  const told = rule.message ?? '';
  const shown = told === '' ? rule.rule.trim() : told.trim();
  const result = resultOf(checked, variables);
  if ('undecided' in result || ('value' in result && result.value === true)) return [];
  if ('error' in result) {
    return [invalid(at, judged.schema.type ?? '', `${result.error} evaluating rule: ${shown}`)];
  }
  const detail = messageOf(rule, variables, compile) ?? (told === '' ? `failed rule: ${shown}` : shown);
  return [ruleError(rule, detail, judged, at)];
}

function variablesOf({ value, schema, before }: Judged, isOptional: boolean): Readonly<Record<string, unknown>> {
  const self = celValue(value, schema);
  const old = before && celValue(before.value, schema);
  if (!isOptional) return { self, ...(before && { oldSelf: old }) };
  const { Optional } = celLibrary();
  return { self, oldSelf: before === undefined ? Optional.none() : Optional.of(old) };
}

type Outcome = { readonly value: unknown } | ReturnType<typeof failureOf>;

function resultOf(checked: CheckedExpression, variables: Readonly<Record<string, unknown>>): Outcome {
  try {
    return { value: checked.run(variables) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Upstream: celconfig.MaxEvaluatedMessageExpressionSizeBytes. */
const LONGEST_MESSAGE = 5 * 1024;

/** The text of a message expression; undefined if it gives none. Upstream: evalMessageExpression. */
function messageOf(
  { messageExpression = '' }: ValidationRule,
  variables: Readonly<Record<string, unknown>>,
  compile: Compile,
): string | undefined {
  const checked = messageExpression === '' ? undefined : compile(messageExpression);
  if (checked === undefined || !('root' in checked)) return undefined;
  const result = resultOf(checked, variables);
  const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : '';
  return text === '' || text.includes('\n') || byteLength(text) > LONGEST_MESSAGE ? undefined : text;
}

function usesOldSelf(root: CelNode): boolean {
  return [...walkNodes(root)].some(it => it.op === 'id' && it.args === 'oldSelf');
}

function ruleError(
  { reason, fieldPath = '' }: ValidationRule,
  detail: string,
  { value, schema }: Judged,
  at: FieldPath,
): FieldError {
  const found = fieldPath === '' ? undefined : resolvedPath(fieldPath, schema, 'any notation');
  const place = found === undefined || 'problem' in found ? at : joined(at, found.at.segments);
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
      return { type: reason, at: place, detail };
    case 'FieldValueDuplicate':
      return { type: reason, at: place, detail: '', ...shownValue(value) };
    default:
      return { type: 'FieldValueInvalid', at: place, detail, ...shownValue(value) };
  }
}

const shownValue = (value: JsonValue): { readonly value?: JsonValue } => (typeof value === 'object' ? {} : { value });

function joined(at: FieldPath, segments: readonly Segment[]): FieldPath {
  return segments.reduce<FieldPath>(
    (path, it) =>
      typeof it === 'string' ? path.child(it) : typeof it === 'number' ? path.index(it) : path.key(it.key),
    at,
  );
}
