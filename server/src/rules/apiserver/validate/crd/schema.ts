import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { jsonText } from '../../../../base/printed';
import type { Kube, StructuralSchema } from '../../../../kube/kube';
import { hasField } from '../../../../kube/structuralSchema';
import { FieldPath } from '../../../../manifest/fieldPath';
import {
  createFirstOfEachType,
  type FieldError,
  invalid,
  MOST_ERRORS,
  notAmong,
  required,
  tooLong,
  tooMany,
} from '../errors';
import { formatError, isTextFormat } from './formats';
import { keyOf } from './keys';
import { isInteger, numberErrors } from './numbers';

/** How values are checked. */
export interface Checking {
  readonly kube: Pick<Kube, 'cel' | 'minor' | 'parts'>;
  /** The path of the whole value: the root for a custom resource. */
  readonly base: FieldPath;
}

/** Errors, and the number of checks that held, by which alternatives are compared. Upstream: validate.Result. */
interface Result {
  readonly errors: readonly FieldError[];
  readonly matches: number;
}

/**
 * The errors of a value according to its schema. Upstream: kube-openapi validate.SchemaValidator, by
 * kubeOpenAPIResultToFieldErrors.
 */
export function schemaErrors(value: JsonValue, schema: StructuralSchema, checking: Checking): readonly FieldError[] {
  return eachOnce(resultOf(value, schema, checking.base, checking).errors);
}

function eachOnce(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors;
  if (errors.length <= FEW) return errors.filter((it, i) => errors.findIndex(other => isSame(it, other)) === i);
  const seen = new Map<string, string | Set<string>>();
  // A detail may hold all choices of a long list: it is put into no other text.
  return errors.filter(({ type, at, detail }) => {
    const key = `${type} ${at.toString()}`;
    const before = seen.get(key);
    if (before === undefined) seen.set(key, detail);
    else if (typeof before === 'string') return before !== detail && seen.set(key, new Set([before, detail]));
    else return !before.has(detail) && before.add(detail);
    return true;
  });
}

/** So many errors are compared with each other; of more, keys are made. */
const FEW = 8;

function isSame(a: FieldError, b: FieldError): boolean {
  return (
    a === b || (a.type === b.type && a.detail === b.detail && (a.at === b.at || a.at.toString() === b.at.toString()))
  );
}

const NO_ERRORS: readonly FieldError[] = [];

function resultOf(value: JsonValue, schema: StructuralSchema, at: FieldPath, checking: Checking): Result {
  const ofType = typeErrors(value, schema, at, checking);
  if (value === null) return { errors: [...ofType, ...enumErrors(value, schema, at, checking)], matches: 0 };
  const object = asObject(value);
  const parts: Result[] = [];
  if (schema.type !== undefined || schema['x-kubernetes-int-or-string'] || schema.format !== undefined) {
    parts.push({ errors: ofType, matches: ofType.length === 0 ? 2 : 1 });
  }
  const combined = combinedResult(value, schema, at, checking);
  parts.push({ errors: combined.errors, matches: combined.matches + 1 });
  if (typeof value === 'string') parts.push(textResult(value, schema, at, checking));
  if (typeof value === 'number' || typeof value === 'bigint') {
    const place = { at, name: () => nameOf(at, checking) };
    const errors = numberErrors(value, schema, place, it => composite(at, it, checking), checking.kube);
    parts.push({ errors, matches: 2 });
  }
  if (Array.isArray(value)) parts.push(listResult(value as readonly JsonValue[], schema, at, checking));
  parts.push({ errors: enumErrors(value, schema, at, checking), matches: 1 });
  if (object !== undefined) parts.push(objectResult(object, schema, at, checking));
  const { errors, matches } = merged(parts, 1);
  // Errors are told twice only of one value: by its schema and by those that this one combines.
  return { errors: fits(combined) ? errors : eachOnce(errors), matches };
}

/** Of very many errors only the first of each type are held. */
function merged(parts: Iterable<Result>, start: number): Result {
  let matches = start;
  const failed: (readonly FieldError[])[] = [];
  let held = 0;
  let first: ReturnType<typeof createFirstOfEachType> | undefined;
  for (const it of parts) {
    matches += it.matches;
    if (fits(it)) continue;
    held += it.errors.length;
    failed.push(it.errors);
    if (held <= MOST_ERRORS) continue;
    first ??= createFirstOfEachType();
    for (const errors of failed) for (const error of errors) first.add(error);
    failed.length = 0;
  }
  if (first !== undefined) return { errors: first.errors(), matches };
  return { errors: failed.length < 2 ? (failed[0] ?? NO_ERRORS) : failed.flat(), matches };
}

