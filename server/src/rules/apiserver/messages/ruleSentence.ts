import { t } from '../../../base/l10n';
import type { FieldError } from '../validate/errors';
import { field } from './reasonWords';

/** What a CEL rule of a CustomResourceDefinition says about a value. The author's words stand as they are. */
export function ruleSentence(error: FieldError): string {
  const what = error.at.segments.length === 0 ? t('the object') : field(error);
  const { detail } = error;
  if (error.rule === 'broken') {
    const [, rule = detail] = /^failed rule: (.*)$/s.exec(detail) ?? [];
    return rule === ''
      ? t`${what} breaks a rule of its definition`
      : t`${what} breaks a rule of its definition: ${rule}`;
  }
  if (/cost budget|cost exceeds limit/.test(detail))
    return t`the rules for ${what} cost more than the server allows: shorten its lists, maps and texts`;
  const [, why = detail] = /^(.*?)(?: evaluating rule: |: call arguments did not match )/s.exec(detail) ?? [];
  return t`a rule for ${what} has no answer: ${why}`;
}
