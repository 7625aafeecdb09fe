import { optionalText } from '../../kube/goFields';
import { change } from '../edits/fix';
import type { Judge } from './check';
import { containersNamed, joinQuote, sortedSet } from './words';

/** Upstream: policy.procMount_1_0. */
export const masksProc: Judge = ({ containers }) => {
  const bad = containers.flatMap(it => {
    const type = optionalText(it.context, 'procMount');
    return type === undefined || type === 'Default' ? [] : [{ container: it, type }];
  });
  if (bad.length === 0) return undefined;
  const types = joinQuote(sortedSet(bad.map(it => it.type)));
  return {
    reason: 'procMount',
    detail: `${containersNamed(bad.map(it => it.container))} must not set securityContext.procMount to ${types}`,
    places: bad.map(({ container }) => {
      const at = container.at.child('securityContext', 'procMount');
      return { at, mends: [change(at, 'Default')] };
    }),
  };
};
