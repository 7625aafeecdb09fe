import type { RenderedSource } from '../fileRoles';
import type { WorkspaceObject } from '../object';
import { folderOf } from '../paths';
import type { Snapshot } from '../workspace';
import { templateOf } from './helmOrigin';
import { mayBeRenderedFrom } from './kustomizeOrigin';
import { isRenderedUri } from './names';

/** Whether the objects of a file come to a cluster as they are written. */
export function isDeployed(uri: string, { files, roles }: Pick<Snapshot, 'files' | 'roles'>): boolean {
  const file = files.get(uri);
  return file !== undefined && roles.isDeployed(file);
}

/** An object that comes to a cluster. */
export interface DeployedObject {
  readonly object: WorkspaceObject;
  /** What it is rendered from; absent: it comes to the cluster as it is written. */
  readonly from?: RenderedSource;
  /** The name of the overlay that renders it; absent where nothing else renders the same base. */
  readonly overlay?: string;
}

/**
 * What comes to a cluster of a written object: the object itself, or what is rendered from it, once for each overlay. Nothing
 * comes of a patch that is not rendered.
 */
export function deployedAs(written: WorkspaceObject, snapshot: Snapshot): readonly DeployedObject[] {
  const { uri } = written.manifest;
  if (isDeployed(uri, snapshot)) return [{ object: written }];
  return snapshot.roles.renderedFrom(uri).flatMap(from => {
    const overlay = snapshot.roles.overlayOf(from.source);
    const name = overlay !== undefined && overlay.of > 1 ? overlay.name : undefined;
    return outputOf(written, from, snapshot).map(object => ({
      object,
      from,
      ...(name !== undefined && { overlay: name }),
    }));
  });
}

/** The objects of one output that are rendered from a written one, or that it patches. */
function outputOf(written: WorkspaceObject, from: RenderedSource, snapshot: Snapshot): readonly WorkspaceObject[] {
  const { manifest, group, kind, name } = written;
  const output = snapshot.objectsIn(from.rendered).filter(it => it.group === group && it.kind === kind);
  const root = snapshot.roles.kustomizations.kustomizations.get(from.source);
  const isPatch = root !== undefined && snapshot.roles.kustomizations.filesOf(root).patches.has(manifest.uri);
  return output.filter(it => {
    const resource = writtenAs(it, snapshot);
    return resource?.manifest === manifest || (isPatch && name !== undefined && resource?.name === name);
  });
}

/** The object that one of an output is rendered from; the object itself where it is of no output. */
export function writtenAs(object: WorkspaceObject, snapshot: Snapshot): WorkspaceObject | undefined {
  const { uri } = object.manifest;
  if (!isRenderedUri(uri)) return object;
  const { kustomizations: graph } = snapshot.roles;
  const source = snapshot.roles.sources.get(uri);
  if (source === undefined) return undefined;
  const root = graph.kustomizations.get(source);
  const file = snapshot.files.get(uri);
  const template = root === undefined && file ? templateOf(object.manifest, file, folderOf(source)) : undefined;
  const files = root === undefined ? [template ?? ''] : graph.filesOf(root).objects;
  const candidates = [...files]
    .flatMap(it => snapshot.objectsIn(it))
    .filter(it => (root === undefined ? it.kind === object.kind : mayBeRenderedFrom(it, object)));
  // Of "api" and "api-gateway", "dev-api-gateway" is rendered from the second.
  const closeness = ({ name = '', namespace }: WorkspaceObject): number =>
    2 * name.length + (namespace === object.namespace ? 1 : 0);
  return candidates.reduce<WorkspaceObject | undefined>(
    (best, it) => (best === undefined || closeness(it) > closeness(best) ? it : best),
    undefined,
  );
}
