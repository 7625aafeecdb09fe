import { flag } from '../../kube/goFields';
import { change } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { containersNamed } from './messageText';

export default defineRule(
  podSecurityRule({
    code: 'security/privileged',
    symbol: 'CheckPrivileged',
    level: 'baseline',
    summary: 'A container is privileged.',
    why: 'A privileged container has nearly every right of a process on the node: whoever breaks into it owns the node.',
    remedy: 'Remove `privileged: true`, and add the one capability that the program needs.',
    versions: [
      {
        since: 0,
        check({ containers }) {
          const bad = containers.filter(it => flag(it.context, 'privileged') === true);
          if (bad.length === 0) return undefined;
          return {
            reason: 'privileged',
            detail: `${containersNamed(bad)} must not set securityContext.privileged=true`,
            fields: bad.map(it => {
              const at = it.at.child('securityContext', 'privileged');
              return { at, fixes: [change(at, false)] };
            }),
          };
        },
      },
    ],
  }),
);
