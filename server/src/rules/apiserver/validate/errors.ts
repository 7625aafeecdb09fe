import type { JsonObject, JsonValue } from '../../../base/json';
import type { Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';

/** Upstream: k8s.io/apimachinery/pkg/util/validation/field.ErrorType, by the names in the causes of a response. */
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

/** One error of the API server about one field. `detail` is upstream's text after the colon. */
export interface FieldError {
  readonly type: ErrorType;
  readonly at: FieldPath;
  readonly detail: string;
  /** The value that upstream prints; absent where it prints none (Required, Forbidden, TooLong). */
  readonly value?: JsonValue;
  /** The field as the server prints it, where that is not the path. */
  readonly field?: string;
  /** How many equal errors are counted but not listed after this one. */
  readonly more?: number;
  /** What a CEL rule of a CustomResourceDefinition came to: it does not hold, or it has no answer. */
  readonly rule?: 'broken' | 'unanswered';
}

/** How many equal errors about one list are listed. */
export const MOST_EQUAL = 1_000;

/** An error as often as upstream reports it; if there are very many, the last one counts the rest. */
export function manyTimes(error: FieldError, times: number, most = MOST_EQUAL): readonly FieldError[] {
  if (times <= most) return Array.from({ length: times }, () => error);
  const made = Array.from({ length: most - 1 }, () => error);
  return [...made, { ...error, more: times - most }];
}

/** How many errors of one type are kept for one object. */
export const MOST_ERRORS = 3_000;

/** At most `MOST_ERRORS` errors of each type; the last of them counts the rest. */
export function firstOfEachType(all: Iterable<FieldError>): readonly FieldError[] {
  const first = createFirstOfEachType();
  for (const error of all) first.add(error);
  return first.errors();
}

/** The same of errors that come one by one. */
export function createFirstOfEachType(): {
  readonly add: (error: FieldError) => void;
  readonly errors: () => readonly FieldError[];
} {
  const kept: FieldError[] = [];
  const groups = new Map<ErrorType, { count: number; last: number; more: number }>();
  return {
    add(error) {
      const group = groups.get(error.type) ?? { count: 0, last: 0, more: 0 };
      if (group.count === 0) groups.set(error.type, group);
      group.count += 1;
      if (group.count > MOST_ERRORS) group.more += 1 + (error.more ?? 0);
      else group.last = kept.push(error) - 1;
    },
    errors() {
      const counting = [...kept];
      for (const { last, more } of groups.values()) {
        const error = kept[last];
        if (error !== undefined && more > 0) counting[last] = { ...error, more: more + (error.more ?? 0) };
      }
      return counting;
    },
  };
}

/** Upstream's text of a warning; `more`: how many similar warnings are counted but not listed. */
export type Warning = string | { readonly text: string; readonly more: number };

export const textOfWarning = (warning: Warning): string => (typeof warning === 'string' ? warning : warning.text);

/** What an answer depends on besides the object. */
export interface Validation {
  readonly kube: Kube;
  isOn(gate: string): boolean;
}

/** The API server's strategy for one kind on create, as pure functions of the object. */
export interface KindStrategy {
  /** The object after upstream's defaulting functions. */
  defaults?(object: JsonObject, validation: Validation): JsonObject;
  /** The paths that PrepareForCreate silently removes with these gates, and the object without them. */
  drop?(
    object: JsonObject,
    validation: Validation,
  ): { readonly object: JsonObject; readonly dropped: readonly FieldPath[] };
  /** Whether fields whose gate is off stay; they are dropped when absent. */
  keepsGated?(validation: Validation): boolean;
  /** Field errors of the object after defaults and dropped fields, ObjectMeta included, in upstream's order. */
  validate(object: JsonObject, validation: Validation): Iterable<FieldError>;
  /** Upstream's warnings for the object as it is stored. */
  warn?(object: JsonObject, validation: Validation): readonly Warning[];
}

/** Strategies by `group/Kind` (`/Pod` for the core group). */
export type Strategies = Readonly<Record<string, KindStrategy>>;

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

/** One Invalid for each message about a value. */
export function invalids(at: FieldPath, value: JsonValue, messages: readonly string[]): readonly FieldError[] {
  return messages.map(it => invalid(at, value, it));
}

/** NotSupported with unsorted choices, where upstream does not sort them. */
export function notAmong(at: FieldPath, value: JsonValue, choices: readonly string[]): FieldError {
  return {
    type: 'FieldValueNotSupported',
    at,
    detail: `supported values: ${choices.map(it => JSON.stringify(it)).join(', ')}`,
    value,
  };
}