/** An error with go-openapi's message, which repeats the path below the whole value. */
const openApiError = (at: FieldPath, value: JsonValue, rule: string, checking: Checking): FieldError =>
  invalid(at, value, `${nameOf(at, checking)} in body ${rule}`);

/** Of most errors nobody sees the text, so that it is not cut where nothing is to be cut off: that would copy it. */
const nameOf = (at: FieldPath, { base }: Checking): string =>
  base === FieldPath.root ? at.toString() : at.toString().slice(base.toString().length).replace(/^\./, '');

/** An error for which upstream has no path: it has that of the whole value, and none for a custom resource. */
function composite(at: FieldPath, detail: string, { base }: Checking): FieldError {
  if (base !== FieldPath.root) return invalid(base, '', detail);
  return { type: 'FieldValueInvalid', at, detail, value: '', field: '<nil>' };
}

/** Upstream: typeValidator, which does not look at the type of text and lists with a format. */
function typeErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  checking: Checking,
): readonly FieldError[] {
  const isOfOneType = schema['x-kubernetes-int-or-string'] !== true;
  if (isOfOneType && (schema.type === undefined ? schema.format === undefined : schema.type === typeName(value)))
    return NO_ERRORS;
  const wanted = schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : [schema.type ?? []].flat();
  const given = typeName(value);
  const isFine =
    wanted.includes(given) ||
    (given === 'integer' && wanted.includes('number')) ||
    (value === null && (schema.nullable === true || wanted.length === 0));
  const isTextual = typeof value === 'string' || Array.isArray(value);
  const isNumeric = wanted.includes('number') || wanted.includes('integer');
  const { format } = schema;
  if (isFine || (wanted.length === 0 && format === undefined)) return NO_ERRORS;
  if (format !== undefined && isTextual && !isNumeric) return [];
  const names = format !== undefined && value !== null && !isTextual ? format : wanted.join(',');
  const detail = `${nameOf(at, checking)} in body must be of type ${names}: "${given}"`;
  return [{ type: 'FieldValueTypeInvalid', at, value, detail }];
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' || typeof value === 'bigint') return isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** null is never among the choices. */
function enumErrors(
  value: JsonValue,
  schema: StructuralSchema,
  at: FieldPath,
  { kube }: Checking,
): readonly FieldError[] {
  const written = (schema.enum ?? []) as readonly JsonValue[];
  if (written.length === 0) return NO_ERRORS;
  const { isAmong, detail } = kube.parts.of('choices', written, () => choicesOf(written));
  if (value !== null && isAmong(value)) return NO_ERRORS;
  return [{ type: 'FieldValueNotSupported', at, value, detail }];
}

interface Choices {
  readonly isAmong: (value: JsonValue) => boolean;
  readonly detail: string;
}

/** A fraction is cut off before it is compared with a whole number, as by Go. */
function choicesOf(written: readonly JsonValue[]): Choices {
  const keys = new Set(written.flatMap(it => (it === null ? [] : [keyOf(it)])));
  const integers = new Set(written.filter(it => Number.isInteger(it)));
  const names = written.map(it => (typeof it === 'string' ? it : jsonText(it)));
  return {
    isAmong: value => (typeof value === 'number' && integers.has(Math.trunc(value))) || keys.has(keyOf(value)),
    detail: notAmong(FieldPath.root, '', names).detail,
  };
}

/** Only the first error of the lengths and the pattern is reported. Upstream: stringValidator, formatValidator. */
function textResult(value: string, schema: StructuralSchema, at: FieldPath, checking: Checking): Result {
  const length = [...value].length;
  const { maxLength, minLength, pattern, format } = schema;
  const isKnown = format !== undefined && isTextFormat(format);
  const isWrong = isKnown && formatError(value, format) !== undefined;
  const first =
    maxLength !== undefined && length > maxLength
      ? [tooLong(at, maxLength)]
      : minLength !== undefined && length < minLength
        ? [openApiError(at, value, `should be at least ${minLength} chars long`, checking)]
        : pattern !== undefined && !isMatch(value, pattern, checking.kube)
          ? [openApiError(at, value, `should match '${pattern}'`, checking)]
          : [];
  const matches = isKnown ? 2 : 1;
  if (!isWrong) return { errors: first, matches };
  const detail = `${nameOf(at, checking)} in body must be of type ${format}: ${JSON.stringify(value)}`;
  return { errors: [...first, { type: 'FieldValueTypeInvalid', at, value, detail }], matches };
}

/** Every value matches a pattern that Go refuses, and one that could take too long. */
function isMatch(value: string, pattern: string, { cel }: Pick<Kube, 'cel'>): boolean {
  const compiled = cel.pattern(pattern);
  return !('regex' in compiled) || compiled.regex.matches(value) !== false;
}

function listResult(value: readonly JsonValue[], schema: StructuralSchema, at: FieldPath, checking: Checking): Result {
  const { items, minItems, maxItems, uniqueItems } = schema;
  // The item of a value that is itself the list is named like a field.
  const itemAt = (i: number): FieldPath =>
    at === checking.base && at !== FieldPath.root ? at.child(`[${i}]`) : at.index(i);
  const own = [
    ...(minItems !== undefined && value.length < minItems
      ? [openApiError(at, value.length, `should have at least ${minItems} items`, checking)]
      : []),
    ...(maxItems !== undefined && value.length > maxItems ? [tooMany(at, value.length, maxItems)] : []),
    ...(uniqueItems === true && new Set(value.map(keyOf)).size < value.length
      ? [openApiError(at, value, "shouldn't contain duplicates", checking)]
      : []),
  ];
  return merged(itemResults(value, items, itemAt, checking, { errors: own, matches: 0 }), 2);
}

function* itemResults(
  value: readonly JsonValue[],
  items: StructuralSchema | undefined,
  itemAt: (i: number) => FieldPath,
  checking: Checking,
  own: Result,
): Iterable<Result> {
  if (items !== undefined) for (const [i, it] of value.entries()) yield resultOf(it, items, itemAt(i), checking);
  yield own;
}

function objectResult(value: JsonObject, schema: StructuralSchema, at: FieldPath, checking: Checking): Result {
  const { minProperties, maxProperties, required: names = [], properties = {}, additionalProperties } = schema;
  const count = Object.keys(value).length;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const of = hasField(properties, name) ? properties[name] : values;
    return of === undefined ? [] : [resultOf(item, of, at.child(name), checking)];
  });
  const extra = additionalProperties === false ? Object.keys(value).filter(it => !hasField(properties, it)) : [];
  const own = [
    ...(minProperties !== undefined && count < minProperties
      ? [openApiError(at, count, `should have at least ${minProperties} properties`, checking)]
      : []),
    ...(maxProperties !== undefined && count > maxProperties ? [tooMany(at, count, maxProperties)] : []),
    ...extra.map(it => invalid(at, it, `${at.toString()}.${it} in body is a forbidden property`)),
  ];
  const missing = names.filter(it => !Object.hasOwn(value, it)).map(it => required(at.child(it)));
  return merged([{ errors: own, matches: 0 }, ...inner, { errors: missing, matches: 0 }], 1);
}

