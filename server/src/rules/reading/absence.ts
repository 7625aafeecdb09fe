import type { Severity } from '../framework/problem';
import type { RuleContext } from '../framework/rule';

/** What is looked for. */
export interface Sought {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | undefined;
}

/**
 * Whether "not there" is known: all sources are said to be there, or the chosen cluster has told all objects of the kind
 * that is looked for.
 */
export function isSettled({ snapshot, isListedInCluster }: RuleContext, sought?: Sought): boolean {
  if (snapshot.complete) return true;
  return sought !== undefined && isListedInCluster?.(sought.group, sought.kind, sought.namespace) === true;
}

/** "Defined nowhere" is an error only where all sources are known to be there; else it is a hint at best. */
export function absenceSeverity(context: RuleContext, sought?: Sought): Severity {
  return isSettled(context, sought) ? 'error' : 'info';
}

/** Whether an object is written in the workspace or known from the chosen cluster. */
export function isKnown(
  { snapshot, isInCluster }: RuleContext,
  group: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): boolean {
  return snapshot.find(group, kind, namespace, name).length > 0 || isInCluster?.(group, kind, namespace, name) === true;
}

/** Where a name was looked for, for the end of a message; the severity is that of `absenceSeverity`. */
export function lookedIn({ snapshot }: RuleContext, severity: Severity | undefined): string {
  if (snapshot.complete) return 'is defined nowhere';
  return severity === 'error' ? 'is neither in this workspace nor in the cluster' : 'is not defined in this workspace';
}
