import type { FieldError } from './errors';

/**
 * The errors, each message once: since 1.37 declarative validation passes the errors of the strategies on as an aggregate,
 * which has no message twice. Upstream: k8s.io/apimachinery/pkg/util/validation/field.ErrorList.ToAggregate.
 */
export function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter(error => {
    const message = messageOf(error);
    const isNew = !seen.has(message);
    seen.add(message);
    return isNew;
  });
}

function messageOf({ type, at, detail, value }: FieldError): string {
  const printed = JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? String(it) : it));
  return [type, at.toString(), printed, detail].join('\n');
}
