import { type GoFields, has, record, text } from '../../kube/goFields';
import { change } from '../edits/fix';
import type { Violation } from './check';
import { joinQuote, setters, sortedSet } from './messageText';
import type { PodView } from './pod';

/** A seccomp profile that is set and not allowed. Upstream: policy.validSeccomp. */
export function isBadSeccomp(context: GoFields): boolean {
  return has(context, 'seccompProfile') && !['Localhost', 'RuntimeDefault'].includes(typeOf(context));
}

/** Violations in the fields; undefined if there are none. */
export function badSeccompFields({ containers, context, contextAt }: PodView): Violation | undefined {
  const isPod = isBadSeccomp(context);
  const bad = containers.filter(it => isBadSeccomp(it.context));
  if (!isPod && bad.length === 0) return undefined;
  const types = sortedSet([...(isPod ? [typeOf(context)] : []), ...bad.map(it => typeOf(it.context))]);
  const fields = [...(isPod ? [contextAt] : []), ...bad.map(it => it.at.child('securityContext'))];
  return {
    reason: 'seccompProfile',
    detail: `${setters({ isPod, containers: bad })} must not set securityContext.seccompProfile.type to ${joinQuote(types)}`,
    fields: fields.map(it => {
      const at = it.child('seccompProfile', 'type');
      return { at, fixes: [change(at, 'RuntimeDefault')] };
    }),
  };
}

function typeOf(context: GoFields): string {
  return text(record(context, 'seccompProfile'), 'type');
}
