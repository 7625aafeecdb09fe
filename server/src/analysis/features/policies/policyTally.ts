import { asList, asObject, asText } from '../../../base/json';
import { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt } from '../../../manifest/valueAt';
import type { PolicyResult } from '../../../policy/result';
import type { Severity } from '../../../rules/framework/problem';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';

/** The results of a policy, or of one of its rules: one result per object, the worst one. */
export interface PolicyTally {
  readonly rejected: readonly PolicyResult[];
  readonly warned: readonly PolicyResult[];
  /** Failures that would be rejections if the policy were enforced. */
  readonly noted: readonly PolicyResult[];
  readonly passed: readonly PolicyResult[];
  /** Matched but not evaluated: preconditions, exceptions, or not decidable here. */
  readonly skipped: readonly PolicyResult[];
}

const LISTS = ['rejected', 'warned', 'noted', 'passed', 'skipped'] as const;

const LIST_OF: Readonly<Record<Severity, (typeof LISTS)[number]>> = {
  error: 'rejected',
  warning: 'warned',
  info: 'noted',
  hint: 'noted',
};

function listOf({ outcome, severity }: PolicyResult): (typeof LISTS)[number] {
  if (outcome === 'pass') return 'passed';
  if (outcome === 'skip') return 'skipped';
  return outcome === 'warn' && severity === 'error' ? 'warned' : LIST_OF[severity];
}

export function tallyOf(results: readonly PolicyResult[]): PolicyTally {
  const worst = new Map<object, PolicyResult>();
  for (const it of results) {
    const { contentId } = it.location.object.manifest;
    const before = worst.get(contentId);
    if (before === undefined || LISTS.indexOf(listOf(it)) < LISTS.indexOf(listOf(before))) worst.set(contentId, it);
  }
  const worstResults = [...worst.values()];
  const of = (list: (typeof LISTS)[number]) => worstResults.filter(it => listOf(it) === list);
  return {
    rejected: of('rejected'),
    warned: of('warned'),
    noted: of('noted'),
    passed: of('passed'),
    skipped: of('skipped'),
  };
}

export const isAgainst = ({ outcome }: PolicyResult): boolean => outcome !== 'pass' && outcome !== 'skip';

/** All evaluated objects, the worst first. */
export const weighed = ({ rejected, warned, noted, passed }: PolicyTally): readonly PolicyResult[] => [
  ...rejected,
  ...warned,
  ...noted,
  ...passed,
];

/** The objects with results: `all` that it selects, only those `against` it, or those that it `deletes`. */
export type ReportScope = 'all' | 'against' | 'deletes';

/** The scope of a policy's results; undefined: the object is no policy. */
export function reportScopeOf({ group, kind }: WorkspaceObject): ReportScope | undefined {
  if (group === 'constraints.gatekeeper.sh') return 'against';
  if (DELETES.has(`${group}/${kind}`)) return 'deletes';
  return REPORTS_ALL.has(`${group}/${kind}`) ? 'all' : undefined;
}

const REPORTS_ALL: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'kyverno.io/ClusterPolicy',
  'kyverno.io/Policy',
  'policies.kyverno.io/ValidatingPolicy',
  'policies.kyverno.io/NamespacedValidatingPolicy',
  'policies.kyverno.io/ImageValidatingPolicy',
  'policies.kyverno.io/NamespacedImageValidatingPolicy',
]);

const DELETES: ReadonlySet<string> = new Set([
  'kyverno.io/CleanupPolicy',
  'kyverno.io/ClusterCleanupPolicy',
  'policies.kyverno.io/DeletingPolicy',
  'policies.kyverno.io/NamespacedDeletingPolicy',
]);

/** The bindings of an admission policy; undefined: other kinds, which have none. */
export function bindingsOf(policy: WorkspaceObject, snapshot: Snapshot): readonly WorkspaceObject[] | undefined {
  if (policy.group !== 'admissionregistration.k8s.io' || !policy.kind.endsWith('AdmissionPolicy')) return undefined;
  return snapshot
    .objectsOf(policy.group, `${policy.kind}Binding`)
    .filter(it => asText(fieldAt(it.manifest.value, 'spec', 'policyName')) === policy.name);
}

/** The paths of a policy's rules that can reject. */
export function validationsOf({ group, kind, manifest }: WorkspaceObject): readonly FieldPath[] {
  const list = (...at: readonly string[]) =>
    asList(fieldAt(manifest.value, ...at)).map((it, i) => ({ it, at: FieldPath.of(...at, i) }));
  if (group === 'kyverno.io') {
    const rules = list('spec', 'rules');
    return rules.filter(({ it }) => asObject(fieldAt(it, 'validate')) !== undefined).map(it => it.at);
  }
  return kind === 'ValidatingAdmissionPolicy' ? list('spec', 'validations').map(it => it.at) : [];
}
