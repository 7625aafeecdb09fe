import { quoted } from '../../base/quoted';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type CheckFunction, podSecurityRule } from './check';
import { pluralize, sortedSet } from './messageText';
import { badSeccompFields } from './seccomp';

const OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before the fields existed, annotations set the profile. Upstream: policy.seccompProfileBaseline_1_0. */
const badAnnotations: CheckFunction = ({ annotation, annotations, containers }) => {
  const keys = new Set([OF_POD, ...containers.map(it => `${OF_CONTAINER}${it.name}`)]);
  const bad = annotation.filter(([key, value]) => keys.has(key) && !isAllowed(value));
  if (bad.length === 0) return undefined;
  const said = sortedSet(bad.map(([key, value]) => `${key}=${quoted(value)}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${pluralize('annotation', 'annotations', said.length)} ${said.join(', ')}`,
    fields: bad.map(([key]) => ({ at: annotations.key(key), fixes: [remove(annotations.key(key))] })),
  };
};

export default defineRule(
  podSecurityRule({
    code: 'security/seccomp-profile-baseline',
    symbol: 'CheckSeccompBaseline',
    level: 'baseline',
    summary: 'A Pod takes off the seccomp profile of its runtime.',
    why: 'The profile keeps a container from calling what only the node should call in the kernel.',
    remedy: 'Leave the profile out, or set its type to `RuntimeDefault` or `Localhost`.',
    details: 'Policies before v1.19 look at the annotations of those days, later ones at the fields only.',
    overridden: { since: 19, by: '`security/seccomp-profile-restricted`' },
    versions: [
      { since: 0, check: badAnnotations },
      { since: 19, check: badSeccompFields },
    ],
  }),
);

function isAllowed(annotation: string): boolean {
  return annotation === 'runtime/default' || annotation === 'docker/default' || annotation.startsWith('localhost/');
}
