import type { Analysis } from '../analysis/analysis';
import type { Listing } from './settings';

/** More files than that are deployed together in a large repository, whose problems are not listed unasked. */
const MOST_FILES = 1_000;

export interface ListedFilesWorld {
  readonly analysis: () => Pick<Analysis, 'uris' | 'environmentIds'>;
  readonly listing: () => Listing['files'];
  readonly open: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'>;
}

/** The files whose problems the client gets. */
export interface ListedFiles {
  readonly isListed: (uri: string) => boolean;
  /** Takes note that a file is opened. Returns the files that are listed from now on. */
  readonly opened: (uri: string) => readonly string[];
  /** Files were read, so that they may be divided into other environments. */
  readonly divided: () => void;
}

/** An environment stays listed once one of its files was opened: the list does not come and go with tabs. */
export function createListedFiles({ analysis, listing, open }: ListedFilesWorld): ListedFiles {
  const entered = new Set<string>();
  const sizes = new Map<string, number>();

  function count(): void {
    for (const uri of analysis().uris)
      for (const id of analysis().environmentIds(uri)) sizes.set(id, (sizes.get(id) ?? 0) + 1);
  }

  function isEntered(id: string): boolean {
    if (!entered.has(id)) return false;
    if (sizes.size === 0) count();
    return (sizes.get(id) ?? 0) <= MOST_FILES;
  }

  return {
    isListed(uri) {
      if (listing() === 'all' || open.has(uri)) return true;
      return listing() === 'environment' && analysis().environmentIds(uri).some(isEntered);
    },
    opened(uri) {
      const ids = analysis()
        .environmentIds(uri)
        .filter(it => !entered.has(it));
      for (const id of ids) entered.add(id);
      if (listing() !== 'environment' || ids.length === 0) return [];
      return analysis().uris.filter(it =>
        analysis()
          .environmentIds(it)
          .some(id => ids.includes(id)),
      );
    },
    divided() {
      sizes.clear();
      for (const uri of open.keys()) for (const id of analysis().environmentIds(uri)) entered.add(id);
    },
  };
}
