import { compareText } from '../../base/compareText';
import type { JsonObject, JsonValue } from '../../base/json';
import { lazy, lazyByText } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { groupOf } from '../../kube/apiVersion';
import { record } from '../../kube/goFields';
import { guessedResource } from '../../kube/guessedResource';
import type { Kube } from '../../kube/kube';
import { RULES } from '../../rules/engine/registry';
import { podCheckOf } from '../../rules/security/check';
import { podViewOf } from '../../rules/security/pod';
import { allObjects } from '../../workspace/allObjects';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { objectsAmong } from '../policySet';
import { celEngine, policyCelEngine } from './cel/engine';
import type { ClusterLibrary } from './cel/libraries';
import type { PodSecurityChecks } from './engine/podSecurity';
import { isOfCluster } from './evaluation/workspaceObjects';
import { jmespath } from './jmespath/jmespath';
import { celExceptionsByPolicy, exceptionsByPolicy } from './policies/exceptions';
import { notingLibrary, notingWorld, type ReadRecorder } from './reads';
import { clusterObjects } from './resource/clusterObjects';
import { resourceOf, textsOf } from './resource/resource';
import type { KyvernoWorld } from './world';

/** What the objects of a workspace do not contain. */
export interface WorldOptions {
  /** Milliseconds since 1970; without it, functions of the current time are indeterminate. */
  readonly now?: number;
  /** Registry metadata of images, by image name. */
  readonly images?: ReadonlyMap<string, JsonObject>;
  /** Responses that a suite mocks. */
  readonly mocks?: Pick<ClusterLibrary, 'globalEntry' | 'httpCall'>;
  /** Called for what is read of objects. */
  readonly note?: ReadRecorder['note'];
}

/** The world as the objects of one environment describe it. */
export function workspaceWorld(
  kube: Kube,
  snapshot: Snapshot,
  { now, images, mocks, note }: WorldOptions = {},
): KyvernoWorld {
  const first = (group: string, kind: string, namespace: string | undefined, name: string) =>
    snapshot.find(group, kind, namespace, name)[0]?.manifest.value;
  const ofGroup = lazyByText(group =>
    lazyByText(kind => inServersOrder(snapshot.objectsOf(group, kind)).map(it => it.manifest.value)),
  );
  const valuesOf = (group: string, kind: string) => ofGroup(group)(kind);
  const namespace = lazyByText(name => first('', 'Namespace', undefined, name));
  const library = { ...clusterLibrary(kube, snapshot, images), ...mocks };
  const cluster = note === undefined ? library : notingLibrary(library, note);
  const world: KyvernoWorld = {
    jmespath: jmespath(now),
    cel: celEngine(),
    policyCel: policyCelEngine(cluster),
    generatingCel: policyCelEngine(cluster, 'of any type'),
    podSecurity: podSecurityChecks(kube, snapshot),
    configMap: (namespace, name) => first('', 'ConfigMap', namespace, name),
    namespace,
    namespaceLabels: lazyByText(name => ({
      'kubernetes.io/metadata.name': name,
      ...textsOf(record(namespace(name), 'metadata')?.labels),
    })),
    library,
    apiCall: lazyByText(path => answerTo(path, library)),
    objectsOf: (apiVersion, kind) => valuesOf(groupOf(apiVersion), kind),
    clusterObjects: clusterObjects(() =>
      inServersOrder(objectsAmong(snapshot, isOfCluster(snapshot))()).map(it => resourceOf(it)),
    ),
    resourceName: (group, version, kind) => resourceName(kube, group, version, kind),
    kindLike: kindFinder(kube),
    schemaOf: (apiVersion, kind) => kube.kindOf(apiVersion, kind)?.schema,
    isNamespaced: (apiVersion, kind) => kube.kindOf(apiVersion, kind)?.namespaced ?? true,
    exceptionsOf: exceptionsByPolicy(valuesOf('kyverno.io', 'PolicyException')),
    celExceptionsOf: celExceptionsByPolicy(valuesOf('policies.kyverno.io', 'PolicyException')),
  };
  return note === undefined ? world : notingWorld(world, note);
}

