import { t } from '../../base/l10n';
import type { ManifestFile } from '../../manifest/manifest';
import type { Problem } from '../../rules/framework/problem';
import { UNCHECKED_ENVIRONMENTS } from '../../rules/metas/environments';
import { lineEnd } from '../../text/lineEnd';
import { FEWEST_ENVIRONMENTS } from '../state/reach';
import type { EnvironmentAnalysis } from './environmentAnalysis';

/** A limit on the objects of a file times the environments that it is checked in. */
const MOST_CHECKS = 50_000;

/** The environments that a file is checked in, and a problem that says so where these are not all. */
export interface CheckedEnvironments {
  readonly checked: readonly EnvironmentAnalysis[];
  readonly problems: readonly Problem[];
}

/**
 * The first ones of the environments of a file, as many as its length allows: a repository chooses both numbers, and their
 * product is what a check costs.
 * @param allowed in how many at most, for all files of the workspace
 */
export function checkedEnvironments(
  all: readonly EnvironmentAnalysis[],
  uri: string,
  file: ManifestFile | undefined,
  allowed: number,
): CheckedEnvironments {
  if (all.length <= FEWEST_ENVIRONMENTS) return { checked: all, problems: [] };
  const objects = all[0]?.snapshot.objectsIn(uri).length ?? 0;
  const most = Math.max(FEWEST_ENVIRONMENTS, Math.min(allowed, Math.floor(MOST_CHECKS / Math.max(1, objects))));
  if (file === undefined || all.length <= most) return { checked: all, problems: [] };
  return { checked: all.slice(0, most), problems: [uncheckedProblem(file, objects, all.length, most)] };
}

function uncheckedProblem({ uri, text }: ManifestFile, objects: number, count: number, most: number): Problem {
  const { code, category, severity } = UNCHECKED_ENVIRONMENTS;
  const message = t`This file has ${objects.toLocaleString('en')} objects and belongs to ${count.toLocaleString('en')} environments: it is checked in the first ${most.toLocaleString('en')} of them.`;
  return { code, category, severity, message, uri, span: { start: 0, end: lineEnd(text, 0) }, related: [], fixes: [] };
}
