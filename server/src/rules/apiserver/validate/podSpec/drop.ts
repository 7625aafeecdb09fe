import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import type { Validation } from '../errors';

/**
 * A Pod or a template (an object with `metadata` and `spec`) without what the server removes of it on create, and the
 * paths of what was removed. `at` is the template's path, empty for a Pod. Upstream: pkg/api/pod.DropDisabledTemplateFields.
 */
export function dropDisabledFields(
  template: JsonObject,
  _at: FieldPath,
  _validation: Validation,
): { readonly object: JsonObject; readonly dropped: readonly FieldPath[] } {
  return { object: template, dropped: [] };
}
