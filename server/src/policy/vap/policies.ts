import { asList, asText } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';

export const ADMISSION = 'admissionregistration.k8s.io';

/** The admission policies of a workspace, and the objects that they look at besides the one of the request. */
export interface AdmissionPolicies {
  readonly validating: readonly WorkspaceObject[];
  readonly validatingBindings: readonly WorkspaceObject[];
  readonly mutating: readonly WorkspaceObject[];
  readonly mutatingBindings: readonly WorkspaceObject[];
  /** Namespaces, and whatever may be a parameter of a binding. */
  readonly contextObjects: readonly WorkspaceObject[];
  /** Mutating policies that this minor asks with its feature gate only, which is off. */
  readonly off: readonly WorkspaceObject[];
}

const MUTATING_GATE = 'MutatingAdmissionPolicy';

/**
 * The policies that a server of this minor asks: those of API versions that it has, and mutating ones where their feature
 * is on. undefined when the workspace has none of either.
 */
export function admissionPoliciesOf(snapshot: Snapshot, kube: Kube): AdmissionPolicies | undefined {
  const known = (kind: string) =>
    snapshot.objectsOf(ADMISSION, kind).filter(it => (kube.kindOf(it.apiVersion, it.kind)?.served ?? 'no') !== 'no');
  const validating = known('ValidatingAdmissionPolicy');
  const written = known('MutatingAdmissionPolicy');
  if (validating.length + written.length === 0) return undefined;
  const [mutating, off] = kube.isGateOn(MUTATING_GATE) ? [written, []] : [[], written];
  const validatingBindings = known('ValidatingAdmissionPolicyBinding');
  const mutatingBindings = mutating.length > 0 ? known('MutatingAdmissionPolicyBinding') : [];
  const params = [...validating, ...mutating].flatMap(it => paramsOf(it, snapshot));
  const around = [...new Set([...snapshot.objectsOf('', 'Namespace'), ...params])];
  return { validating, validatingBindings, mutating, mutatingBindings, contextObjects: around, off };
}

function paramsOf(policy: WorkspaceObject, snapshot: Snapshot): readonly WorkspaceObject[] {
  const paramKind = fieldAt(policy.manifest.value, 'spec', 'paramKind');
  const [apiVersion, kind] = [asText(fieldAt(paramKind, 'apiVersion')), asText(fieldAt(paramKind, 'kind'))];
  if (apiVersion === undefined || kind === undefined) return [];
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return snapshot.objectsOf(group, kind).filter(it => it.apiVersion === apiVersion);
}

/** Upstream: the engine's apiResource. */
export interface ApiResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What a server of this minor serves: built-in kinds, and the custom resources that the workspace defines or uses. */
export function apiResourcesOf(kube: Kube, snapshot: Snapshot): readonly ApiResource[] {
  const builtIn = kube
    .kinds()
    .filter(it => it.served === 'on')
    .map(({ group, version, resource, kind, namespaced }) => ({ group, version, resource, kind, namespaced }));
  const own = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition').flatMap(resourcesOfDefinition);
  const known = new Set(builtIn.map(it => `${it.group}/${it.version}/${it.kind}`));
  return [...builtIn, ...own.filter(it => !known.has(`${it.group}/${it.version}/${it.kind}`))];
}

function resourcesOfDefinition({ manifest }: WorkspaceObject): readonly ApiResource[] {
  const spec = fieldAt(manifest.value, 'spec');
  const group = asText(fieldAt(spec, 'group'));
  const resource = asText(fieldAt(spec, 'names', 'plural'));
  const kind = asText(fieldAt(spec, 'names', 'kind'));
  if (group === undefined || resource === undefined || kind === undefined) return [];
  return asList(fieldAt(spec, 'versions')).flatMap(it => {
    const version = asText(fieldAt(it, 'name'));
    if (version === undefined || fieldAt(it, 'served') === false) return [];
    return [{ group, version, resource, kind, namespaced: fieldAt(spec, 'scope') !== 'Cluster' }];
  });
}
