import { text } from '../../../kube/goFields';
import { FieldPath } from '../../../manifest/fieldPath';
import type { PolicyResult } from '../../result';
import { deleteWithCelPolicy } from '../celPolicies/deleting';
import { type CleanupPolicy, cleanUp } from '../engine/cleanup';
import type { Resource } from '../resource/resource';
import { guarded, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';
import { isFailure } from './results';

/** The results of policies that delete on a schedule, as if the resource existed. */
export function deletionsOf(
  { celPolicies, cleanupPolicies }: KyvernoPolicies,
  resource: Resource,
  world: KyvernoWorld,
): readonly PolicyResult[] {
  const guardedAt = (policy: DeletingPolicy, outcome: () => RuleOutcome | undefined) =>
    deletionOf(
      policy,
      guarded(`policy ${policy.name}`, outcome, it => it),
      resource,
    );
  const deleting = celPolicies.filter(it => it.type === 'deleting');
  return [
    ...cleanupPolicies.flatMap(it => guardedAt(it, () => cleanUp(it, resource, world))),
    ...deleting.flatMap(it => guardedAt(it, () => deleteWithCelPolicy(it, resource, world))),
  ];
}

type DeletingPolicy = Pick<CleanupPolicy, 'object' | 'name' | 'spec'>;

/** A deletion is reported as information: it is no mistake. */
function deletionOf(
  { object, name, spec }: DeletingPolicy,
  outcome: RuleOutcome | undefined,
  resource: Resource,
): readonly PolicyResult[] {
  if (outcome === undefined || outcome.status === 'fail') return [];
  const isDeleted = outcome.status === 'pass';
  const isBroken = isFailure(outcome);
  const schedule = JSON.stringify(text(spec, 'schedule'));
  const words = isDeleted
    ? `${object.kind} ${name} deletes this object when it next runs (schedule ${schedule}).`
    : `Whether ${object.kind} ${name} deletes this object is not decided here: ${outcome.message}.`;
  return [
    {
      engine: 'kyverno',
      policy: name,
      outcome: isDeleted ? 'warn' : isBroken ? 'error' : 'skip',
      severity: isBroken ? 'warning' : 'info',
      message: isBroken ? outcome.message : words,
      location: { object: resource.object, at: FieldPath.of('kind'), part: 'value' },
      source: { object, at: FieldPath.of('metadata', 'name'), part: 'value' },
    },
  ];
}
