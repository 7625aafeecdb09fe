import { createValueKey } from '../../../base/valueKey';
import type { KindInfo, Kube } from '../../../kube/kube';
import { applies } from '../../minors/minorChange';
import { minorChanges } from '../../minors/minorChanges';
import type { FieldError } from './errors';

/** Kinds for which declarative validation is enforced in 1.36 already. Upstream: rest.WithDeclarativeEnforcement. */
const DECLARATIVE_EARLY = ['PodGroup', 'Workload'];

/**
 * The errors of a kind, each message once if declarative validation is enforced (in 1.37 for almost every kind): it passes the
 * strategies' errors on as an aggregate, in which messages are distinct. Upstream:
 * rest.ValidateDeclarativelyWithMigrationChecks and field.ErrorList.Filter.
 */
export function withoutRepeats(
  errors: readonly FieldError[],
  { group, kind, origin }: KindInfo,
  kube: Kube,
): readonly FieldError[] {
  // Definitions and their resources are served by another server, without declarative validation.
  if (group === 'apiextensions.k8s.io' || origin === 'crd') return errors;
  const isEarly = group === 'scheduling.k8s.io' && DECLARATIVE_EARLY.includes(kind);
  const change = isEarly ? minorChanges.distinctErrorsOfGroups : minorChanges.distinctErrors;
  if (!applies(change, kube)) return errors;
  const keyOf = createValueKey();
  const seen = new Set<string>();
  return errors.filter(error => {
    const message = messageOf(error, keyOf);
    const isNew = !seen.has(message) || error.more !== undefined;
    seen.add(message);
    return isNew;
  });
}

function messageOf({ type, at, detail, value }: FieldError, keyOf: (value: unknown) => string): string {
  return [type, at.toString(), keyOf(value), detail].join('\n');
}
