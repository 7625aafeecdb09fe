import type { WorkspaceObject } from '../workspace/object';

/** Which policies are asked about which objects. */
export interface PolicyScopes {
  /** Scopes with equal keys give equal answers. */
  readonly key: string;
  /** The files whose policies are asked about the objects of a file; undefined: all of them. */
  readonly judgesOf: (uri: string) => ReadonlySet<string> | undefined;
}

/** Every policy is asked about every object. */
export const everywhere: PolicyScopes = { key: '', judgesOf: () => undefined };

/** Whether a policy is asked about an object; one of a cluster always is. */
export function isAsked({ judgesOf }: PolicyScopes, policy: WorkspaceObject, object: WorkspaceObject): boolean {
  const { uri } = policy.manifest;
  return uri === '' || judgesOf(object.manifest.uri)?.has(uri) !== false;
}

/** The same for all policies of one name, of which a cluster has one; none: the policy is not known. */
export const isOneAsked = (
  scopes: PolicyScopes,
  policies: readonly WorkspaceObject[],
  object: WorkspaceObject,
): boolean => policies.length === 0 || policies.some(it => isAsked(scopes, it, object));
