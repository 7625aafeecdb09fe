import type { Finding, RuleContext, Target } from '../rule';
import { type Answer, answerOf } from './validate/engine';
import type { ErrorType, FieldError } from './validate/errors';

export interface Told {
  readonly error: FieldError;
}

/** The server's answer to the object; undefined for a kind whose strategy is not known. Computed once per object. */
export function answerFor({ object, value, kind }: Target, { kube, answers }: RuleContext): Answer | undefined {
  const known = answers?.get(object.manifest.contentId) as Answer | undefined;
  if (known !== undefined) return known;
  const answer = answerOf(value, kind, kube);
  if (answer !== undefined) answers?.set(object.manifest.contentId, answer);
  return answer;
}

/** The errors of some types, ready for a rule; undefined for a kind whose strategy is not known. */
export function toldErrors(
  target: Target,
  context: RuleContext,
  types: readonly ErrorType[],
): readonly Finding<Told>[] | undefined {
  return answerFor(target, context)
    ?.errors.filter(it => types.includes(it.type))
    .map(error => ({
      at: error.at,
      part: error.type === 'FieldValueRequired' ? ('key' as const) : ('value' as const),
      errorType: error.type,
      facts: { error },
    }));
}

const WORDS: Readonly<Record<ErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** The error in upstream's words: `spec.containers[0].name: Invalid value: "A": …`. */
export function errorText({ type, at, value, detail }: FieldError): string {
  const shown =
    value === undefined ? undefined : JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? String(it) : it));
  return [at.toString(), WORDS[type], shown, detail === '' ? undefined : detail]
    .filter(it => it !== undefined)
    .join(': ');
}
