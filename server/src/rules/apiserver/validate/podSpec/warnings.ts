import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import type { Validation } from '../errors';

/**
 * The server's warnings of a Pod or a template (an object with `metadata` and `spec`). `at` is the template's path, empty
 * for a Pod. Upstream: pkg/api/pod.GetWarningsForPod, GetWarningsForPodTemplate.
 */
export function podWarnings(
  _template: JsonObject,
  _at: FieldPath,
  _holder: 'pod' | 'template',
  _validation: Validation,
): readonly string[] {
  return [];
}
