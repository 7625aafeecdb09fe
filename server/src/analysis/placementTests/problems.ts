import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { ManifestFile } from '../../manifest/manifest';
import type { Problem } from '../../rules/framework/problem';
import { PLACEMENT_TEST } from '../../rules/metas/placementTest';
import { readPlacementTest } from './read';

/** What is wrong in a file of placement tests, as the editor shows it. */
export function* placementTestProblems(file: ManifestFile): Steps<readonly Problem[]> {
  const { problems } = readPlacementTest(file);
  yield;
  return problems.map(({ clause, span }) => ({
    code: PLACEMENT_TEST.code,
    category: PLACEMENT_TEST.category,
    severity: PLACEMENT_TEST.severity,
    message: /[.?。？]$/.test(clause) ? clause : t`${clause}.`,
    uri: file.uri,
    document: 0,
    span,
    related: [],
    fixes: [],
  }));
}
