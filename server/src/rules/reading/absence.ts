import { t } from '../../base/l10n';
import type { Severity } from '../framework/problem';
import type { RuleContext } from '../framework/rule';

/** The kind and namespace of an object that may be missing. */
export interface KindInNamespace {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | undefined;
}

/**
 * Whether a missing object is certain not to exist: the sources are declared complete, or the chosen cluster has listed
 * all objects of the kind.
 */
export function isAbsenceCertain({ snapshot, isListedInCluster }: RuleContext, target?: KindInNamespace): boolean {
  if (snapshot.complete) return true;
  return target !== undefined && isListedInCluster?.(target.group, target.kind, target.namespace) === true;
}

/** A missing object is an error only if it is certain not to exist; else it is at most a hint. */
export function absenceSeverity(context: RuleContext, target?: KindInNamespace): Severity {
  return isAbsenceCertain(context, target) ? 'error' : 'info';
}

/** Whether an object is in the workspace or in the chosen cluster. */
export function isDefined(
  { snapshot, isInCluster }: RuleContext,
  group: string,
  kind: string,
  namespace: string | undefined,
  name: string,
): boolean {
  return snapshot.find(group, kind, namespace, name).length > 0 || isInCluster?.(group, kind, namespace, name) === true;
}

/**
 * The end of a message about a missing object: where it was searched for. The severity is that of `absenceSeverity`.
 */
export function absenceText({ snapshot }: RuleContext, severity: Severity | undefined): string {
  if (snapshot.complete) return t('is defined nowhere');
  return severity === 'error'
    ? t('is neither in this workspace nor in the cluster')
    : t('is not defined in this workspace');
}
