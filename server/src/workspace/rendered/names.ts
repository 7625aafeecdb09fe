import type { Kustomization } from '../kustomize';
import { baseNameOf, folderOf } from '../paths';

const SCHEME = 'berth-rendered:';
const LAST = '/rendered.yaml';

/** The uri of the virtual document with the output of a kustomization or a chart. `folder` is the folder of either. */
export function renderedUri(folder: string): string {
  const path = folder.startsWith('file://') ? new URL(folder).pathname : folder;
  return `${SCHEME}${path}${LAST}`;
}

export function isRenderedUri(uri: string): boolean {
  return uri.startsWith(SCHEME);
}

/** The source (one of some kustomizations, or a chart) of each possible virtual document, by its uri. */
export function renderedSources(
  kustomizations: Iterable<Pick<Kustomization, 'uri' | 'folder'>>,
  uris: Iterable<string>,
): ReadonlyMap<string, string> {
  const sources = new Map(Array.from(kustomizations, it => [renderedUri(it.folder), it.uri]));
  for (const uri of uris) if (baseNameOf(uri) === 'Chart.yaml') sources.set(renderedUri(folderOf(uri)), uri);
  return sources;
}
