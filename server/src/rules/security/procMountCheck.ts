import { optionalText } from '../../kube/goFields';
import { change } from '../edits/fix';
import type { CheckFunction } from './check';
import { containersNamed, joinQuote, sortedSet } from './messageText';

/** Upstream: policy.procMount_1_0. */
export const masksProc: CheckFunction = ({ containers }) => {
  const bad = containers.flatMap(it => {
    const type = optionalText(it.context, 'procMount');
    return type === undefined || type === 'Default' ? [] : [{ container: it, type }];
  });
  if (bad.length === 0) return undefined;
  const types = joinQuote(sortedSet(bad.map(it => it.type)));
  return {
    reason: 'procMount',
    detail: `${containersNamed(bad.map(it => it.container))} must not set securityContext.procMount to ${types}`,
    fields: bad.map(({ container }) => {
      const at = container.at.child('securityContext', 'procMount');
      return { at, fixes: [change(at, 'Default')] };
    }),
  };
};
