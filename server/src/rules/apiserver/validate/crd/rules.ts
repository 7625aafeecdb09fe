import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { walkNodes } from '../../../../kube/cel/ast';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { failureOf } from '../../../../kube/cel/environment';
import type { CelNode } from '../../../../kube/cel/library';
import { record } from '../../../../kube/goFields';
import type { StructuralSchema, ValidationRule } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { FieldError } from '../errors';
import { fieldSchema } from './structural';

/**
 * The errors of a schema's CEL rules on create: rules that use the old object do not run. A rule that this engine
 * cannot evaluate reports nothing. Upstream: schema/cel.Validator.
 */
export function ruleErrors(
  whole: JsonObject,
  schema: StructuralSchema,
  root: FieldPath,
  { rule }: CelCompilers,
): readonly FieldError[] {
  const seen = { ...whole, metadata: namesOnly(record(whole, 'metadata') ?? {}) };
  return errorsBelow(seen, schema, root, rule);
}

type Compile = CelCompilers['rule'];

/** Rules see only the names of metadata. */
function namesOnly({ name, generateName }: JsonObject): JsonObject {
  return { ...(name !== undefined && { name }), ...(generateName !== undefined && { generateName }) };
}

function errorsBelow(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  compile: Compile,
): readonly FieldError[] {
  if (value === null) return [];
  const rules = [schema, ...(schema.allOf ?? [])].flatMap(it => it['x-kubernetes-validations'] ?? []);
  return [
    ...rules.flatMap(it => (holds(it, value, schema, compile) ? [] : [ruleError(it, value, at)])),
    ...(Array.isArray(value)
      ? (value as readonly JsonValue[]).flatMap((it, i) =>
          schema.items === undefined ? [] : errorsBelow(it, schema.items, at.index(i), compile),
        )
      : Object.entries(asObject(value) ?? {}).flatMap(([name, it]) => {
          const inner = fieldSchema(schema, name);
          return inner === undefined ? [] : errorsBelow(it, inner, at.child(name), compile);
        })),
  ];
}

function holds(
  { rule, optionalOldSelf }: ValidationRule,
  value: JsonValue,
  schema: StructuralSchema,
  compile: Compile,
): boolean {
  const checked = compile(rule);
  if (!('root' in checked) || (usesOldSelf(checked.root) && optionalOldSelf !== true)) return true;
  if (optionalOldSelf === true) return true;
  try {
    return checked.run({ self: celValue(value, schema) }) === true;
  } catch (error) {
    return 'undecided' in failureOf(error);
  }
}

function usesOldSelf(root: CelNode): boolean {
  return [...walkNodes(root)].some(it => it.op === 'id' && it.args === 'oldSelf');
}

function ruleError(
  { rule, message, reason, fieldPath = '' }: ValidationRule,
  value: JsonValue,
  at: FieldPath,
): FieldError {
  const names = fieldPath.match(/[^.[\]'"]+/g) ?? [];
  const detail = message?.trim() || `failed rule: ${rule.trim()}`;
  const place = at.child(...names);
  const isPlain = typeof value !== 'object';
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
      return { type: reason, at: place, detail };
    default:
      return { type: reason ?? 'FieldValueInvalid', at: place, detail, ...(isPlain && { value }) };
  }
}

/**
 * Names that CEL reserves, which rules write with underscores around them. Upstream: k8s.io/apiserver/pkg/cel.Escape.
 */
const reserved =
  /^(true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

function escaped(name: string): string {
  if (reserved.test(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}

/** A value in CEL's types: whole numbers are integers, field names of objects are escaped, keys of maps are not. */
function celValue(value: JsonValue, schema: StructuralSchema): unknown {
  if (typeof value === 'number') return schema.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(it => celValue(it, schema.items ?? {}));
  const object = asObject(value);
  if (object === undefined) return value;
  return new Map(
    Object.entries(object).map(([name, it]) => [
      schema.properties === undefined ? name : escaped(name),
      celValue(it, fieldSchema(schema, name) ?? {}),
    ]),
  );
}
