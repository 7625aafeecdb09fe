import { folderOf } from '../paths';

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

/** Whether a virtual document is that of a folder. */
export function isRenderedFrom(uri: string, folder: string): boolean {
  return isRenderedUri(uri) && folderOf(uri) === folderOf(renderedUri(folder));
}
