import { asText } from '../../base/json';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { podsSelected, selectsPods } from '../../workspace/references/definitions';
import type { ObjectTarget, PodsTarget } from '../../workspace/references/references';
import type { RuleContext } from '../framework/rule';

/**
 * An object without a namespace is created where kubectl, a kustomization or a deployment tool puts it. Until the
 * sources are complete, or the configuration sets the namespace, it may be in any namespace, and so may the objects
 * that it refers to.
 */

/** Whether a missing object may be in another namespace, because one of the two namespaces is not written. */
export function mayBeElsewhere({ snapshot }: RuleContext, from: WorkspaceObject, target: ObjectTarget): boolean {
  const { group, kind, namespace, name } = target;
  if (snapshot.complete || snapshot.namespace !== undefined || namespace === undefined) return false;
  if (snapshot.find(group, kind, 'default', name).some(it => !hasNamespace(it))) return true;
  if (hasNamespace(from) || namespace !== (from.namespace ?? 'default')) return false;
  return snapshot.objectsOf(group, kind).some(it => it.name === name);
}

/**
 * Whether the location of a referenced object is certain: it does not depend on the namespace that the referring object
 * is created in.
 */
export function isLocationCertain(from: WorkspaceObject, { namespace }: ObjectTarget): boolean {
  return namespace === undefined || hasNamespace(from) || namespace !== (from.namespace ?? 'default');
}

/** Whether Pods that match a selector may be in a namespace that it does not search. */
export function maySelectElsewhere({ snapshot }: RuleContext, from: WorkspaceObject, target: PodsTarget): boolean {
  if (snapshot.complete || snapshot.namespace !== undefined) return false;
  if (!hasNamespace(from)) return selectsPods(snapshot, { ...target, namespaces: 'any' });
  return podsSelected(snapshot, { ...target, namespaces: ['default'] }).some(it => !hasNamespace(it));
}

function hasNamespace({ manifest }: WorkspaceObject): boolean {
  return asText(fieldAt(manifest.value, 'metadata', 'namespace')) !== undefined;
}
