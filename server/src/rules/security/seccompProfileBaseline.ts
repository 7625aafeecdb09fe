import { quoted } from '../../base/quoted';
import { remove } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { type Judge, podSecurityRule } from './check';
import { badSeccompFields } from './seccomp';
import { pluralize, sortedSet } from './words';

const OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before the fields existed, annotations set the profile. Upstream: policy.seccompProfileBaseline_1_0. */
const badAnnotations: Judge = ({ annotation, annotations, containers }) => {
  const keys = new Set([OF_POD, ...containers.map(it => `${OF_CONTAINER}${it.name}`)]);
  const bad = annotation.filter(([key, value]) => keys.has(key) && !isAllowed(value));
  if (bad.length === 0) return undefined;
  const said = sortedSet(bad.map(([key, value]) => `${key}=${quoted(value)}`));
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${pluralize('annotation', 'annotations', said.length)} ${said.join(', ')}`,
    places: bad.map(([key]) => ({ at: annotations.key(key), mends: [remove(annotations.key(key))] })),
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
      { since: 0, judge: badAnnotations },
      { since: 19, judge: badSeccompFields },
    ],
  }),
);

function isAllowed(annotation: string): boolean {
  return annotation === 'runtime/default' || annotation === 'docker/default' || annotation.startsWith('localhost/');
}