/** The resource name of a kind: known, or guessed from the kind. */
function resourceName(kube: Kube, group: string, version: string, kind: string): string {
  const known = kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.resource;
  return known ?? guessedResource(kind);
}

function kindFinder(kube: Kube): KyvernoWorld['kindLike'] {
  const byName = lazy(() => {
    const named = kube.kinds().flatMap(it => [it.kind.toLowerCase(), it.resource].map(name => ({ name, it })));
    return grouped(named, it => it.name);
  });
  return (group, name) => {
    const all = (byName().get(name.toLowerCase()) ?? [])
      .map(it => it.it)
      .filter(it => group === '*' || it.group === group);
    return all.some(it => it.kind === name) ? undefined : all[0]?.kind;
  };
}

function podSecurityChecks(kube: Kube, snapshot: Snapshot): PodSecurityChecks {
  return {
    checks: RULES.flatMap(it => podCheckOf(it) ?? []),
    viewOf: ({ object, value }) => {
      const kind = kube.kindOf(object.apiVersion, object.kind);
      return podViewOf({ object, value, kind }, { kube, snapshot });
    },
  };
}

/** A GET of one object or of a list, without parameters. */
function answerTo(path: string, cluster: ClusterLibrary): JsonValue | undefined {
  const [, core, group, rest = ''] = /^\/?(?:api\/([^/]+)|apis\/([^/]+\/[^/]+))\/([^?]+)$/.exec(path) ?? [];
  const apiVersion = core ?? group;
  if (apiVersion === undefined) return undefined;
  const steps = rest.split('/').filter(it => it !== '');
  const isInNamespace = steps[0] === 'namespaces' && steps.length > 2;
  const [namespace = '', resource = '', name, ...more] = isInNamespace ? steps.slice(1) : ['', ...steps];
  if (more.length > 0) return undefined;
  if (name !== undefined) return cluster.get(apiVersion, resource, namespace, name);
  const items = cluster.list(apiVersion, resource, namespace);
  return items && { apiVersion, kind: 'List', items };
}

/** Objects of the workspace. An empty list is an answer only when the workspace is known to be complete. */
function clusterLibrary(kube: Kube, snapshot: Snapshot, images: WorldOptions['images']): ClusterLibrary {
  const byResource = lazy(() =>
    grouped(
      allObjects(snapshot),
      ({ group, version, kind, apiVersion }) => `${apiVersion} ${resourceName(kube, group, version, kind)}`,
    ),
  );
  const byName = lazyByText(resource => grouped(byResource().get(resource) ?? [], it => it.name));
  // Every caller gets the same list, so that callers can cache what they compute from it.
  const listed = lazyByText(resource => {
    const all = inServersOrder(byResource().get(resource) ?? []);
    return lazyByText(namespace => valuesIn(namespace, all));
  });
  return {
    get: (apiVersion, resource, namespace, name) =>
      byName(`${apiVersion} ${resource}`)
        .get(name)
        ?.find(it => namespace === '' || it.namespace === namespace)?.manifest.value,
    list: (apiVersion, resource, namespace) => {
      const found = listed(`${apiVersion} ${resource}`)(namespace);
      return found.length === 0 && !snapshot.complete ? undefined : found;
    },
    imageMetadata: name => images?.get(name),
  };
}

/**
 * The objects of each kind as the API server lists them, in the order of their keys in etcd. The order of files depends on which of
 * them were created, or read, later.
 */
const inServersOrder = (objects: readonly WorkspaceObject[]): readonly WorkspaceObject[] =>
  objects
    .map(it => [`${it.namespace ?? ''}/${it.name ?? ''}`, it] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, it]) => it);

const valuesIn = (namespace: string, objects: readonly WorkspaceObject[]): readonly JsonObject[] =>
  objects.filter(it => namespace === '' || it.namespace === namespace).map(it => it.manifest.value);
