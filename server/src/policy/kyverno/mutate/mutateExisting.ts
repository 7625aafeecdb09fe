import type { JsonObject } from '../../../base/json';
import { matchesWildcard } from '../../../base/wildcard';
import { record, records, text } from '../../../kube/goFields';
import type { EvalContext } from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { substitute } from '../context/variables';
import { appliesTo, checkRule, type RuleRun } from '../engine/evaluate';
import { unmetPreconditions } from '../engine/validate';
import { isMap } from '../go/goValues';
import { rulesFor } from '../policies/autogen';
import { exceptionsFor } from '../policies/exceptions';
import { hasLabels, isKind } from '../policies/match';
import type { KyvernoPolicy, RuleFields } from '../policies/policy';
import type { ClusterObjects } from '../resource/clusterObjects';
import type { Resource } from '../resource/resource';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { type MutateOutcome, mutateObject } from './mutateRule';

/** The outcome of a rule for an existing object. */
export interface ExistingMutation extends MutateOutcome {
  readonly rule: string;
  readonly fields: RuleFields;
  /** undefined when the targets themselves are unknown. */
  readonly target?: Resource;
}

/** Whether a rule changes other objects in the background. */
export const hasTargets = (rule: RuleFields): boolean => records(record(rule, 'mutate'), 'targets').length > 0;

/**
 * The outcomes of a policy's rules for existing objects because `trigger` is admitted. Upstream:
 * mutateExistingHandler.Process.
 */
export function mutateExisting(
  policy: KyvernoPolicy,
  trigger: Resource,
  world: KyvernoWorld,
): readonly ExistingMutation[] {
  if (!policy.rules.some(hasTargets) || !appliesTo(policy, trigger, world)) return [];
  return rulesFor(policy, trigger.kind)
    .filter(hasTargets)
    .flatMap(fields => {
      const rule = text(fields, 'name');
      const made: ExistingMutation[] = [];
      const outcome = checkRule(policy, fields, trigger, world, (run, context) => {
        if (exceptionsFor(policy, rule, trigger, run.matchContext, world, context).length > 0)
          return { status: 'skip', message: 'rule is skipped due to policy exceptions' };
        for (const each of targetsOf(run, context).map(it => ({ ...it, rule, fields }))) made.push(each);
        return { status: 'pass', message: '' };
      });
      return outcome === undefined || outcome.status === 'pass' ? made : [{ ...outcome, rule, fields }];
    });
}

type Made = RuleOutcome & { readonly value?: JsonObject; readonly target?: Resource };

function targetsOf(run: RuleRun, context: EvalContext): readonly Made[] {
  return records(record(run.rule, 'mutate'), 'targets').flatMap((written, i): readonly Made[] => {
    const { context: entries, preconditions, ...selector } = written;
    const attempted = attempt(`failed to substitute variables in target[${i}]`, () => substitute(selector, context));
    if ('outcome' in attempted) return [attempted.outcome];
    const wanted = isMap(attempted.value) ? attempted.value : {};
    return targetsIn(run.world.clusterObjects, wanted, run.policy).map(target => ({
      ...mutatedTarget(target, entries, preconditions, run, context),
      target,
    }));
  });
}

/** A namespaced policy reaches no other namespace. Upstream: getTargets. */
function targetsIn(
  existing: ClusterObjects,
  wanted: JsonObject,
  { namespace: own }: KyvernoPolicy,
): readonly Resource[] {
  const [apiVersion, namespace, name] = [
    text(wanted, 'apiVersion'),
    own ?? text(wanted, 'namespace'),
    text(wanted, 'name'),
  ];
  const kind = apiVersion === '' ? text(wanted, 'kind') : `${apiVersion}/${text(wanted, 'kind')}`;
  return existing
    .ofKinds(existing.kinds(it => isKind(kind, it)))
    .filter(
      it =>
        (namespace === '' || matchesWildcard(namespace, it.namespace)) &&
        (name === '' || matchesWildcard(name, it.name)) &&
        (wanted.selector === undefined || hasLabels(wanted.selector, it.labels)),
    );
}

function mutatedTarget(
  target: Resource,
  entries: JsonObject[string] | undefined,
  preconditions: JsonObject[string] | undefined,
  run: RuleRun,
  context: EvalContext,
): MutateOutcome {
  const inner = context
    .replacing({ target: target.value })
    .withEntries(contextEntries({ context: entries ?? null }, run.world, run.policy.namespace));
  const unmet = attempt('failed to evaluate preconditions', () => ({
    outcome: unmetPreconditions(preconditions, inner),
  }));
  if ('outcome' in unmet) return unmet.outcome;
  return unmet.value.outcome ?? mutateObject(run, inner, target.value);
}
