import { defineRule } from '../framework/rule';
import { type ReportedError, reportedErrors } from './answer';
import { fixesFor } from './fixes/fixes';
import { message } from './messages/sentences';

export default defineRule<ReportedError>({
  meta: {
    code: 'apiserver/refused',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    isGeneral: true,
    summary: 'A field holds what the API server refuses.',
    why: 'The server validates every object before it stores it, and refuses the whole object for one such field.',
    remedy: 'Change the field as the message says.',
    source: { project: 'kubernetes', symbol: 'pkg/apis validation', fidelity: 'same' },
  },
  on: 'any',

  check: (target, context) =>
    reportedErrors(target, context, [
      'FieldValueInvalid',
      'FieldValueForbidden',
      'FieldValueDuplicate',
      'FieldValueNotFound',
      'FieldValueTooLong',
      'FieldValueTooMany',
      'FieldValueTypeInvalid',
      'InternalError',
    ]) ?? [],

  message: ({ facts }) => message(facts),

  fixes: ({ at, facts }, target, context, edit) => fixesFor({ error: facts.error, at, target, context, edit }),
});
