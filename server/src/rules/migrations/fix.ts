import { t } from '../../base/l10n';
import type { Kube } from '../../kube/kube';
import { rewriteReason } from '../../kube/removedApis';
import { successorOf } from '../../kube/successor';
import { FieldPath } from '../../manifest/fieldPath';
import { CannotEdit } from '../edits/editText';
import type { Fix } from '../framework/problem';
import type { EditTools, RuleTarget } from '../framework/rule';
import { migrated } from './migrate';

/**
 * The fix that writes the object in the version that takes the place of its own, with its fields moved. Empty where another
 * kind takes its place, or none, or its fields cannot be moved.
 */
export function migrationFixes({ object, value }: RuleTarget, kube: Kube, edit: EditTools): readonly Fix[] {
  const successor = successorOf(object.apiVersion, object.kind, kube);
  if (successor?.info === undefined || successor.kind !== object.kind) return [];
  const { apiVersion } = successor;
  if (rewriteReason(object.apiVersion, object.kind, apiVersion) !== undefined) return [];
  const { movesFields, safety, value: wanted } = migrated(value, object.apiVersion, apiVersion, successor.info);
  const plain = (): Fix => ({
    title: t`Change apiVersion to ${apiVersion}`,
    safety: movesFields ? 'unsafe' : safety,
    edits: [edit.replaceValue(object, FieldPath.of('apiVersion'), apiVersion)],
  });
  if (!movesFields) return [plain()];
  try {
    return [
      { title: t`Change apiVersion to ${apiVersion} and move fields`, safety, edits: edit.rewrite(object, wanted) },
    ];
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error;
    return [plain()];
  }
}
