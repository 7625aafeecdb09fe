import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { setters } from './messageText';
import { isHostProcess } from './pod';

export default defineRule(
  podSecurityRule({
    code: 'security/windows-host-process',
    symbol: 'CheckWindowsHostProcess',
    level: 'baseline',
    summary: 'A Pod runs as a process of its Windows node.',
    why: 'A HostProcess container is no container to the node: it has the rights of a user of the node, of an administrator most often.',
    remedy: 'Remove `hostProcess: true`.',
    versions: [
      {
        since: 0,
        check({ containers, context, contextAt }) {
          const isPod = isHostProcess(context);
          const bad = containers.filter(it => isHostProcess(it.context));
          if (!isPod && bad.length === 0) return undefined;
          const fields = [...(isPod ? [contextAt] : []), ...bad.map(it => it.at.child('securityContext'))];
          return {
            reason: 'hostProcess',
            detail: `${setters({ isPod, containers: bad })} must not set securityContext.windowsOptions.hostProcess=true`,
            fields: fields.map(it => {
              const at = it.child('windowsOptions', 'hostProcess');
              return { at, fixes: [remove(at)] };
            }),
          };
        },
      },
    ],
  }),
);
