import type { JsonValue } from '../../../../base/json';
import { asObject } from '../../../../base/json';
import type { PartMemo } from '../../../../base/partMemo';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { type DeclType, escapedName } from '../../../../kube/cel/declType';
import type { StructuralSchema } from '../../../../kube/kube';
import { schemaDeclType } from '../../../../kube/schemaType';
import { fieldSchema } from '../../../../kube/structuralSchema';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';
import { entryAt } from './lists';
import { type Before, type CostBudget, outOfBudget, type PlannedRule, plannedRules, runRules } from './ruleRun';

/** What rules are judged with. The errors of rules that do not compile are those of a schema that is being written. */
export interface SchemaRuleRun {
  readonly cel: Pick<CelCompilers, 'ofStoredSchema'>;
  readonly parts: PartMemo;
  readonly wrongRules: 'reported' | 'left out';
  readonly before?: Before;
}

/** Upstream: celconfig.RuntimeCELCostBudget. */
const MOST_COST = 10_000_000;

/**
 * The errors of a schema's CEL rules, as far as their cost allows. On create, rules that use the old object run only if
 * that is optional. A rule that this engine cannot evaluate reports nothing. `level` is root for the schema of a whole
 * resource. Upstream: schema/cel.Validator.
 */
export function ruleErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  level: 'root' | 'inner',
  run: SchemaRuleRun,
): readonly FieldError[] {
  if (!hasRules(schema, run.parts)) return [];
  const type = schemaDeclType(schema, level, run.parts);
  const errors: FieldError[] = [];
  runBelow({ value, before: run.before, at }, { schema, type, level }, { run, budget: { left: MOST_COST }, errors });
  return errors;
}

/** Whether a schema has CEL rules anywhere. Upstream: hasXValidations. */
export function hasRules(schema: StructuralSchema, parts: PartMemo): boolean {
  const { properties = {}, items, additionalProperties, allOf = [] } = schema;
  const isAny = (it: StructuralSchema): boolean => hasRules(it, parts);
  return parts.of(
    'whether there are rules',
    schema,
    () =>
      schema['x-kubernetes-validations'] !== undefined ||
      allOf.some(isAny) ||
      (items !== undefined && isAny(items)) ||
      (typeof additionalProperties === 'object' && isAny(additionalProperties)) ||
      Object.values(properties).some(isAny),
  );
}

/** A schema, and its CEL type if there is one. */
interface Typed {
  readonly schema: StructuralSchema;
  readonly type: DeclType | undefined;
  readonly level: 'root' | 'inner';
}

/** A value where it stands, and what it was before. */
interface Place {
  readonly value: JsonValue;
  readonly before: Before | undefined;
  readonly at: FieldPath;
}

interface Progress {
  readonly run: SchemaRuleRun;
  readonly budget: CostBudget;
  readonly errors: FieldError[];
}

/** Runs the rules of a value and of all below, until the budget is spent. */
function runBelow(place: Place, node: Typed, progress: Progress): void {
  const { value, before, at } = place;
  const { schema } = node;
  if (value === null || progress.budget.left < 0 || !hasRules(schema, progress.run.parts)) return;
  ownErrors(place, node, progress);
  if (Array.isArray(value)) {
    if (schema.items === undefined) return;
    const inner: Typed = { schema: schema.items, type: node.type?.elem, level: levelOf(schema.items) };
    // Items are compared only in lists of type map; a default is compared with itself.
    const isSame = schema['x-kubernetes-list-type'] === 'map' && before?.value === value;
    for (const [i, it] of (value as readonly JsonValue[]).entries()) {
      runBelow({ value: it, before: isSame ? beforeOf(it) : undefined, at: at.index(i) }, inner, progress);
    }
    return;
  }
  const old = asObject(before?.value);
  for (const [name, it] of Object.entries(asObject(value) ?? {})) {
    const inner = fieldNode(node, name, progress.run.parts);
    if (inner === undefined) continue;
    runBelow({ value: it, before: beforeOf(old?.[name]), at: entryAt(schema, name, at) }, inner, progress);
  }
}

const beforeOf = (value: JsonValue | undefined): Before | undefined =>
  value === undefined || value === null ? undefined : { value };

const levelOf = (schema: StructuralSchema): 'root' | 'inner' =>
  schema['x-kubernetes-embedded-resource'] === true ? 'root' : 'inner';

/** Upstream: validateExpressions. */
function ownErrors({ value, before, at }: Place, node: Typed, { run, budget, errors }: Progress): void {
  const rules = rulesOf(node, run);
  if (rules === undefined) {
    if (run.wrongRules === 'left out') return;
    const detail = 'rule compiler initialization error: failed to convert to declType for CEL validation rules';
    errors.push(invalid(at, node.schema.type ?? '', detail));
    return;
  }
  if (rules.length === 0) return;
  if (budget.left <= 0) {
    budget.left = -1;
    errors.push(outOfBudget(at, node.schema.type ?? ''));
    return;
  }
  const { schema, level } = node;
  for (const each of runRules(rules, { value, before, schema, level }, at, budget, run.wrongRules)) errors.push(each);
}

/** The rules of a schema, compiled once; undefined for some without a type. */
function rulesOf({ schema, type, level }: Typed, { cel, parts }: SchemaRuleRun): readonly PlannedRule[] | undefined {
  const rules = [schema, ...(schema.allOf ?? [])].flatMap(it => it['x-kubernetes-validations'] ?? []);
  if (rules.length === 0) return [];
  return type && parts.of(`rules ${level}`, schema, () => plannedRules(rules, cel.ofStoredSchema(type)));
}

/** The schema of a field; rules of a field without a type do not run. */
function fieldNode({ schema, type }: Typed, name: string, parts: PartMemo): Typed | undefined {
  const inner = fieldSchema(schema, name);
  if (inner === undefined) return undefined;
  const level = levelOf(inner);
  if (type?.elem !== undefined) return { schema: inner, type: type.elem, level };
  const escaped = escapedName(name);
  const known = escaped === undefined ? schemaDeclType(inner, level, parts) : type?.fields?.get(escaped);
  return known && { schema: inner, type: known, level };
}
