import { flag } from '../../kube/goFields';
import { add, change } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule, unlessWindows } from './check';
import { containersNamed } from './messageText';

const restricted: CheckFunction = ({ containers }) => {
  const bad = containers.filter(it => flag(it.context, 'allowPrivilegeEscalation') !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
    fields: bad.map(it => {
      const at = it.at.child('securityContext', 'allowPrivilegeEscalation');
      const isWritten = flag(it.context, 'allowPrivilegeEscalation') === true;
      return isWritten ? { at, fixes: [change(at, false)] } : { at, part: 'key', fixes: [add(at, false)] };
    }),
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/allow-privilege-escalation',
    symbol: 'CheckAllowPrivilegeEscalation',
    level: 'restricted',
    summary: 'A container may gain more rights than it was started with.',
    why: 'By default a program inside may become root by a set-user-ID file; `allowPrivilegeEscalation: false` ends that.',
    remedy: 'Write `allowPrivilegeEscalation: false` for each container.',
    versions: [
      { since: 8, check: restricted },
      { since: 25, check: unlessWindows(restricted) },
    ],
  }),
);
