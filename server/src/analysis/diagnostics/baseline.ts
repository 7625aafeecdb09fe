import type { ManifestFile } from '../../manifest/manifest';
import { type Baseline, baselineOf, baselineText, markKnown, readBaseline } from '../../rules/engine/baseline';
import type { Problem } from '../../rules/framework/problem';
import { folderOf, pathWithin } from '../../workspace/paths';
import type { Settings } from '../configuration/settings';

/** The text of a baseline at `uri` with the given problems, by the uris of their files. */
export function baselineAt(uri: string, problems: ReadonlyMap<string, readonly Problem[]>): string {
  const folder = folderOf(uri);
  // A problem that a file suppresses is not new, with or without a baseline.
  const news = [...problems].map(
    ([file, own]) => [pathWithin(folder, file), own.filter(it => !isOwnSilence(it))] as const,
  );
  return baselineText(baselineOf(new Map(news)));
}

const isOwnSilence = ({ suppressed }: Problem): boolean => suppressed !== undefined && suppressed.by !== 'baseline';

/** Parsed baselines by their files. */
export type BaselineCache = WeakMap<ManifestFile, Baseline>;

/** The problems of a file without those in the baseline, or with these marked where the settings ask for that. */
export function beyondBaseline(
  problems: readonly Problem[],
  uri: string,
  {
    baseline,
    settings,
  }: { readonly baseline: ManifestFile | undefined; readonly settings: Pick<Settings, 'suppressed'> },
  cache: BaselineCache,
): readonly Problem[] {
  if (baseline === undefined || problems.length === 0) return problems;
  const read = cache.get(baseline) ?? readBaseline(baseline.text) ?? { files: {} };
  cache.set(baseline, read);
  const path = pathWithin(folderOf(baseline.uri), uri);
  const known = Object.hasOwn(read.files, path) ? read.files[path] : undefined;
  if (known === undefined) return problems;
  const marked = markKnown(problems, known);
  return settings.suppressed === 'report' ? marked : marked.filter(it => it.suppressed?.by !== 'baseline');
}
