import type { RuleContext, RuleTarget } from '../framework/rule';

/** Whether the object is a patch: a part of an object, of which only the written fields can be checked. */
export function isPatch({ object }: RuleTarget, { snapshot }: RuleContext): boolean {
  const file = snapshot.files.get(object.manifest.uri);
  return file !== undefined && snapshot.roles.of(file) === 'patch';
}

/** Whether the object is deployed as it is written; false for patches and for what a kustomization changes. */
export function isWhole({ object }: RuleTarget, { snapshot }: RuleContext): boolean {
  const file = snapshot.files.get(object.manifest.uri);
  return file === undefined || snapshot.roles.of(file) === 'objects';
}
