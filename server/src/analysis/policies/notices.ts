import { t } from '../../base/l10n';
import { withoutMutation } from '../../policy/admission/chain';
import type { PolicyEngine } from '../../policy/engine/engine';
import type { PolicySet } from '../../policy/policySet';
import { POLICY_SETS, type PolicySetInput } from '../../policy/policySets';
import { everywhere } from '../../policy/scopes';
import type { EvaluatedEnvironment, PolicyJob, PolicyNotice } from './policyEvaluation';

/** Enough to see whether there are policies. */
const inputOf = (environment: EvaluatedEnvironment): PolicySetInput => ({
  ...environment,
  chain: withoutMutation(environment.kube),
  scopes: everywhere,
});

/** The reason, and what to do. */
export const noEngine = (): string =>
  t(
    'this build has no policy engine. `npm run build` makes it, with Go 1.26 or newer or with a Go toolchain that it downloads.',
  );

/** Policies that need the engine, for a build without one; undefined: there are none. */
export function noticeWithoutEngine(
  engine: PolicyEngine,
  { environments, texts }: Pick<PolicyJob, 'environments' | 'texts'>,
): PolicyNotice | undefined {
  const unevaluated = POLICY_SETS.filter(({ make }) =>
    environments.some(it => needsEngine(make(inputOf(it), texts, engine))),
  );
  if (unevaluated.length === 0) return undefined;
  const engines = unevaluated.map(it => it.engine);
  const message = t`The policies here (${engines.join(', ')}) are not evaluated: ${noEngine()}`;
  return { engines, message };
}

/**
 * Policies whose evaluation failed in the newest job; undefined: there are none.
 * @param failures Reasons by engine.
 */
export function noticeOfFailures(failures: ReadonlyMap<string, string>): PolicyNotice | undefined {
  if (failures.size === 0) return undefined;
  const engines = [...failures.keys()];
  const reasons = [...new Set(failures.values())].join('; ');
  const message = t`The policies here (${engines.join(', ')}) have not answered for all files: ${reasons}. They are asked again at the next change.`;
  return { engines, message };
}

/** Whether there are validating policies, or texts of policies. */
export function hasPolicies(
  engine: PolicyEngine,
  { environments, texts }: Pick<PolicyJob, 'environments' | 'texts'>,
): boolean {
  if (texts.size > 0) return true;
  return POLICY_SETS.some(({ make }) => environments.some(it => make(inputOf(it), texts, engine) !== undefined));
}

export const needsEngine = (set: PolicySet | undefined): boolean => set !== undefined && set.needsEngine !== false;
