import { asList, asText } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { expressionsOf } from './expressions';

export const ADMISSION = 'admissionregistration.k8s.io';

/** The admission policies of a workspace, and the objects that they read beside the one of the request. */
export interface AdmissionPolicies {
  readonly validating: readonly WorkspaceObject[];
  readonly validatingBindings: readonly WorkspaceObject[];
  readonly mutating: readonly WorkspaceObject[];
  readonly mutatingBindings: readonly WorkspaceObject[];
  /** Namespaces, and possible parameters of bindings. */
  readonly contextObjects: readonly WorkspaceObject[];
  /** Mutating policies of a minor in which their feature gate is off. */
  readonly off: readonly WorkspaceObject[];
  /** Policies with more than `MOST_EXPRESSIONS`, which are in no other list. */
  readonly large: readonly WorkspaceObject[];
}

/**
 * How many expressions of one policy are compiled, each of which takes the engine some milliseconds. The API server has no
 * such limit.
 */
export const MOST_EXPRESSIONS = 500;

const MUTATING_GATE = 'MutatingAdmissionPolicy';

/**
 * The policies that a server of this minor evaluates: those in API versions that it serves, and mutating ones when
 * their feature is on. undefined when the workspace has no policies.
 */
export function admissionPoliciesOf(snapshot: Snapshot, kube: Kube): AdmissionPolicies | undefined {
  const servedObjects = (kind: string) =>
    snapshot.objectsOf(ADMISSION, kind).filter(it => (kube.kindOf(it.apiVersion, it.kind)?.served ?? 'no') !== 'no');
  const all = servedObjects('ValidatingAdmissionPolicy');
  const written = servedObjects('MutatingAdmissionPolicy');
  if (all.length + written.length === 0) return undefined;
  const [on, off] = kube.isGateOn(MUTATING_GATE) ? [written, []] : [[], written];
  const isLarge = (it: WorkspaceObject): boolean => expressionsOf(it).length > MOST_EXPRESSIONS;
  const large = [...all, ...on].filter(isLarge);
  const [validating, mutating] = [all.filter(it => !large.includes(it)), on.filter(it => !large.includes(it))];
  const validatingBindings = servedObjects('ValidatingAdmissionPolicyBinding');
  const mutatingBindings = mutating.length > 0 ? servedObjects('MutatingAdmissionPolicyBinding') : [];
  const params = [...validating, ...mutating].flatMap(it => paramsOf(it, snapshot));
  const contextObjects = [...new Set([...snapshot.objectsOf('', 'Namespace'), ...params])];
  return { validating, validatingBindings, mutating, mutatingBindings, contextObjects, off, large };
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

/**
 * The resources that a server of this minor serves: built-in kinds, and the custom resources that the workspace
 * defines.
 */
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
