import type { KustomizationGraph } from '../kustomize';
import { baseNameOf, folderOf } from '../paths';

const SCHEME = 'berth-rendered:';
const LAST = '/rendered.yaml';

/** The uri of the virtual document that holds what a kustomization or a chart makes. `folder` is where either lies. */
export function renderedUri(folder: string): string {
  const path = folder.startsWith('file://') ? new URL(folder).pathname : folder;
  return `${SCHEME}${path}${LAST}`;
}

export function isRenderedUri(uri: string): boolean {
  return uri.startsWith(SCHEME);
}

/** The source, kustomization or chart, of each virtual document that there may be, by its uri. */
export function renderedSources(
  { roots }: Pick<KustomizationGraph, 'roots'>,
  uris: Iterable<string>,
): ReadonlyMap<string, string> {
  const sources = new Map(roots.map(it => [renderedUri(it.folder), it.uri]));
  for (const uri of uris) if (baseNameOf(uri) === 'Chart.yaml') sources.set(renderedUri(folderOf(uri)), uri);
  return sources;
}
