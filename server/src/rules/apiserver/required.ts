import { asText, type JsonValue } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { type ReportedError, reportedErrors, serverFinding } from './answer';
import { fieldMatches } from './fieldMatches';
import { REQUIRED } from './fields';
import { requiredFieldFixes } from './fixes/requiredFieldFixes';
import { message } from './messages/sentences';
import { required } from './validate/errors';

export default defineRule<ReportedError>({
  meta: {
    code: 'apiserver/required',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    isGeneral: true,
    summary: 'A field that must have a value is empty or missing.',
    why: 'The API server refuses the object.',
    remedy: 'Give the field a value.',
    details: 'For these fields an empty text, an empty list and zero count as missing.',
    source: { project: 'kubernetes', symbol: 'field.Required', fidelity: 'same' },
  },
  on: 'any',

  *check(target, context) {
    const answer = reportedErrors(target, context, ['FieldValueRequired']);
    if (answer !== undefined) {
      yield* answer;
      return;
    }
    if (target.kind?.origin !== 'built-in') return;
    if (needsName(target)) {
      yield serverFinding(required(FieldPath.of('metadata', 'name'), 'name or generateName is required'), target);
    }
    for (const [pattern, detail] of fieldsOf(target)) {
      for (const { at, value } of fieldMatches(pattern, target)) {
        if (isEmpty(value)) yield serverFinding(required(at, detail), target);
      }
    }
  },

  message: ({ facts }) => message(facts),

  fixes: ({ at, facts }, target, context, edit) =>
    requiredFieldFixes({ error: facts.error, at, target, context, edit }),
});

/** Groups of reviews, which the server answers and never stores. Upstream: the Create functions of their REST storages. */
const REVIEWS: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

/** The server generates a name if there is a prefix. The names of LimitRanges and reviews are not validated. */
function needsName({ object, value }: RuleTarget): boolean {
  if (REVIEWS.has(object.group)) return false;
  const names = [fieldAt(value, 'metadata', 'name'), fieldAt(value, 'metadata', 'generateName')];
  return object.kind !== 'LimitRange' && names.every(it => asText(it) === undefined);
}

function fieldsOf(target: RuleTarget): readonly (readonly [string, string])[] {
  const ofPods = podSpecOf(target) === undefined ? {} : REQUIRED.pods;
  const { kind } = target.object;
  return Object.entries({ ...ofPods, ...(Object.hasOwn(REQUIRED, kind) ? REQUIRED[kind] : {}) });
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
