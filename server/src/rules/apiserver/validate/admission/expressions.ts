import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import type { CompileResult, ExpressionResult, ExpressionUse } from '../../../../kube/cel/admission';
import { text } from '../../../../kube/goFields';
import { qualifiedNameErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, invalids, required, tooMany, type Validation } from '../errors';
import { trimSpace } from '../shared/checks';

/** The error of an expression that does not compile, if any. Upstream: validateCELCondition. */
export function expressionErrors(
  expression: string,
  use: ExpressionUse,
  result: ExpressionResult,
  at: FieldPath,
  { kube }: Validation,
): readonly FieldError[] {
  return compileErrors(kube.cel.admission(expression, use, result), expression, at);
}

export function compileErrors(compiled: CompileResult, expression: string, at: FieldPath): readonly FieldError[] {
  return 'problem' in compiled ? [invalid(at, expression, compiled.problem)] : [];
}

const MOST_CONDITIONS = 64;

/** Upstream: validateMatchConditions. */
export function* matchConditionErrors(
  conditions: readonly JsonObject[],
  params: ExpressionUse['params'],
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  if (conditions.length > MOST_CONDITIONS) yield tooMany(at, conditions.length, MOST_CONDITIONS);
  const names = conditions.map(it => text(it, 'name'));
  const repeated = repeatedAt(names);
  for (const [i, condition] of conditions.entries()) {
    const name = names[i] ?? '';
    const [nameAt, expressionAt] = [at.index(i).child('name'), at.index(i).child('expression')];
    const expression = trimSpace(text(condition, 'expression'));
    const use: ExpressionUse = { params, authorizer: 'declared', patches: 'none' };
    if (expression === '') yield required(expressionAt);
    else yield* expressionErrors(expression, use, 'bool', expressionAt, validation);
    if (name === '') yield required(nameAt);
    else {
      yield* invalids(nameAt, name, qualifiedNameErrors(name));
      if (repeated.has(i)) yield duplicate(nameAt, name);
    }
  }
}
