import { FieldPath } from '../../manifest/fieldPath';
import type { Severity } from '../../rules/problem';
import type { WorkspaceObject } from '../../workspace/workspace';
import { placeOfMessage } from '../blame';
import type { PolicyResult } from '../result';

/** The engine's answer for one object. */
export interface Review {
  readonly violations: readonly Violation[];
  readonly error?: string;
}

interface Violation {
  /** KIND/NAME */
  readonly constraint: string;
  /** deny, warn, dryrun; `scoped` where each enforcement point has its own. */
  readonly action: string;
  readonly scopedActions?: readonly string[];
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const SEVERITIES: Readonly<Record<string, Severity>> = { deny: 'error', warn: 'warning', dryrun: 'info' };

export function resultsOfReview(
  object: WorkspaceObject,
  { violations, error }: Review,
  constraints: readonly WorkspaceObject[],
): readonly PolicyResult[] {
  const failed: readonly PolicyResult[] =
    error === undefined
      ? []
      : [
          {
            engine: 'gatekeeper',
            policy: 'review',
            outcome: 'error',
            severity: 'warning',
            message: `Gatekeeper cannot tell whether its constraints hold: ${error}`,
            place: { object, at: FieldPath.of('kind'), part: 'value' },
          },
        ];
  return [...failed, ...violations.map(it => resultOf(object, it, constraints))];
}

function resultOf(object: WorkspaceObject, it: Violation, constraints: readonly WorkspaceObject[]): PolicyResult {
  const slash = it.constraint.indexOf('/');
  const [kind, name] = [it.constraint.slice(0, slash), it.constraint.slice(slash + 1)];
  const constraint = constraints.find(other => other.kind === kind && other.name === name);
  return {
    engine: 'gatekeeper',
    policy: kind,
    rule: name,
    outcome: 'fail',
    severity: severityOf(it),
    message: `${it.message} (constraint ${name})`,
    place: placeOfMessage(object, it.message, it.details?.details ?? it.details),
    ...(constraint && { source: { object: constraint, at: FieldPath.of('metadata', 'name'), part: 'value' as const } }),
  };
}

/** The strictest of the actions that count. */
function severityOf({ action, scopedActions = [] }: Violation): Severity {
  const actions = action === 'scoped' ? scopedActions : [action];
  const strictest = ['deny', 'warn', 'dryrun'].find(it => actions.includes(it));
  return SEVERITIES[strictest ?? ''] ?? 'error';
}
