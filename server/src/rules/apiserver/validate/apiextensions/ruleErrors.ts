import type { FieldPath } from '../../../../manifest/fieldPath';
import { resolvedPath } from '../crd/jsonPath';
import { type FieldError, invalid, notSupported, required } from '../errors';
import type { SchemaFacts } from './ordinary';
import type { SchemaProps, SchemaRule } from './schemaProps';
import { unsupportedKeyword } from './structural';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

/** What is wrong with CEL rules before they are compiled. Upstream: ValidateCustomResourceDefinitionOpenAPISchema. */
export function* ruleErrors(of: SchemaProps, at: FieldPath, kube: SchemaFacts): Iterable<FieldError> {
  const rules = of['x-kubernetes-validations'] ?? [];
  if (rules.length === 0) return;
  // A schema that cannot become a structural one accepts any path.
  const isStructural = rules.some(it => it.fieldPath !== '') && unsupportedKeyword(of, kube) === undefined;
  for (const [i, rule] of rules.entries()) {
    const place = at.child('x-kubernetes-validations').index(i);
    yield* textErrors(rule, place);
    const { fieldPath } = rule;
    if (fieldPath !== '' && isStructural && 'problem' in resolvedPath(fieldPath, of, 'any notation')) {
      yield invalid(place.child('fieldPath'), fieldPath, 'must be a valid path');
    }
  }
}

/** White space is cut off as by Go's strings.TrimSpace. */
function* textErrors(
  { rule, message, messageExpression, reason, fieldPath }: SchemaRule,
  place: FieldPath,
): Iterable<FieldError> {
  if (rule.trim() === '') yield required(place.child('rule'), 'rule is not specified');
  else if (message !== '' && message.trim() === '') {
    yield invalid(place.child('message'), message, 'must be non-empty if specified');
  } else if (hasLineBreak(message.trim())) {
    yield invalid(place.child('message'), message, 'must not contain line breaks');
  } else if (hasLineBreak(rule.trim()) && message.trim() === '') {
    yield required(place.child('message'), 'message must be specified if rule contains line breaks');
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    yield required(place.child('messageExpression'), 'messageExpression must be non-empty if specified');
  }
  if (reason !== undefined && !REASONS.includes(reason)) yield notSupported(place.child('reason'), reason, REASONS);
  if (fieldPath !== '' && fieldPath.trim() === '') {
    yield invalid(place.child('fieldPath'), fieldPath, 'must be non-empty if specified');
  }
  if (hasLineBreak(fieldPath)) yield invalid(place.child('fieldPath'), fieldPath, 'must not contain line breaks');
}
