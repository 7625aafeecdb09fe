import type { Severity } from './problem';
import type { RuleContext } from './rule';

/** "Defined nowhere" is an error only where all sources are known to be there; else it is a hint at best. */
export function absenceSeverity({ snapshot }: RuleContext): Severity {
  return snapshot.complete ? 'error' : 'info';
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

/** Where a name was looked for, for the end of a message. */
export function lookedIn({ snapshot }: RuleContext): string {
  return snapshot.complete ? 'is defined nowhere' : 'is not defined in this workspace';
}
