import type { RenderedSource } from '../fileRoles';
import type { Kustomization, KustomizationGraph } from '../kustomize';
import type { WorkspaceObject } from '../object';
import { baseNameOf, folderOf } from '../paths';
import type { Snapshot } from '../workspace';
import { templateOf } from './helmOrigin';
import { mayBeRenderedFrom } from './kustomizeOrigin';
import { isRenderedUri, renderedUri } from './names';

type Roles = Pick<Snapshot, 'roles'>;

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
    const overlay = overlayOf(from.source, snapshot);
    const name = overlay !== undefined && overlay.of > 1 ? overlay.names[0] : undefined;
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

/** The overlay that a root kustomization is, and how many rendered ones share its base; undefined for a chart. */
export function overlayOf(
  source: string,
  { roles: { rendered, kustomizations: graph } }: Roles,
): { readonly names: readonly string[]; readonly of: number } | undefined {
  const root = graph.kustomizations.get(source);
  if (root === undefined) return undefined;
  const bases = new Set(basesOf(root, graph));
  const siblings = graph.roots.filter(
    it => rendered.has(renderedUri(it.folder)) && basesOf(it, graph).some(uri => bases.has(uri)),
  );
  return { names: [overlayName(root, siblings)], of: siblings.length };
}

function basesOf(root: Kustomization, graph: KustomizationGraph): readonly string[] {
  const { kustomizations, objects } = graph.filesOf(root);
  return [...kustomizations, ...objects];
}

/** The last folder of an overlay; with the one above where two have the same. */
function overlayName({ folder }: Kustomization, siblings: readonly Kustomization[]): string {
  const isShared = siblings.filter(it => baseNameOf(it.folder) === baseNameOf(folder)).length > 1;
  return decodeURIComponent(isShared ? `${baseNameOf(folderOf(folder))}/${baseNameOf(folder)}` : baseNameOf(folder));
}
