import { t } from '../../base/l10n';
import { largest } from '../../base/manyItems';
import type { ManifestFile } from '../../manifest/manifest';
import type { Problem } from '../../rules/framework/problem';
import { UNCHECKED_ENVIRONMENTS } from '../../rules/metas/environments';
import { lineEnd } from '../../text/lineEnd';
import { environmentsAllowed, FEWEST_ENVIRONMENTS } from '../state/reach';
import type { WorkspaceState } from '../state/workspaceState';
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
  const ofLength = Math.floor(MOST_CHECKS / Math.max(1, objects));
  const most = Math.max(FEWEST_ENVIRONMENTS, Math.min(allowed, ofLength));
  if (file === undefined || all.length <= most) return { checked: all, problems: [] };
  const checked = all.slice(0, most);
  if (ofLength < allowed) return { checked, problems: [problemIn(file, ofLengthText(objects, all.length, most))] };
  // Nobody wrote down the environments that are guessed: once for all files says it (`uncheckedNote`).
  if (all.every(it => it.environment.origin === 'guessed')) return { checked, problems: [] };
  return { checked, problems: [problemIn(file, ofWorkspaceText(all.length, most))] };
}

/** The sentence of a workspace whose guessed environments are so many that files are not checked in all of theirs. */
export function uncheckedNote({
  environments,
  reach,
}: Pick<WorkspaceState, 'environments' | 'reach'>): string | undefined {
  const allowed = environmentsAllowed(reach);
  const guessed = environments.all.filter(it => it.origin === 'guessed').length;
  const most = largest(reach.keys());
  if (guessed <= allowed || most <= allowed) return undefined;
  return t`Environments are guessed from the folders, and some files belong to ${shown(most)} of them: these files are checked in the first ${shown(allowed)}. A \`berth.yaml\` can name those that are deployed.`;
}

const shown = (count: number): string => count.toLocaleString('en');

const ofLengthText = (objects: number, count: number, most: number): string =>
  t`This file has ${shown(objects)} objects and belongs to ${shown(count)} environments: it is checked in the first ${shown(most)} of them.`;

const ofWorkspaceText = (count: number, most: number): string =>
  t`This file belongs to ${shown(count)} environments: it is checked in the first ${shown(most)} of them, as there are many such files.`;

function problemIn({ uri, text }: ManifestFile, message: string): Problem {
  const { code, category, severity } = UNCHECKED_ENVIRONMENTS;
  return { code, category, severity, message, uri, span: { start: 0, end: lineEnd(text, 0) }, related: [], fixes: [] };
}
