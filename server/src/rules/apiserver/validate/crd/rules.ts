import { byteLength } from '../../../../base/byteLength';
import { asObject, type JsonValue } from '../../../../base/json';
import type { PartMemo } from '../../../../base/partMemo';
import { walkNodes } from '../../../../kube/cel/ast';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { type DeclType, escapedName } from '../../../../kube/cel/declType';
import { type CheckedExpression, failureOf } from '../../../../kube/cel/environment';
import { type CelNode, celLibrary } from '../../../../kube/cel/library';
import type { StructuralSchema, ValidationRule } from '../../../../kube/kube';
import { schemaDeclType } from '../../../../kube/schemaType';
import type { FieldPath, Segment } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';
import { resolvedPath } from './jsonPath';
import { entryAt } from './lists';
import { fieldSchema } from './structural';
import { celValue, dataProblem, isResource, resourceSchema } from './values';

/** The value before an update; absent on create. */
export interface Before {
  readonly value: JsonValue;
}

type Compile = CelCompilers['rule'];

/** What rules are judged with. `types` are those of a schema whose own rules may be wrong. */
export interface SchemaRuleRun {
  readonly cel: Pick<CelCompilers, 'rule' | 'ofStoredSchema'>;
  readonly before?: Before;
  readonly types?: PartMemo;
}

/**
 * The errors of a schema's CEL rules. On create, rules that use the old object run only if that is optional. A rule
 * that this engine cannot evaluate reports nothing. `level` is root for the schema of a whole resource. Upstream:
 * schema/cel.Validator.
 */
export function ruleErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  level: 'root' | 'inner',
  run: SchemaRuleRun,
): readonly FieldError[] {
  if (!hasRules(schema)) return [];
  const type = run.types && schemaDeclType(schema, level, run.types);
  return errorsBelow(value, { schema, type, level }, at, run);
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

/** A schema, and its CEL type if that is asked for and there is one. */
interface Typed {
  readonly schema: StructuralSchema;
  readonly type: DeclType | undefined;
  readonly level: 'root' | 'inner';
}

function errorsBelow(value: JsonValue, node: Typed, at: FieldPath, run: SchemaRuleRun): readonly FieldError[] {
  if (value === null) return [];
  const { schema, type, level } = node;
  const { before, ...rest } = run;
  const rules = [schema, ...(schema.allOf ?? [])].flatMap(it => it['x-kubernetes-validations'] ?? []);
  const seen = level === 'root' || isResource(schema) ? resourceSchema(schema) : schema;
  const own = rules.flatMap(it => errorOf(it, { value, schema: seen, type, before }, at, run));
  const below = (item: JsonValue, inner: Typed | undefined, path: FieldPath, old: JsonValue | undefined) => {
    const isKnown = old !== undefined && old !== null;
    return inner === undefined
      ? []
      : errorsBelow(item, inner, path, isKnown ? { ...rest, before: { value: old } } : rest);
  };
  if (Array.isArray(value)) {
    // Items are compared only in lists of type map; a default is compared with itself.
    const isMap = schema['x-kubernetes-list-type'] === 'map' && before?.value === value;
    const items = value as readonly JsonValue[];
    const inner = schema.items && ({ schema: schema.items, type: type?.elem, level: 'inner' } as const);
    return [...own, ...items.flatMap((it, i) => below(it, inner, at.index(i), isMap ? it : undefined))];
  }
  const old = asObject(before?.value);
  const fields = Object.entries(asObject(value) ?? {});
  return [
    ...own,
    ...fields.flatMap(([name, it]) =>
      below(it, fieldNode(node, name, run.types), entryAt(schema, name, at), old?.[name]),
    ),
  ];
}

/** The schema of a field; rules of a field without a type do not run. */
function fieldNode({ schema, type }: Typed, name: string, types: PartMemo | undefined): Typed | undefined {
  const inner = fieldSchema(schema, name);
  if (inner === undefined) return undefined;
  if (types === undefined || type?.elem !== undefined) return { schema: inner, type: type?.elem, level: 'inner' };
  const escaped = escapedName(name);
  const level = isResource(inner) ? 'root' : 'inner';
  const known = escaped === undefined ? schemaDeclType(inner, level, types) : type?.fields?.get(escaped);
  return known && { schema: inner, type: known, level: 'inner' };
}

interface Judged {
  readonly value: JsonValue;
  readonly schema: StructuralSchema;
  readonly type: DeclType | undefined;
  readonly before: Before | undefined;
}

function errorOf(rule: ValidationRule, judged: Judged, at: FieldPath, run: SchemaRuleRun): readonly FieldError[] {
  const wrong = run.types && compileProblem(rule, judged, run);
  if (wrong !== undefined) return [invalid(at, judged.schema.type ?? '', wrong)];
  const { rule: compile } = run.cel;
  const checked = compile(rule.rule);
  if (!('root' in checked)) return [];
  const isOptional = rule.optionalOldSelf === true;
  if (names(checked.root, 'oldSelf') && judged.before === undefined && !isOptional) return [];
  const variables = variablesOf(judged, isOptional);
  const told = rule.message ?? '';
  const shown = told === '' ? rule.rule.trim() : told.trim();
  const invalidData = names(checked.root, 'self') ? dataProblem(judged.value, judged.schema) : undefined;
  const result = invalidData === undefined ? resultOf(checked, variables) : { error: invalidData };
  if ('undecided' in result || ('value' in result && result.value === true)) return [];
  if ('error' in result) {
    return [invalid(at, judged.schema.type ?? '', failureText(result.error, shown))];
  }
  const detail = messageOf(rule, variables, compile) ?? (told === '' ? `failed rule: ${shown}` : shown);
  return [ruleError(rule, detail, judged, at)];
}

const failureText = (error: string, rule: string): string =>
  error.startsWith('no such overload')
    ? `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${error} evaluating rule: ${rule}`;

/** Why a rule does not compile. */
function compileProblem(
  { rule, optionalOldSelf }: ValidationRule,
  { type }: Judged,
  { cel }: SchemaRuleRun,
): string | undefined {
  if (type === undefined) {
    return 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
  }
  if (rule.trim() === '') return undefined;
  const checked = cel.ofStoredSchema(type)(rule, optionalOldSelf === true ? 'optional' : 'same');
  if ('problem' in checked) return `rule compile error: ${checked.problem}`;
  const isOther = 'type' in checked && checked.type !== 'bool';
  return isOther ? 'rule compile error: cel expression must evaluate to a bool' : undefined;
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

const names = (root: CelNode, variable: string): boolean =>
  [...walkNodes(root)].some(it => it.op === 'id' && it.args === variable);

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
