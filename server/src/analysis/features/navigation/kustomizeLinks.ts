import type { Kustomization, NamedPath } from '../../../workspace/kustomize';
import type { Snapshot } from '../../../workspace/workspace';
import type { Link } from './location';

/** The paths of a kustomization that refer to a file of the workspace or to the kustomization of a folder. */
export function kustomizeLinksOf({ roles }: Snapshot, uri: string): readonly Link[] {
  const kustomization = roles.kustomizations.kustomizations.get(uri);
  return kustomization?.paths.flatMap(it => linkOf(kustomization, it, roles.kustomizations)) ?? [];
}

function linkOf(
  { object }: Kustomization,
  { at, uri }: NamedPath,
  { exists, inFolder }: Snapshot['roles']['kustomizations'],
): readonly Link[] {
  if (object === undefined || uri === undefined) return [];
  const target = exists(uri) ? uri : inFolder(uri)?.uri;
  if (target === undefined) return [];
  return [{ span: object.spanOf(at, 'value'), locations: [{ uri: target, span: { start: 0, end: 0 } }] }];
}

/** The target of the path at an offset of a kustomization. */
export function kustomizeDefinitionAt(snapshot: Snapshot, uri: string, offset: number): Link | undefined {
  return kustomizeLinksOf(snapshot, uri).find(({ span }) => span.start <= offset && offset <= span.end);
}
