import type { JsonObject, JsonValue } from '../../../base/json';
import type { Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';

/** Upstream: k8s.io/apimachinery/pkg/util/validation/field.ErrorType, by the names that causes carry on the wire. */
export type ErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One complaint of the API server about one field. `detail` is upstream's text behind the colon. */
export interface FieldError {
  readonly type: ErrorType;
  readonly at: FieldPath;
  readonly detail: string;
  /** The value that upstream prints; absent where it prints none (Required, Forbidden, TooLong). */
  readonly value?: JsonValue;
  /** So many equal errors after this one are counted and not made. */
  readonly more?: number;
}

/** So many equal errors about one list are made. */
export const MOST_EQUAL = 1_000;

/** An error as often as upstream tells it; of very many the last one counts the others. */
export function manyTimes(error: FieldError, times: number, most = MOST_EQUAL): readonly FieldError[] {
  if (times <= most) return Array.from({ length: times }, () => error);
  const made = Array.from({ length: most - 1 }, () => error);
  return [...made, { ...error, more: times - most }];
}

/** Upstream's text of a warning; `more`: so many others like it are counted and not written out. */
export type Warning = string | { readonly text: string; readonly more: number };

export const textOfWarning = (warning: Warning): string => (typeof warning === 'string' ? warning : warning.text);

/** What an answer depends on beside the object. */
export interface Validation {
  readonly kube: Kube;
  isOn(gate: string): boolean;
}

/** What the server's strategy for one kind does on create, each a pure function of the object. */
export interface KindStrategy {
  /** The object after upstream's defaulting functions. */
  defaults?(object: JsonObject, validation: Validation): JsonObject;
  /** Paths that PrepareForCreate removes without a word at these gates, and the object without them. */
  drop?(
    object: JsonObject,
    validation: Validation,
  ): { readonly object: JsonObject; readonly dropped: readonly FieldPath[] };
  /** Field errors of the object after defaults and drops, ObjectMeta included, in upstream's order. */
  validate(object: JsonObject, validation: Validation): Iterable<FieldError>;
  /** Upstream's warning texts for the object as it is stored. */
  warn?(object: JsonObject, validation: Validation): readonly Warning[];
}

export const required = (at: FieldPath, detail = ''): FieldError => ({ type: 'FieldValueRequired', at, detail });
export const forbidden = (at: FieldPath, detail: string): FieldError => ({ type: 'FieldValueForbidden', at, detail });
export const invalid = (at: FieldPath, value: JsonValue, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  at,
  detail,
  value,
});
export const duplicate = (at: FieldPath, value: JsonValue): FieldError => ({
  type: 'FieldValueDuplicate',
  at,
  detail: '',
  value,
});
export const notFound = (at: FieldPath, value: JsonValue): FieldError => ({
  type: 'FieldValueNotFound',
  at,
  detail: '',
  value,
});
/** Upstream lists the choices in alphabetical order, quoted. */
export const notSupported = (at: FieldPath, value: JsonValue, choices: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  at,
  detail: `supported values: ${[...choices]
    .sort()
    .map(it => JSON.stringify(it))
    .join(', ')}`,
  value,
});
export const tooLong = (at: FieldPath, max: number): FieldError => ({
  type: 'FieldValueTooLong',
  at,
  detail: `may not be more than ${max} bytes`,
});
export const tooMany = (at: FieldPath, count: number, max: number): FieldError => ({
  type: 'FieldValueTooMany',
  at,
  detail: `must have at most ${max} items`,
  value: count,
});

/** One Invalid for every message about a value. */
export function invalids(at: FieldPath, value: JsonValue, messages: readonly string[]): readonly FieldError[] {
  return messages.map(it => invalid(at, value, it));
}

/** NotSupported with the choices as upstream lists them, where it does not sort. */
export function notAmong(at: FieldPath, value: JsonValue, choices: readonly string[]): FieldError {
  return {
    type: 'FieldValueNotSupported',
    at,
    detail: `supported values: ${choices.map(it => JSON.stringify(it)).join(', ')}`,
    value,
  };
}
