import { record, texts } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { containersNamed, joinQuote, sortedSet } from './messageText';

const ALLOWED = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

export default defineRule(
  podSecurityRule({
    code: 'security/capabilities-baseline',
    symbol: 'CheckCapabilitiesBaseline',
    level: 'baseline',
    summary: 'A container asks for a capability that containers do not have by default.',
    why: 'Capabilities beyond the default set reach the kernel or the network of the node; NET_RAW lets a Pod speak in the name of others.',
    remedy: `Take it out of \`capabilities.add\`; allowed are ${ALLOWED.join(', ')}.`,
    overridden: { since: 22, by: '`security/capabilities-restricted`' },
    versions: [
      {
        since: 0,
        check({ containers }) {
          const added = containers.flatMap(container =>
            texts(record(container.context, 'capabilities'), 'add').flatMap((name, i) =>
              ALLOWED.includes(name)
                ? []
                : [{ container, name, at: container.at.child('securityContext', 'capabilities', 'add').index(i) }],
            ),
          );
          if (added.length === 0) return undefined;
          const bad = [...new Set(added.map(it => it.container))];
          const names = joinQuote(sortedSet(added.map(it => it.name)));
          return {
            reason: 'non-default capabilities',
            detail: `${containersNamed(bad)} must not include ${names} in securityContext.capabilities.add`,
            fields: added.map(({ at }) => ({ at, fixes: [remove(at)] })),
          };
        },
      },
    ],
  }),
);
