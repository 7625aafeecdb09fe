import { t } from '../../base/l10n';
import { record, texts } from '../../kube/goFields';
import { add, remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule, unlessWindows } from './check';
import { containersNamed, joinQuote, sortedSet } from './messageText';
import type { ContainerView } from './pod';

const ALL = 'ALL';
const ALLOWED = 'NET_BIND_SERVICE';

const restricted: CheckFunction = ({ containers }) => {
  const keeping = containers.filter(it => !texts(record(it.context, 'capabilities'), 'drop').includes(ALL));
  const added = containers.flatMap(container =>
    texts(record(container.context, 'capabilities'), 'add').flatMap((name, i) =>
      name === ALLOWED ? [] : [{ container, name, at: pathOf(container, 'add').index(i) }],
    ),
  );
  if (keeping.length === 0 && added.length === 0) return undefined;
  const adding = [...new Set(added.map(it => it.container))];
  const names = joinQuote(sortedSet(added.map(it => it.name)));
  return {
    reason: 'unrestricted capabilities',
    detail: [
      ...(keeping.length > 0 ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
      ...(adding.length > 0
        ? [`${containersNamed(adding)} must not include ${names} in securityContext.capabilities.add`]
        : []),
    ].join('; '),
    fields: [
      ...keeping.map(it => ({ at: pathOf(it, 'drop'), part: 'key' as const, fixes: [dropAll(it)] })),
      ...added.map(({ at }) => ({ at, fixes: [remove(at)] })),
    ],
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/capabilities-restricted',
    symbol: 'CheckCapabilitiesRestricted',
    level: 'restricted',
    summary: 'A container keeps capabilities that it was not given on purpose, or asks for more.',
    why: 'By default a container may change owners, bind any port and more; a program that never does so need not be able to.',
    remedy: 'Write `capabilities: { drop: [ALL] }`, and add NET_BIND_SERVICE at most.',
    versions: [
      { since: 22, check: restricted },
      { since: 25, check: unlessWindows(restricted) },
    ],
  }),
);

function pathOf({ at }: ContainerView, list: 'add' | 'drop') {
  return at.child('securityContext', 'capabilities', list);
}

/** Keeps what is dropped already. */
function dropAll(container: ContainerView) {
  const at = pathOf(container, 'drop');
  const isEmpty = texts(record(container.context, 'capabilities'), 'drop').length === 0;
  if (isEmpty) return add(at, [ALL]);
  return { title: t`Add ${ALL} to ${at}`, safety: 'safe' as const, at, change: { append: ALL } };
}
