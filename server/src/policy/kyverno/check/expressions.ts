import type { JsonObject } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { CelEngine } from '../cel/engine';
import type { CelPolicy } from '../celPolicies/types';
import { indeterminate, type LocatedRule, type Mistake, refused } from './mistake';

/** Expressions of rules that do not compile, with the messages of the API server's compiler. */
export function* wrongRuleExpressions({ rule, at }: LocatedRule, cel: CelEngine): Iterable<Mistake> {
  const inside = record(record(rule, 'validate'), 'cel');
  const location = at.child('validate', 'cel');
  yield* wrongIn(rule, 'celPreconditions', at, cel);
  for (const field of ['variables', 'expressions', 'auditAnnotations']) yield* wrongIn(inside, field, location, cel);
}

const listsWithExpressions: Readonly<Record<CelPolicy['type'], readonly string[]>> = {
  validating: ['matchConditions', 'variables', 'validations', 'auditAnnotations'],
  mutating: ['matchConditions', 'targetMatchConditions', 'variables', 'auditAnnotations'],
  generating: ['matchConditions', 'variables', 'generate', 'auditAnnotations'],
  deleting: ['conditions', 'variables'],
  imageValidating: ['matchConditions', 'variables', 'matchImageReferences', 'images'],
};

/** Expressions of CEL policies that do not compile, and features that need a registry. */
export function* wrongPolicyExpressions({ spec, type }: CelPolicy, at: FieldPath, cel: CelEngine): Iterable<Mistake> {
  for (const field of listsWithExpressions[type]) yield* wrongIn(spec, field, at, cel);
  for (const [i, mutation] of records(spec, 'mutations').entries()) {
    for (const field of ['applyConfiguration', 'jsonPatch'])
      yield* wrongAt(record(mutation, field), at.child('mutations').index(i).child(field), cel);
  }
  yield* wrongAt(record(spec, 'targetMatchConstraints'), at.child('targetMatchConstraints'), cel);
  if (type === 'imageValidating')
    yield indeterminate(
      at.child('validations'),
      'Signatures and attestations are not checked here: they take keys and a registry.',
    );
}

function* wrongIn(block: JsonObject | undefined, field: string, at: FieldPath, cel: CelEngine): Iterable<Mistake> {
  for (const [i, it] of records(block, field).entries()) yield* wrongAt(it, at.child(field).index(i), cel);
}

function* wrongAt(block: JsonObject | undefined, at: FieldPath, cel: CelEngine): Iterable<Mistake> {
  for (const name of ['expression', 'messageExpression', 'valueExpression']) {
    const expression = text(block, name);
    const problem = expression === '' ? undefined : cel.problemOf(expression);
    if (problem !== undefined) yield refused(at.child(name), problem);
  }
}
