import { record, records, text } from '../../rules/apiserver/validate/read';
import { changesBetween, type MutationPreview } from '../mutation';
import type { PolicyResult } from '../result';
import { rulesFor } from './autogen';
import type { EvalContext } from './context';
import { checkRule, concerns, type RuleRun } from './evaluate';
import { exceptionsFor } from './exceptions';
import { isMap } from './goValues';
import type { KyvernoPolicies } from './kyverno';
import { type MutateOutcome, mutateObject } from './mutate/mutateRule';
import type { KyvernoPolicy, RuleFields } from './policy';
import { resultOf } from './results';
import { type Subject, subjectOf } from './subject';
import type { KyvernoWorld } from './world';

export interface Mutated {
  /** With what the rules have made of the object. */
  readonly subject: Subject;
  readonly previews: readonly MutationPreview[];
  /** Rules that failed. */
  readonly results: readonly PolicyResult[];
}

/** What the mutate rules make of an object, one policy after the other. Upstream: engine.Mutate. */
export function mutationsOf({ policies }: KyvernoPolicies, subject: Subject, world: KyvernoWorld): Mutated {
  return policies.reduce<Mutated>(
    (so, policy) => {
      const { subject: after, outcomes } = mutateWithPolicy(policy, so.subject, world);
      if (outcomes.length === 0) return so;
      const changes = changesBetween(so.subject.value, after.value);
      const failed = outcomes.filter(it => it.status === 'error');
      return {
        subject: after,
        previews:
          changes.length === 0
            ? so.previews
            : [...so.previews, { policy: policy.name, kind: policy.object.kind, changes }],
        results: [...so.results, ...failed.map(it => resultOf(policy, it, subject, world))],
      };
    },
    { subject, previews: [], results: [] },
  );
}

export interface NamedMutation extends MutateOutcome {
  readonly rule: string;
  readonly fields: RuleFields;
}

/** What each mutate rule of a policy says, and the object after them all. Rules about other objects are left out. */
export function mutateWithPolicy(
  policy: KyvernoPolicy,
  subject: Subject,
  world: KyvernoWorld,
): { readonly subject: Subject; readonly outcomes: readonly NamedMutation[] } {
  if (!policy.rules.some(isOwnMutation)) return { subject, outcomes: [] };
  const rules = rulesFor(policy, subject.kind).filter(isOwnMutation);
  if (rules.length === 0 || !concerns(policy, subject, world)) return { subject, outcomes: [] };
  const outcomes: NamedMutation[] = [];
  let current = subject;
  for (const fields of rules) {
    const made: MutateOutcome[] = [];
    const outcome = checkRule(policy, fields, current, world, (run, context) => {
      const mutation = isFree(run, context) ? exceptedOutcome : mutateObject(run, context, run.subject.value);
      made.push(mutation);
      return mutation;
    });
    if (outcome === undefined) continue;
    const value = made[0]?.value;
    outcomes.push({ ...outcome, ...(value && { value }), rule: text(fields, 'name'), fields });
    if (value !== undefined) current = subjectOf(subject.object, value);
  }
  return { subject: current, outcomes };
}

const exceptedOutcome: MutateOutcome = { status: 'skip', message: 'rule is skipped due to policy exceptions' };

const isFree = ({ policy, rule, subject, facts, world }: RuleRun, context: EvalContext): boolean =>
  exceptionsFor(policy, text(rule, 'name'), subject, facts, world, context).length > 0;

/** A rule with targets changes other objects, later and in the background. */
function isOwnMutation(rule: RuleFields): boolean {
  const mutate = record(rule, 'mutate');
  return isMap(mutate) && Object.keys(mutate).length > 0 && records(mutate, 'targets').length === 0;
}
