import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import type { FieldError, Validation } from '../errors';

/**
 * Errors of the annotations that mean something on a Pod (seccomp, AppArmor, deletion cost, …); `at` is the path of
 * `annotations`. Upstream: core validation.ValidatePodSpecificAnnotations.
 */
export function* validatePodAnnotations(
  _metadata: JsonObject | undefined,
  _spec: JsonObject,
  _at: FieldPath,
  _validation: Validation,
): Iterable<FieldError> {}
