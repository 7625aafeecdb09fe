import { asList, asText, type JsonObject, type UnknownObject } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { groupOf } from '../../kube/apiVersion';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { objectWithoutFile } from '../admission/unwritten';
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
  /** Policies after the first `MOST_POLICIES` of their kind, which are in no other list. */
  readonly surplus: readonly WorkspaceObject[];
}

/** How many policies of a kind are asked. The API server has no such limit. */
export const MOST_POLICIES = 200;

/**
 * How many expressions of one policy are compiled, each of which takes the engine some milliseconds. The API server has no
 * such limit.
 */
export const MOST_EXPRESSIONS = 500;

const MUTATING_GATE = 'MutatingAdmissionPolicy';

/** The whole objects of the chosen cluster, whose policies are asked about what the workspace writes. */
export interface PolicyCluster {
  objectsOf(group: string, kind: string): readonly UnknownObject[];
}

const POLICY_KINDS = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'];

/** Whether a cluster has policies. */
export const hasAdmissionPolicies = (cluster: PolicyCluster | undefined): boolean =>
  POLICY_KINDS.some(it => (cluster?.objectsOf(ADMISSION, it) ?? []).length > 0);

/**
 * The policies that a server of this minor evaluates: those in API versions that it serves, and mutating ones when
 * their feature is on. undefined when neither the workspace nor the cluster has policies. What is in both counts as it is
 * written. A policy of the cluster whose parameters were not read is left out.
 */
export function admissionPoliciesOf(
  snapshot: Snapshot,
  kube: Kube,
  cluster?: PolicyCluster,
): AdmissionPolicies | undefined {
  const ofBoth = (group: string, kind: string): readonly WorkspaceObject[] => {
    const written = snapshot.objectsOf(group, kind);
    const names = new Set(written.map(it => it.name));
    const others = (cluster?.objectsOf(group, kind) ?? []).map(it => objectWithoutFile(it as JsonObject, kube));
    return [...written, ...others.filter(it => !names.has(it.name) && !lacksParams(it.manifest.value, cluster))];
  };
  const servedObjects = (kind: string) =>
    ofBoth(ADMISSION, kind).filter(it => (kube.kindOf(it.apiVersion, it.kind)?.served ?? 'no') !== 'no');
  const all = servedObjects('ValidatingAdmissionPolicy');
  const written = servedObjects('MutatingAdmissionPolicy');
  if (all.length + written.length === 0) return undefined;
  const [on, off] = kube.isGateOn(MUTATING_GATE) ? [written, []] : [[], written];
  const isLarge = (it: WorkspaceObject): boolean => expressionsOf(it).length > MOST_EXPRESSIONS;
  const large = [...all, ...on].filter(isLarge);
  const isTooLarge = new Set(large);
  const isSmall = (it: WorkspaceObject): boolean => !isTooLarge.has(it);
  const [validators, mutators] = [all.filter(isSmall), on.filter(isSmall)];
  const [validating, mutating] = [validators.slice(0, MOST_POLICIES), mutators.slice(0, MOST_POLICIES)];
  const surplus = [...validators.slice(MOST_POLICIES), ...mutators.slice(MOST_POLICIES)];
  const validatingBindings = servedObjects('ValidatingAdmissionPolicyBinding');
  const mutatingBindings = mutating.length > 0 ? servedObjects('MutatingAdmissionPolicyBinding') : [];
  const params = [...validating, ...mutating].flatMap(it => paramsOf(it, ofBoth));
  const contextObjects = [...new Set([...ofBoth('', 'Namespace'), ...params])];
  return { validating, validatingBindings, mutating, mutatingBindings, contextObjects, off, large, surplus };
}

/** The first object of a name in a list of policies or bindings. */
export const named = (all: readonly WorkspaceObject[], name: string): WorkspaceObject | undefined =>
  byName(all).get(name);

const byName = lazyByObject(
  (all: readonly WorkspaceObject[]): ReadonlyMap<string | undefined, WorkspaceObject> =>
    new Map(all.map(it => [it.name, it] as const).toReversed()),
);

/** The mutating policies that are evaluated; the others are told with the validating ones. */
export const onlyMutating = (all: AdmissionPolicies): AdmissionPolicies => ({
  ...all,
  validating: [],
  validatingBindings: [],
  off: [],
  large: [],
  surplus: [],
});

/** All but the mutating policies that are evaluated. */
export const withoutMutating = (all: AdmissionPolicies): AdmissionPolicies => ({
  ...all,
  mutating: [],
  mutatingBindings: [],
});

function paramsOf(
  policy: WorkspaceObject,
  objectsOf: (group: string, kind: string) => readonly WorkspaceObject[],
): readonly WorkspaceObject[] {
  const found = paramKindOf(policy.manifest.value);
  return found === undefined ? [] : objectsOf(found.group, found.kind).filter(it => it.apiVersion === found.apiVersion);
}

function paramKindOf(policy: JsonObject) {
  const paramKind = fieldAt(policy, 'spec', 'paramKind');
  const [apiVersion, kind] = [asText(fieldAt(paramKind, 'apiVersion')), asText(fieldAt(paramKind, 'kind'))];
  if (apiVersion === undefined || kind === undefined) return undefined;
  return { apiVersion, kind, group: groupOf(apiVersion) };
}

/** The policies of a cluster that are not asked, since their parameters were not read. */
export const unaskedPolicies = (
  cluster: PolicyCluster,
): readonly { readonly policy: string; readonly params: string }[] =>
  POLICY_KINDS.flatMap(kind =>
    cluster.objectsOf(ADMISSION, kind).flatMap(it => {
      const value = it as JsonObject;
      const params = paramKindOf(value)?.kind;
      const name = asText(fieldAt(value, 'metadata', 'name')) ?? '';
      return params !== undefined && lacksParams(value, cluster) ? [{ policy: `${kind} ${name}`, params }] : [];
    }),
  );

/** Whether a policy of the cluster has parameters of a kind of which the cluster gave no whole objects. */
function lacksParams(policy: JsonObject, cluster: PolicyCluster | undefined): boolean {
  const found = paramKindOf(policy);
  if (found === undefined) return false;
  // Of ConfigMaps and Secrets a source has no more than their names.
  return found.group === '' || (cluster?.objectsOf(found.group, found.kind) ?? []).length === 0;
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
