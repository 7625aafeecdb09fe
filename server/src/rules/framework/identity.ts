import { shortenedName } from '../../base/shortened';
import type { WorkspaceObject } from '../../workspace/object';
import type { Problem } from './problem';

/** An object's identity as problems carry it. */
export function identityOf(object: WorkspaceObject): NonNullable<Problem['object']> {
  const { apiVersion, kind, namespace, name } = object;
  return {
    apiVersion: shortenedName(apiVersion),
    kind: shortenedName(kind),
    ...(namespace !== undefined && { namespace: shortenedName(namespace) }),
    ...(name !== undefined && { name: shortenedName(name) }),
  };
}
