import { has, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { joinQuote, pluralize } from './messageText';

export default defineRule(
  podSecurityRule({
    code: 'security/host-path-volumes',
    symbol: 'CheckHostPathVolumes',
    level: 'baseline',
    summary: 'A Pod mounts a directory of its node.',
    why: 'A hostPath volume leads out of the container: it can read keys of the node and often write programs that the node runs.',
    remedy: 'Use a claim, an emptyDir, a ConfigMap or a projected volume.',
    overridden: { since: 0, by: '`security/restricted-volumes`' },
    versions: [
      {
        since: 0,
        check({ spec, at }) {
          const bad = records(spec, 'volumes').flatMap((it, i) =>
            has(it, 'hostPath') ? [{ name: text(it, 'name'), i }] : [],
          );
          if (bad.length === 0) return undefined;
          return {
            reason: 'hostPath volumes',
            detail: `${pluralize('volume', 'volumes', bad.length)} ${joinQuote(bad.map(it => it.name))}`,
            fields: bad.map(it => ({ at: at.child('volumes').index(it.i).child('hostPath'), part: 'key' as const })),
          };
        },
      },
    ],
  }),
);