/** allOf, anyOf, oneOf and not. Of alternatives that fail, the one with most checks that held is reported. */
function combinedResult(value: JsonValue, schema: StructuralSchema, at: FieldPath, checking: Checking): Result {
  const resultsOf = (all: readonly StructuralSchema[]): readonly Result[] =>
    all.map(it => resultOf(value, it, at, checking));
  const say = (rule: string): Result => ({
    errors: [composite(at, `"${nameOf(at, checking)}" ${rule}`, checking)],
    matches: 0,
  });
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return { errors: NO_ERRORS, matches: 1 };
  const ofAll = resultsOf(allOf);
  const ofAny = resultsOf(anyOf);
  const ofOne = resultsOf(oneOf);
  const anyFits = ofAny.find(fits);
  const oneFits = ofOne.filter(fits);
  const found = oneFits.length === 0 ? 'none valid' : `${oneFits.length} valid alternatives`;
  const failed = ofAll.filter(it => !fits(it)).length;
  const parts: readonly Result[] = [
    ...(ofAny.length > 0 && anyFits === undefined ? [say('must validate at least one schema (anyOf)')] : []),
    ...(ofAny.length > 0 ? [anyFits ?? best(ofAny)] : []),
    ...(ofOne.length > 0 && oneFits.length !== 1
      ? [say(`must validate one and only one schema (oneOf). Found ${found}`)]
      : []),
    ...(ofOne.length > 0 && oneFits.length < 2 ? [oneFits[0] ?? best(ofOne)] : []),
    ...ofAll,
    ...(failed > 0
      ? [say(`must validate all the schemas (allOf)${failed === allOf.length ? '. None validated' : ''}`)]
      : []),
    ...(not !== undefined && fits(resultOf(value, not, at, checking))
      ? [say('must not validate the schema (not)')]
      : []),
  ];
  return merged(parts, 1);
}

const fits = ({ errors }: Result): boolean => errors.length === 0;

const best = (all: readonly Result[]): Result =>
  all.reduce((found, it) => (it.matches > found.matches ? it : found), all[0] ?? { errors: [], matches: 0 });
