import { type GoFields, optionalInt } from '../../kube/goFields';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule, unlessInUserNamespace, unlessRelaxedByGate } from './check';
import { setters } from './messageText';

const restricted: CheckFunction = ({ containers, context, contextAt }) => {
  const isRoot = (of: GoFields) => optionalInt(of, 'runAsUser') === 0;
  const isPod = isRoot(context);
  const bad = containers.filter(it => isRoot(it.context));
  if (!isPod && bad.length === 0) return undefined;
  const fields = [...(isPod ? [contextAt] : []), ...bad.map(it => it.at.child('securityContext'))];
  return {
    reason: 'runAsUser=0',
    detail: `${setters({ isPod, containers: bad })} must not set runAsUser=0`,
    fields: fields.map(it => ({ at: it.child('runAsUser'), fixes: [remove(it.child('runAsUser'))] })),
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/run-as-user',
    symbol: 'CheckRunAsUser',
    level: 'restricted',
    summary: 'A container is told to run as root.',
    why: 'User 0 inside is root on the node once the container is left.',
    remedy: 'Take another user, or leave `runAsUser` to the image.',
    details: 'Since policy v1.35 a Pod in a user namespace (`hostUsers: false`) may do as it likes.',
    versions: [
      { since: 23, check: unlessRelaxedByGate(restricted) },
      { since: 35, check: unlessInUserNamespace(restricted) },
    ],
  }),
);
