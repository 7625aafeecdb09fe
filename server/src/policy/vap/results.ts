import { asList, asText, type JsonObject } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { Severity } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyLocation, PolicyResult } from '../result';
import { expressionsOf, fieldReadBy, variablesOf } from './expressions';
import { type AdmissionPolicies, named } from './policies';

/** The engine's answer for the creation of one object. */
export interface AdmissionAnswer {
  readonly mutations: readonly Mutation[];
  /** The object as a patch left it, as JSON, while the evaluation waits for its defaults. */
  readonly patched?: string;
  readonly outcomes: readonly VapOutcome[];
  readonly error?: string;
}

export interface Mutation {
  readonly policy: string;
  readonly binding: string;
  /** In the second round, after other policies changed the object. */
  readonly again?: boolean;
  /** The whole object after this binding. */
  readonly object?: JsonObject;
  readonly error?: string;
}

export interface VapOutcome {
  readonly policy: string;
  readonly binding: string;
  /** The server's complete message when this binding rejects the request. */
  readonly denied?: string;
  readonly decisions: readonly Decision[];
  readonly askedAuthorizer?: boolean;
}

interface Decision {
  readonly validation: number;
  readonly param?: string;
  readonly action: 'admit' | 'deny';
  readonly evaluation: 'admit' | 'deny' | 'error';
  readonly message?: string;
}

/** A decision to deny, and what it rests on that is not known. */
interface Refusal extends Decision {
  readonly unknown: string;
}

/** The results of validating policies for an object. */
export const resultsOf = (
  object: WorkspaceObject,
  outcomes: readonly VapOutcome[],
  policies: AdmissionPolicies,
): readonly PolicyResult[] => outcomes.flatMap(it => outcomeResults(object, it, policies));

/** The message of the first binding that rejects the request; an outcome that rests on RBAC decides nothing here. */
export const denialOf = (outcomes: readonly VapOutcome[]): string | undefined =>
  outcomes.find(it => it.denied !== undefined && !it.askedAuthorizer)?.denied;

/** The result of a mutating policy whose failure rejects the request; undefined when it does not fail. */
export function mutationFailure(
  object: WorkspaceObject,
  it: Mutation,
  { mutating }: AdmissionPolicies,
): PolicyResult | undefined {
  const policy = named(mutating, it.policy);
  if (it.error === undefined || policy === undefined) return undefined;
  const unknown = readsUser(policy) ? ON_USER : '';
  const message = `${it.error} (MutatingAdmissionPolicy ${it.policy}, binding ${it.binding})${unknown}`;
  return { ...resultHead(object, policy), outcome: 'error', severity: 'error', message, location: whole(object) };
}

function outcomeResults(
  object: WorkspaceObject,
  outcome: VapOutcome,
  policies: AdmissionPolicies,
): readonly PolicyResult[] {
  const policy = named(policies.validating, outcome.policy);
  const binding = named(policies.validatingBindings, outcome.binding);
  if (policy === undefined || binding === undefined) return [];
  const severity = severityOf(binding);
  const refused = outcome.decisions.filter(it => it.action === 'deny');
  if (refused.length === 0) {
    if (outcome.denied !== undefined) {
      // Such as a parameter that is not there: the request is rejected whatever the actions of the binding.
      const [message, location] = [outcome.denied, whole(object)];
      return [{ ...resultHead(object, policy), outcome: 'error', severity: 'error', message, location }];
    }
    const outcomeName = outcome.decisions.length > 0 ? 'pass' : 'skip';
    return [{ ...resultHead(object, policy), outcome: outcomeName, severity, message: '', location: whole(object) }];
  }
  const unknown = outcome.askedAuthorizer ? ON_RBAC : readsUser(policy) ? ON_USER : '';
  return refused.map(it => decisionResult(object, policy, outcome, { ...it, unknown }, severity));
}

function decisionResult(
  object: WorkspaceObject,
  policy: WorkspaceObject,
  outcome: VapOutcome,
  decision: Refusal,
  severity: Severity,
): PolicyResult {
  const validation = asList(fieldAt(policy.manifest.value, 'spec', 'validations'))[decision.validation];
  const expression = asText(fieldAt(validation, 'expression')) ?? '';
  const read = fieldReadBy(expression, variablesOf(policy), object.manifest.value);
  const at = FieldPath.of('spec', 'validations', decision.validation);
  return {
    ...resultHead(object, policy),
    rule: at.toString(),
    outcome: decision.evaluation === 'error' ? 'error' : 'fail',
    severity,
    message: messageOf(decision, outcome, policy.manifest.uri === '' ? ' of the cluster' : ''),
    location: read === undefined ? whole(object) : { object, at: read, part: 'entry' },
    source: { object: policy, at: expression === '' ? at : at.child('expression'), part: 'key' },
  };
}

function messageOf({ message = '', param, unknown }: Refusal, outcome: VapOutcome, whose: string): string {
  const by = [
    `policy ${outcome.policy}${whose}`,
    `binding ${outcome.binding}`,
    ...(param === undefined ? [] : [`parameter ${param.replace(/^\//, '')}`]),
  ];
  return `${message} (${by.join(', ')})${unknown}`;
}

const ON_RBAC = ' This rests on what RBAC allows, which is not known here.';
const ON_USER = ' This may rest on who makes the request, which is not known here.';

const readsUser = (policy: WorkspaceObject): boolean =>
  expressionsOf(policy).some(it => /\brequest\s*\.\s*userInfo\b/.test(it.expression));

const resultHead = (object: WorkspaceObject, policy: WorkspaceObject) => ({
  engine: 'vap' as const,
  policy: policy.name ?? '',
  location: whole(object),
  source: { object: policy, at: FieldPath.of('metadata', 'name'), part: 'value' } satisfies PolicyLocation,
});

const whole = (object: WorkspaceObject): PolicyLocation => ({ object, at: FieldPath.of('kind'), part: 'value' });

/** The severity of a failed validation: Deny is an error; Warn and Audit admit the object. */
export function severityOf(binding: WorkspaceObject): Severity {
  const actions = asList(fieldAt(binding.manifest.value, 'spec', 'validationActions'));
  return actions.includes('Deny') || actions.length === 0 ? 'error' : 'warning';
}
