import type { RuleContext, RuleTarget } from '../framework/rule';

/** Whether the object is a patch: a part of an object, of which only the written fields can be checked. */
export function isPatch({ object }: RuleTarget, { snapshot }: RuleContext): boolean {
  const file = snapshot.files.get(object.manifest.uri);
  return file !== undefined && snapshot.roles.of(file) === 'patch';
}
