import type { WorkspaceObject } from '../../workspace/object';
import type { Problem } from './problem';

/** No name that a server accepts is as long, and each problem of an object repeats it. */
const LONGEST_NAME = 1_000;

const bounded = (name: string): string => (name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`);

/** An object's identity as problems carry it. */
export function identityOf(object: WorkspaceObject): NonNullable<Problem['object']> {
  const { apiVersion, kind, namespace, name } = object;
  return {
    apiVersion: bounded(apiVersion),
    kind: bounded(kind),
    ...(namespace !== undefined && { namespace: bounded(namespace) }),
    ...(name !== undefined && { name: bounded(name) }),
  };
}
