import type { FieldPath } from '../../../manifest/fieldPath';
import type { JsonObject } from '../../../manifest/manifest';
import { record, records, text } from '../../../rules/apiserver/validate/read';
import type { CelEngine } from '../cel/engine';
import type { CelPolicy } from '../celPolicies/celPolicy';
import { type Mistake, type PlacedRule, refused } from './mistake';

/** Expressions that do not compile, in the words of the API server's compiler. */
export function* wrongRuleExpressions({ rule, at }: PlacedRule, cel: CelEngine): Iterable<Mistake> {
  const inside = record(record(rule, 'validate'), 'cel');
  const place = at.child('validate', 'cel');
  yield* wrongIn(rule, 'celPreconditions', at, cel);
  for (const field of ['variables', 'expressions', 'auditAnnotations']) yield* wrongIn(inside, field, place, cel);
}

export function* wrongPolicyExpressions({ spec }: CelPolicy, at: FieldPath, cel: CelEngine): Iterable<Mistake> {
  for (const field of ['matchConditions', 'variables', 'validations', 'auditAnnotations'])
    yield* wrongIn(spec, field, at, cel);
}

function* wrongIn(block: JsonObject | undefined, field: string, at: FieldPath, cel: CelEngine): Iterable<Mistake> {
  for (const [i, it] of records(block, field).entries()) {
    for (const name of ['expression', 'messageExpression', 'valueExpression']) {
      const expression = text(it, name);
      const problem = expression === '' ? undefined : cel.problemOf(expression);
      if (problem !== undefined) yield refused(at.child(field).index(i).child(name), problem);
    }
  }
}
