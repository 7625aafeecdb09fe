import { has } from '../../kube/goFields';
import { add, addInstead } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule, unlessWindows } from './check';
import { containersNamed } from './messageText';
import { badSeccompFields } from './seccomp';

const restricted: CheckFunction = pod => {
  const { containers, context, contextAt } = pod;
  const said = badSeccompFields(pod);
  if (said !== undefined) return said;
  if (has(context, 'seccompProfile')) return undefined;
  const bad = containers.filter(it => !has(it.context, 'seccompProfile'));
  if (bad.length === 0) return undefined;
  const ofPod = contextAt.child('seccompProfile', 'type');
  return {
    reason: 'seccompProfile',
    detail: `pod or ${containersNamed(bad)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
    fields: bad.map(it => {
      const at = it.at.child('securityContext', 'seccompProfile', 'type');
      return { at, part: 'key', fixes: [add(at, 'RuntimeDefault'), addInstead(ofPod, 'RuntimeDefault')] };
    }),
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/seccomp-profile-restricted',
    symbol: 'CheckSeccompProfileRestricted',
    level: 'restricted',
    summary: 'A Pod runs without a seccomp profile.',
    why: 'Without a profile a container may call anything in the kernel, and holes in the kernel are the usual way out of a container.',
    remedy: 'Write `seccompProfile: { type: RuntimeDefault }` for the Pod or for each container.',
    versions: [
      { since: 19, check: restricted },
      { since: 25, check: unlessWindows(restricted) },
    ],
  }),
);
