import { t } from '../../base/l10n';
import { type FieldPath, FieldPath as Path, type SpanPart } from '../../manifest/fieldPath';
import { type FieldFix, fixOf } from '../edits/fix';
import { LONGEST_HEADLINE } from '../framework/layers';
import { type Level, levelVersionText } from '../framework/podSecurityLevels';
import type { Finding, Rule, RuleMeta, RuleTarget } from '../framework/rule';
import { type AppliedPolicy, checkInputOf } from './appliedPolicies';
import type { PodView } from './pod';

/** A field that a check forbids or requires. */
export interface CheckedField {
  readonly at: FieldPath;
  readonly part?: SpanPart;
  readonly fixes?: readonly FieldFix[];
}

/** Upstream: a policy.CheckResult that is not allowed, with its source. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
  readonly fields: readonly CheckedField[];
}

export type CheckFunction = (pod: PodView) => Violation | undefined;

/** Upstream: policy.Check. */
export interface PodCheck extends Pick<RuleMeta, 'code' | 'summary' | 'why' | 'remedy' | 'details'> {
  /** Upstream's function for the check. */
  readonly symbol: string;
  readonly level: Exclude<Level, 'privileged'>;
  /** The functions of the check, each from a minor of the policy on, in ascending order. */
  readonly versions: readonly { readonly since: number; readonly check: CheckFunction }[];
  /** The check of level restricted that replaces it from a minor on. Upstream: OverrideCheckIDs. */
  readonly overridden?: { readonly since: number; readonly by: string };
}

export interface PodSecurityFacts {
  readonly applied: AppliedPolicy;
  /** Upstream's reason and detail. */
  readonly text: string;
  /** What must be changed. */
  readonly detail: string;
  /** The kind of a workload, if the Pod is its template. */
  readonly workload?: string;
  readonly fixes: readonly FieldFix[];
}

const URL = 'https://kubernetes.io/docs/concepts/security/pod-security-standards/';

/** The rule for one check: a finding for each field, with upstream's message about the whole Pod. */
export function podSecurityRule(check: PodCheck): Rule<PodSecurityFacts> & WithCheck {
  return {
    podCheck: check,
    meta: {
      code: check.code,
      category: 'policy',
      severity: 'error',
      cost: 'workspace',
      summary: check.summary,
      why: check.why,
      remedy: check.remedy,
      get details() {
        return detailsOf(check);
      },
      source: { project: 'kubernetes', symbol: `pod-security-admission/policy.${check.symbol}`, fidelity: 'same' },
      url: URL,
    },
    on: 'podSpec',

    check(target, context) {
      const input = checkInputOf(target, context);
      for (const applied of input?.policies ?? []) {
        const violation = input && checkFor(check, applied)?.(input.pod);
        if (violation !== undefined) return findings(violation, applied, target);
      }
      return [];
    },

    message: ({ facts: { applied, text, detail, workload } }) => {
      const isCertain = applied.mode === 'enforce' && workload === undefined;
      const violates = isCertain
        ? t`violates PodSecurity "${levelVersionText(applied.policy)}"`
        : t`would violate PodSecurity "${levelVersionText(applied.policy)}"`;
      const message = `${violates}: ${text}${consequenceOf(applied, workload)}`;
      return message.length <= LONGEST_HEADLINE
        ? message
        : { headline: headlineOf(detail, violates, applied), detail: message, message };
    },

    fixes: ({ facts }, { object }, _context, edit) => facts.fixes.map(it => fixOf(it, object, edit)),
  };
}

/** What to change, and which policy asks for it where there is room. */
function headlineOf(detail: string, violates: string, { policy }: AppliedPolicy): string {
  const whole = `${detail} (PodSecurity "${levelVersionText(policy)}")`;
  return [whole, detail].find(it => it.length <= LONGEST_HEADLINE) ?? `${violates}: ${detail}`;
}

function consequenceOf({ mode }: AppliedPolicy, workload: string | undefined): string {
  if (mode === 'audit') return t('; the audit log will say so');
  return mode === 'enforce' && workload !== undefined ? t`; the ${workload} is taken, but its Pods are refused` : '';
}

/** A rule that was made from a check. */
interface WithCheck {
  readonly podCheck: PodCheck;
}

/** The check that a rule was made from, for policies that name checks. */
export function podCheckOf(rule: object): PodCheck | undefined {
  return 'podCheck' in rule ? (rule as WithCheck).podCheck : undefined;
}

/**
 * The function that checks for a policy; undefined if the check is not part of the policy. Upstream: policy.populate.
 */
export function checkFor(
  check: PodCheck,
  { policy, minor }: Pick<AppliedPolicy, 'policy' | 'minor'>,
): CheckFunction | undefined {
  if (check.level === 'restricted' && policy.level !== 'restricted') return undefined;
  if (policy.level === 'restricted' && check.overridden !== undefined && minor >= check.overridden.since)
    return undefined;
  return check.versions.findLast(it => it.since <= minor)?.check;
}

function* findings(
  violation: Violation,
  applied: AppliedPolicy,
  target: RuleTarget,
): Iterable<Finding<PodSecurityFacts>> {
  const { object } = target;
  const text = violation.detail === '' ? violation.reason : `${violation.reason} (${violation.detail})`;
  const isTemplate = object.kind !== 'Pod';
  const detail = violation.detail === '' ? violation.reason : violation.detail;
  for (const { at, part = 'value', fixes = [] } of violation.fields) {
    yield {
      at,
      part,
      facts: { applied, text, detail, fixes, ...(isTemplate && { workload: object.kind }) },
      ...((isTemplate || applied.mode !== 'enforce') && { severity: 'warning' as const }),
      ...(applied.source !== undefined && { related: [relatedTo(applied, applied.source)] }),
    };
  }
}

function relatedTo(applied: AppliedPolicy, { namespace, label }: NonNullable<AppliedPolicy['source']>) {
  return {
    object: namespace,
    at: Path.of('metadata', 'labels', { key: label }),
    message: t`the namespace asks for ${applied.policy.level} Pods here`,
  };
}

function detailsOf({ level, versions, overridden, details }: PodCheck): string {
  const since = versions.map(it => `v1.${it.since}`);
  const named = `\`${level}\``;
  return [
    since.length === 1
      ? t`A check of the level ${named} since policy version ${since[0]}.`
      : t`A check of the level ${named} since policy version ${since[0]}, with changes in ${since.slice(1).join(', ')}.`,
    ...(overridden === undefined
      ? []
      : [t`At the level ${'`restricted`'}, ${overridden.by} replaces it since v1.${overridden.since}.`]),
    t(
      'It is reported where a Namespace of the workspace has a `pod-security.kubernetes.io/` label, or `podSecurity` is configured.',
    ),
    ...(details === undefined ? [] : ['', t(details)]),
  ].join('\n');
}

/** Since policy 1.25, a Pod for Windows need not set what Windows does not have. */
export const unlessWindows =
  (check: CheckFunction): CheckFunction =>
  pod =>
    pod.isWindows ? undefined : check(pod);

/** Since policy 1.35, a Pod in a user namespace may run as root. */
export const unlessInUserNamespace =
  (check: CheckFunction): CheckFunction =>
  pod =>
    pod.isInUserNamespace ? undefined : check(pod);

/** With the gate, on servers up to 1.34, every version of the policy allows it for a Pod in a user namespace. */
export const unlessRelaxedByGate =
  (check: CheckFunction): CheckFunction =>
  pod =>
    pod.isRelaxedByGate ? undefined : check(pod);
