import { posix } from 'node:path';
import type { Uri } from 'vscode';
import type { ListedChange } from '../../server/src/analysis/upgradeReport';

type Place = Pick<Uri, 'scheme' | 'authority' | 'path'>;

/**
 * Where the places of a report lead. The preview of Markdown opens no addresses of files; paths from `/` on it takes as
 * those of the first folder of the workspace, and `..` leads out of it.
 * @param first the first folder of the workspace
 * @param folder the one that paths of the report begin at
 */
export function linksFrom(
  first: Place | undefined,
  folder: Place,
): (change: Pick<ListedChange, 'path' | 'range'>) => string | undefined {
  if (first?.scheme !== folder.scheme || first.authority !== folder.authority) return () => undefined;
  const from = posix.relative(first.path, folder.path);
  return ({ path, range }) => {
    if (path === 'settings') return undefined;
    const segments = posix.join(from, path).split('/').map(encodeURIComponent);
    return `/${segments.join('/')}#L${range.start.line + 1}`;
  };
}
