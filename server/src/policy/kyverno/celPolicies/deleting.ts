import { record, records } from '../../../kube/goFields';
import type { Resource } from '../resource/resource';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { isForJson } from './celPolicy';
import { atAnyTime, matchesConstraints } from './constraints';
import { openScope } from './scope';
import type { CelPolicy } from './types';

/**
 * Whether a DeletingPolicy would delete an object at its next run (`pass`), or leaves it (`fail`); undefined where it
 * does not select it. Upstream: dpol engine.Handle.
 */
export function deleteWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  const { spec, namespace } = policy;
  if (isForJson(policy) || (namespace !== undefined && namespace !== resource.namespace)) return undefined;
  const constraints = record(spec, 'matchConstraints');
  if (constraints === undefined || !matchesConstraints(atAnyTime(constraints), resource, world)) return undefined;
  const opened = attempt('failed to evaluate policy', () =>
    openScope(policy, resource, world, { conditions: records(spec, 'conditions') }),
  );
  if ('outcome' in opened) return opened.outcome;
  if ('scope' in opened.value) return { status: 'pass', message: 'resource matched' };
  const { outcome } = opened.value;
  return outcome.status === 'skip' || outcome.status === 'pass'
    ? { status: 'fail', message: 'resource did not match' }
    : outcome;
}
