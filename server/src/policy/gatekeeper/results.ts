import type { JsonObject } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { FieldPath } from '../../manifest/fieldPath';
import type { Severity } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { IncomingObject, MutatorResult } from '../admission/mutator';
import { locationOfMessage } from '../messageLocation';
import { changesBetween, type MutationPreview } from '../mutation';
import type { PolicyResult } from '../result';
import { isOneAsked, type PolicyScopes } from '../scopes';

/** The engine's answer for one object. */
export interface Review {
  readonly violations: readonly Violation[];
  readonly mutations?: readonly Mutation[];
  readonly mutationError?: string;
  readonly error?: string;
  /** The kinds of the matching constraints that read `data.inventory`. */
  readonly looked?: readonly string[];
}

/** One mutator's step, with the whole object after it. */
interface Mutation {
  readonly kind: string;
  readonly name: string;
  readonly object: JsonObject;
}

interface Violation {
  /** KIND/NAME */
  readonly constraint: string;
  /** deny, warn, dryrun; `scoped` when each enforcement point has its own action. */
  readonly action: string;
  readonly scopedActions?: readonly string[];
  /** The enforcement point, unless it is the webhook. */
  readonly point?: string;
  /** The ExpansionTemplate that created the violating resource. */
  readonly expansion?: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const AUDIT = 'audit.gatekeeper.sh';

/** Message suffixes for enforcement points other than the webhook. */
const POINTS: Readonly<Record<string, string>> = {
  'vap.k8s.io': ', as a ValidatingAdmissionPolicy',
  'gator.gatekeeper.sh': ', in gator only',
  [AUDIT]: ', in audits only',
};

const SEVERITIES: Readonly<Record<string, Severity>> = { deny: 'error', warn: 'warning', dryrun: 'info' };

/** The results for an object. Constraints of `skippedKinds` depend on external data and are left out. */
export function resultsOfReview(
  object: WorkspaceObject,
  { violations, error }: Review,
  constraints: readonly WorkspaceObject[],
  skippedKinds: ReadonlySet<string>,
): readonly PolicyResult[] {
  const failure = error === undefined ? [] : [`Gatekeeper cannot tell whether its constraints hold: ${error}`];
  return [
    ...failure.map(it => failed(object, it)),
    ...violations.filter(it => !skippedKinds.has(kindOf(it))).map(it => resultOf(object, it, constraints)),
  ];
}

/** The webhook's answer where constraints deny the request. Upstream: getValidationMessages. */
export function denialBy({ violations }: Review, skippedKinds: ReadonlySet<string>): string | undefined {
  const denying = violations.filter(
    it => it.point === undefined && severityOf(it) === 'error' && !skippedKinds.has(kindOf(it)),
  );
  if (denying.length === 0) return undefined;
  const said = denying.map(it => `[${it.constraint.slice(it.constraint.indexOf('/') + 1)}] ${it.message}`);
  return `admission webhook "validation.gatekeeper.sh" denied the request: ${said.join('; ')}`;
}

const failed = (object: WorkspaceObject, message: string): PolicyResult => ({
  engine: 'gatekeeper',
  policy: 'review',
  outcome: 'error',
  severity: 'warning',
  message,
  location: { object, at: FieldPath.of('kind'), part: 'value' },
});

/** The steps of all mutators, in order. */
export function mutatedByReview(
  arriving: IncomingObject,
  review: Review,
  mutators: readonly WorkspaceObject[],
): MutatorResult {
  const { object, value } = arriving;
  const { mutations = [], mutationError } = review;
  const failure =
    mutationError === undefined
      ? []
      : [`Gatekeeper cannot mutate this object, and lets it pass as it is: ${mutationError}`];
  return {
    value: mutations.at(-1)?.object ?? value,
    mutations: mutations.map(({ kind, name, object: after }, i): MutationPreview => {
      const source = mutators.find(it => it.kind === kind && it.name === name);
      const changes = changesBetween(mutations[i - 1]?.object ?? value, after);
      return { policy: name, kind, changes, ...(source && { source }) };
    }),
    results: failure.map(it => failed(object, it)),
  };
}

const kindOf = ({ constraint }: Violation): string => constraint.slice(0, constraint.indexOf('/'));

/** The review without the violations of constraints that are not asked about the object. */
export function reviewWithin(
  scopes: PolicyScopes,
  object: WorkspaceObject,
  review: Review,
  constraints: readonly WorkspaceObject[],
): Review {
  const isMeant = (it: Violation): boolean => isOneAsked(scopes, constraintsOf(it, constraints), object);
  return { ...review, violations: review.violations.filter(isMeant) };
}

const constraintsOf = (
  { constraint }: Violation,
  constraints: readonly WorkspaceObject[],
): readonly WorkspaceObject[] => byKindAndName(constraints).get(constraint) ?? [];

const byKindAndName = lazyByObject((constraints: readonly WorkspaceObject[]) =>
  grouped(constraints, it => `${it.kind}/${it.name}`),
);

function resultOf(object: WorkspaceObject, it: Violation, constraints: readonly WorkspaceObject[]): PolicyResult {
  const kind = kindOf(it);
  const name = it.constraint.slice(kind.length + 1);
  const [constraint] = constraintsOf(it, constraints);
  return {
    engine: 'gatekeeper',
    policy: kind,
    rule: name,
    outcome: 'fail',
    severity: severityOf(it),
    message: `${it.message} (constraint ${name}${POINTS[it.point ?? ''] ?? ''})`,
    location: locationOfMessage(object, it.message, it.details?.details ?? it.details),
    ...(constraint && { source: { object: constraint, at: FieldPath.of('metadata', 'name'), part: 'value' as const } }),
  };
}

/** The strictest action. Audits only report, whatever the action. */
function severityOf({ action, scopedActions = [], point }: Violation): Severity {
  if (point === AUDIT) return 'info';
  const actions = action === 'scoped' ? scopedActions : [action];
  const strictest = ['deny', 'warn', 'dryrun'].find(it => actions.includes(it));
  return SEVERITIES[strictest ?? ''] ?? 'error';
}
