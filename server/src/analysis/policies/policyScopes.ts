import { compareText } from '../../base/compareText';
import { lazy, lazyByObject, lazyByText } from '../../base/lazy';
import { push } from '../../base/multiMap';
import { everywhere, type PolicyScopes } from '../../policy/scopes';
import { folderOf } from '../../workspace/paths';
import { type AskedEnvironment, placesOf, policyFiles } from './policyFiles';

/**
 * The policies that are asked about objects of tests and examples. About those of `require-labels/tests` the policies of
 * `require-labels` are, where it has any, with those of `require-labels/tests` that are nearest: a library of policies has tests
 * for each of them, which are not meant for the others. Whoever lists files in berth.yaml means all of them.
 */
export const policyScopes = lazyByObject(({ snapshot, environment }: AskedEnvironment): PolicyScopes => {
  const holders = policyFiles(snapshot);
  if (environment.origin !== 'guessed' || holders.length === 0) return everywhere;
  const { root, asideOf, isAside } = placesOf(snapshot);
  const below = lazy(() => holdersBelow(holders, root()));
  const deployed = lazy(() => holders.filter(it => !isAside(it)));
  const byFolders = new Map<string, ReadonlySet<string>>();
  const judgesOfFolder = lazyByText((folder): ReadonlySet<string> | undefined => {
    const aside = asideOf(folder);
    if (aside === undefined) return undefined;
    const beside = folderOf(aside);
    const near = nearest(folder, aside, below());
    const key = `${beside}\n${near}`;
    const known = byFolders.get(key);
    if (known !== undefined) return known;
    const own = (below().get(beside) ?? []).filter(it => !isAside(it));
    const nearOnes = near === undefined ? [] : (below().get(near) ?? []);
    if (own.length + nearOnes.length === 0) return undefined;
    const judges = new Set([...(own.length === 0 ? deployed() : own), ...nearOnes]);
    byFolders.set(key, judges);
    return judges;
  });
  return {
    key: [root(), ...[...holders].sort(compareText)].join('\n'),
    judgesOf: lazyByText(uri => judgesOfFolder(folderOf(uri))),
  };
});

/** The files by each folder that they are in or below of. */
function holdersBelow(holders: readonly string[], root: string): ReadonlyMap<string, readonly string[]> {
  const below = new Map<string, string[]>();
  for (const it of holders) {
    for (let folder = folderOf(it); ; folder = folderOf(folder)) {
      push(below, folder, it);
      if (folder === root || folder === folderOf(folder)) break;
    }
  }
  return below;
}

/** The folder with policies that is the least far above a folder, up to the one of tests. */
function nearest(folder: string, aside: string, below: ReadonlyMap<string, readonly string[]>): string | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    if (below.has(at)) return at;
    if (at === aside) return undefined;
  }
}
