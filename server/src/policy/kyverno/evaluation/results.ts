import { text, texts } from '../../../kube/goFields';
import { FieldPath } from '../../../manifest/fieldPath';
import type { Severity } from '../../../rules/framework/problem';
import type { WorkspaceObject } from '../../../workspace/object';
import type { PolicyLocation, PolicyResult } from '../../result';
import type { CelPolicy } from '../celPolicies/types';
import type { NamedOutcome } from '../engine/evaluate';
import { hasLabels } from '../policies/match';
import { failureAction, isScored, type KyvernoPolicy, type RuleFields } from '../policies/policy';
import type { Resource } from '../resource/resource';
import type { RuleOutcome, RuleStatus } from '../results/outcome';
import type { KyvernoWorld } from '../world';

const outcomeOf: Readonly<Record<RuleStatus, PolicyResult['outcome']>> = {
  pass: 'pass',
  fail: 'fail',
  skip: 'skip',
  error: 'error',
  undecided: 'skip',
  stopped: 'skip',
  broken: 'error',
};

/** Outcomes that are told of what a policy makes, as it judges nothing. */
export const isFailure = ({ status }: Pick<RuleOutcome, 'status'>): boolean =>
  status === 'error' || status === 'broken';

/** What a rule says, as every engine's results are told. What cannot be decided here is skipped, with the reason. */
export function resultOf(
  policy: KyvernoPolicy,
  named: NamedOutcome,
  resource: Resource,
  world: KyvernoWorld,
): PolicyResult {
  const outcome = named.status === 'fail' && !isScored(policy) ? 'warn' : outcomeOf[named.status];
  const source = policy.locationOf(text(named.fields, 'name'));
  return {
    engine: 'kyverno',
    policy: policy.name,
    rule: named.rule,
    outcome,
    severity: severityOf(policy, named.fields, named.status, resource, world),
    message: messageOf(named),
    location: locationOf(resource.object, named),
    ...(source !== undefined && { source }),
  };
}

function messageOf({ status, message }: RuleOutcome): string {
  return status === 'undecided' ? `Not decided here: ${message}.` : message;
}

/** A refusal is an error, a report a warning; so is what fails while a policy lets failures through. */
function severityOf(
  policy: KyvernoPolicy,
  rule: RuleFields,
  status: RuleStatus,
  resource: Resource,
  world: KyvernoWorld,
): Severity {
  const labels = world.namespaceLabels(resource.namespace) ?? {};
  const action = failureAction(policy, rule, resource.namespace, selector => hasLabels(selector, labels));
  const isLenient = status === 'error' && text(policy.spec, 'failurePolicy') === 'Ignore';
  return action === 'enforce' && !isLenient ? 'error' : 'warning';
}

const KIND = FieldPath.of('kind');

/** The field to blame; where none is, what kind of object it is. */
function locationOf(object: WorkspaceObject, { at }: Pick<RuleOutcome, 'at'>): PolicyLocation {
  if (at === undefined || at.segments.length === 0) return { object, at: KIND, part: 'value' };
  return { object, at, part: 'value' };
}

/** What is told where Berth fails at a policy as a whole. */
export const bugResult = (
  { name, object }: Pick<KyvernoPolicy, 'name' | 'object'>,
  resource: Resource,
  { message }: RuleOutcome,
): PolicyResult => ({
  engine: 'kyverno',
  policy: name,
  outcome: 'error',
  severity: 'error',
  message,
  location: locationOf(resource.object, {}),
  source: { object, at: FieldPath.of('metadata', 'name'), part: 'value' },
});

/** What is told where Berth fails at an object before any policy is asked about it. */
export const notEvaluatedResult = (object: WorkspaceObject, { message }: RuleOutcome): PolicyResult => ({
  engine: 'kyverno',
  policy: 'not-judged',
  outcome: 'error',
  severity: 'error',
  message,
  location: locationOf(object, {}),
});

/** What a policy of policies.kyverno.io says. */
export function resultOfCelPolicy(policy: CelPolicy, outcome: RuleOutcome, resource: Resource): PolicyResult {
  const actions = texts(policy.spec, 'validationActions');
  const isLenient = outcome.status === 'error' && text(policy.spec, 'failurePolicy') === 'Ignore';
  // What is generated or deleted is so in the background, where nothing is refused.
  const isDenied =
    !isLenient &&
    !['generating', 'deleting'].includes(policy.type) &&
    (actions.length === 0 || actions.includes('Deny'));
  return {
    engine: 'kyverno',
    policy: policy.name,
    outcome: outcomeOf[outcome.status],
    severity: isDenied ? 'error' : 'warning',
    message: messageOf(outcome),
    location: locationOf(resource.object, outcome),
    source: { object: policy.object, at: FieldPath.of('metadata', 'name'), part: 'value' },
  };
}
