import { defineRule, type RuleTarget } from '../framework/rule';
import { isPatch } from '../reading/patches';
import { podSpecOf } from '../reading/podSpec';
import { type ReportedError, reportedErrors, serverFinding } from './answer';
import { fieldMatches } from './fieldMatches';
import { SUPPORTED } from './fields';
import { changesTo } from './fixes/fieldChanges';
import { choicesOf, message } from './messages/sentences';
import { notAmong } from './validate/errors';

export default defineRule<ReportedError>({
  meta: {
    code: 'apiserver/enum',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    isGeneral: true,
    summary: 'A field holds a word that it does not support.',
    why: 'The API server refuses the object.',
    remedy: 'Use one of the supported words. They are case-sensitive.',
    source: { project: 'kubernetes', symbol: 'field.NotSupported', fidelity: 'same' },
  },
  on: 'any',
  reads: ['objects', 'patch'],

  *check(target, context) {
    const answer = isPatch(target, context) ? undefined : reportedErrors(target, context, ['FieldValueNotSupported']);
    if (answer !== undefined) {
      yield* answer;
      return;
    }
    if (target.kind?.origin !== 'built-in') return;
    for (const [pattern, supported] of fieldsOf(target)) {
      for (const { at, value } of fieldMatches(pattern, target)) {
        if (typeof value !== 'string' || value === '' || supported.includes(value)) continue;
        yield serverFinding(notAmong(at, value, supported), target);
      }
    }
  },

  message: ({ facts }) => message(facts),

  fixes: ({ at, facts: { error } }, target, context, edit) =>
    changesTo(choicesOf(error.detail), { error, at, target, context, edit }),
});

function fieldsOf(target: RuleTarget): readonly (readonly [string, readonly string[]])[] {
  const ofPods = podSpecOf(target) === undefined ? {} : SUPPORTED.pods;
  const { kind } = target.object;
  return Object.entries({ ...ofPods, ...(Object.hasOwn(SUPPORTED, kind) ? SUPPORTED[kind] : {}) });
}
