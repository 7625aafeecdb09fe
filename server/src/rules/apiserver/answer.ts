import type { JsonObject, JsonValue } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { placeOfCompileError } from '../../kube/cel/position';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import { valueAt } from '../../manifest/valueAt';
import type { Finding, RuleContext, RuleTarget } from '../framework/rule';
import { locationInText } from './locate';
import { answerOf, type ServerAnswer } from './validate/engine';
import type { ErrorType, FieldError } from './validate/errors';

export interface ReportedError {
  readonly error: FieldError;
  /** Whether the field is in the text. */
  readonly field: 'written' | 'empty' | 'missing';
}

/** The API server's answer for the object, computed once; undefined for a kind without a strategy. */
export function answerFor(target: RuleTarget, { kube, answers }: RuleContext): ServerAnswer | undefined {
  const known = answers?.get('apiserver') as ServerAnswer | undefined;
  if (known !== undefined) return known;
  const answer = keptAnswer(target, kube);
  if (answer !== undefined) answers?.set('apiserver', answer);
  return answer;
}

/**
 * The API server's answer, which is kept for what makes Pods: its rules, and placements, for which the server must have
 * accepted it, are about the same object.
 */
export function keptAnswer({ value, kind }: RuleTarget, kube: Kube): ServerAnswer | undefined {
  if (kind === undefined || !holdsPods(kind.group, kind.kind)) return answerOf(value, kind, kube);
  const kept = answersOf(kube);
  const known = kept.get(value);
  if (known !== undefined) return known;
  const answer = answerOf(value, kind, kube);
  if (answer !== undefined) kept.set(value, answer);
  return answer;
}

const answersOf = lazyByObject((_: Kube) => new WeakMap<JsonObject, ServerAnswer>());

/** The errors of some types as findings; undefined for a kind without a strategy. */
export function reportedErrors(
  target: RuleTarget,
  context: RuleContext,
  types: readonly ErrorType[],
): readonly Finding<ReportedError>[] | undefined {
  return answerFor(target, context)
    ?.errors.filter(it => types.includes(it.type))
    .map(error => serverFinding(error, target));
}

/** One error of the API server as a finding at its location in the text. */
export function serverFinding(error: FieldError, { value }: RuleTarget): Finding<ReportedError> {
  const place = locationInText(error, value);
  const present = valueAt(value, place.at);
  const within = typeof present === 'string' ? placeOfCompileError(present, error.detail) : undefined;
  return {
    ...place,
    ...(within && { within }),
    errorType: error.type,
    fieldPath: error.field ?? error.at.toString(),
    ...(error.more !== undefined && { more: error.more }),
    facts: { error, field: present === undefined ? 'missing' : isEmpty(present) ? 'empty' : 'written' },
  };
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === null;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
