import { int, records } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { containersNamed, pluralize, sortedSet } from './messageText';

export default defineRule(
  podSecurityRule({
    code: 'security/host-ports',
    symbol: 'CheckHostPorts',
    level: 'baseline',
    summary: 'A container takes a port of its node.',
    why: 'A port of the node is open to whoever reaches the node, past network policies, and one Pod takes it from all others.',
    remedy: 'Remove `hostPort` and put a Service before the Pods.',
    details: 'In a Pod with `hostNetwork: true` every container port is a host port, also where nobody wrote so.',
    versions: [
      {
        since: 0,
        check({ containers }) {
          const ports = containers.flatMap(container =>
            records(container.value, 'ports').flatMap((it, i) => {
              const port = int(it, 'hostPort');
              return port === 0
                ? []
                : [{ container, port, at: container.at.child('ports').index(i).child('hostPort') }];
            }),
          );
          if (ports.length === 0) return undefined;
          const bad = [...new Set(ports.map(it => it.container))];
          const numbers = sortedSet(ports.map(it => String(it.port)));
          const uses = pluralize('uses', 'use', bad.length);
          return {
            reason: 'hostPort',
            detail: `${containersNamed(bad)} ${uses} ${pluralize('hostPort', 'hostPorts', numbers.length)} ${numbers.join(', ')}`,
            fields: ports.map(({ at }) => ({ at, fixes: [remove(at)] })),
          };
        },
      },
    ],
  }),
);
