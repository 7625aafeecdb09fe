import { t } from '../../../base/l10n';
import { shortened } from '../../../base/shortened';
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

/** Outcomes of mutating, generating and deleting policies that are reported: these policies do not validate. */
export const isFailure = ({ status }: Pick<RuleOutcome, 'status'>): boolean =>
  status === 'error' || status === 'broken';

/** The result of a rule. What cannot be decided offline is skipped, with the reason. */
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
  return shortened(status === 'undecided' ? `Not decided here: ${message}.` : message);
}

/** An enforced failure is an error, an audited one a warning; so is an error when failurePolicy is Ignore. */
function severityOf(
  policy: KyvernoPolicy,
  rule: RuleFields,
  status: RuleStatus,
  resource: Resource,
  world: KyvernoWorld,
): Severity {
  const action = failureAction(policy, rule, resource.namespace, selector =>
    hasLabels(selector, world.namespaceLabels(resource.namespace) ?? {}),
  );
  const isLenient = status === 'error' && text(policy.spec, 'failurePolicy') === 'Ignore';
  return action === 'enforce' && !isLenient ? 'error' : 'warning';
}

const KIND = FieldPath.of('kind');

/** The field of the outcome, else the resource's `kind`. */
function locationOf(object: WorkspaceObject, { at }: Pick<RuleOutcome, 'at'>): PolicyLocation {
  if (at === undefined || at.segments.length === 0) return { object, at: KIND, part: 'value' };
  return { object, at, part: 'value' };
}

/** The result when Berth fails at a whole policy. */
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

/** The result when Berth fails at an object before any policy is evaluated. */
export const notEvaluatedResult = (object: WorkspaceObject, { message }: RuleOutcome): PolicyResult => ({
  engine: 'kyverno',
  policy: 'not-judged',
  outcome: 'error',
  severity: 'error',
  message,
  location: locationOf(object, {}),
});

/** The result about an object to which only the first of very many policies were applied. */
export const tooManyChangesResult = (object: Resource): PolicyResult => ({
  engine: 'kyverno',
  policy: 'not-judged',
  outcome: 'warn',
  severity: 'warning',
  message: t(
    'So many policies change this object that the last of them were not applied here, though a cluster applies them.',
  ),
  location: locationOf(object.object, {}),
});

/** The result of a policy of policies.kyverno.io. */
export function resultOfCelPolicy(policy: CelPolicy, outcome: RuleOutcome, resource: Resource): PolicyResult {
  const actions = texts(policy.spec, 'validationActions');
  const isLenient = outcome.status === 'error' && text(policy.spec, 'failurePolicy') === 'Ignore';
  // Generation and deletion happen in the background, where nothing is rejected.
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
