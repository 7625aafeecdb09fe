import type { RuleContext, RuleTarget } from '../framework/rule';

/** Whether the object is a patch: a part of one, of which only what is written can be judged. */
export function isPatch({ object }: RuleTarget, { snapshot }: RuleContext): boolean {
  const file = snapshot.files.get(object.manifest.uri);
  return file !== undefined && snapshot.roles.of(file) === 'patch';
}
