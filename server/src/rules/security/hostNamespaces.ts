import { flag } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';

const FIELDS = ['hostNetwork', 'hostPID', 'hostIPC'];

export default defineRule(
  podSecurityRule({
    code: 'security/host-namespaces',
    symbol: 'CheckHostNamespaces',
    level: 'baseline',
    summary: 'A Pod shares the network, the processes or the shared memory of its node.',
    why: 'In the namespaces of the node a container sees and reaches what belongs to other Pods and to the node itself.',
    remedy:
      'Remove `hostNetwork`, `hostPID` and `hostIPC`; a Service or a hostPort of a trusted namespace often does the same.',
    versions: [
      {
        since: 0,
        check({ spec, at, isHostProcess }) {
          const shared = FIELDS.filter(it => flag(spec, it) === true);
          if (shared.length === 0) return undefined;
          return {
            reason: 'host namespaces',
            detail: shared.map(it => `${it}=true`).join(', '),
            // The server requires the host network for a Pod whose processes run on its Windows node.
            fields: shared.map(it => ({
              at: at.child(it),
              fixes: it === 'hostNetwork' && isHostProcess ? [] : [remove(at.child(it))],
            })),
          };
        },
      },
    ],
  }),
);
