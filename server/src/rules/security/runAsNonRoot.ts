import { flag } from '../../kube/goFields';
import { add, addInstead, change } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule, unlessInUserNamespace, unlessRelaxedByGate } from './check';
import { containersNamed, setters } from './messageText';

const restricted: CheckFunction = ({ containers, context, contextAt }) => {
  const ofPod = flag(context, 'runAsNonRoot');
  const isPod = ofPod === false;
  const explicit = containers.filter(it => flag(it.context, 'runAsNonRoot') === false);
  const reason = 'runAsNonRoot != true';
  if (isPod || explicit.length > 0) {
    const fields = [...(isPod ? [contextAt] : []), ...explicit.map(it => it.at.child('securityContext'))];
    return {
      reason,
      detail: `${setters({ isPod, containers: explicit })} must not set securityContext.runAsNonRoot=false`,
      fields: fields.map(it => {
        const at = it.child('runAsNonRoot');
        return { at, fixes: [change(at, true)] };
      }),
    };
  }
  const implicit = ofPod === true ? [] : containers.filter(it => flag(it.context, 'runAsNonRoot') === undefined);
  if (implicit.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containersNamed(implicit)} must set securityContext.runAsNonRoot=true`,
    fields: implicit.map(it => {
      const at = it.at.child('securityContext', 'runAsNonRoot');
      return { at, part: 'key', fixes: [add(at, true), addInstead(contextAt.child('runAsNonRoot'), true)] };
    }),
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/run-as-non-root',
    symbol: 'CheckRunAsNonRoot',
    level: 'restricted',
    summary: 'Nothing keeps a container from running as root.',
    why: 'Root inside is root on the node once the container is left; `runAsNonRoot: true` lets the kubelet refuse an image that wants to be root.',
    remedy:
      'Write `runAsNonRoot: true` for the Pod or for each container, and use an image with a user that is not root.',
    details: 'Since policy v1.35 a Pod in a user namespace (`hostUsers: false`) may do as it likes.',
    versions: [
      { since: 0, check: unlessRelaxedByGate(restricted) },
      { since: 35, check: unlessInUserNamespace(restricted) },
    ],
  }),
);
