import type { Kube } from '../../kube/kube';
import { lazy } from '../../manifest/lazy';
import type { JsonObject, JsonValue } from '../../manifest/manifest';
import { record } from '../../rules/apiserver/validate/read';
import { RULES } from '../../rules/registry';
import { podCheckOf } from '../../rules/security/check';
import { podViewOf } from '../../rules/security/pod';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { celEngine, policyCelEngine } from './cel/engine';
import type { ClusterLibrary } from './cel/libraries';
import { existingObjects } from './existing';
import { jmespath } from './jmespath/jmespath';
import type { PodSecurityJudges } from './podSecurity';
import { subjectOf, textsOf } from './subject';
import type { KyvernoWorld } from './world';

/** What the objects do not tell. */
export interface WorldFacts {
  /** Milliseconds since 1970; without it what asks for the time is undecided. */
  readonly now?: number;
  /** What a registry tells of images, by their names. */
  readonly images?: ReadonlyMap<string, JsonObject>;
  /** What a suite answers in the place of others. */
  readonly mocks?: Pick<ClusterLibrary, 'globalEntry' | 'httpCall'>;
}

/** The world as the objects of one environment describe it. */
export function workspaceWorld(kube: Kube, snapshot: Snapshot, { now, images, mocks }: WorldFacts = {}): KyvernoWorld {
  const first = (group: string, kind: string, namespace: string | undefined, name: string) =>
    snapshot.find(group, kind, namespace, name)[0]?.manifest.value;
  const cluster = { ...clusterLibrary(kube, snapshot, images), ...mocks };
  return {
    jmespath: jmespath(now),
    cel: celEngine(),
    policyCel: policyCelEngine(cluster),
    generatingCel: policyCelEngine(cluster, 'of any type'),
    podSecurity: podSecurityJudges(kube, snapshot),
    configMap: (namespace, name) => first('', 'ConfigMap', namespace, name),
    namespace: name => first('', 'Namespace', undefined, name),
    namespaceLabels: name => {
      const found = first('', 'Namespace', undefined, name);
      return { 'kubernetes.io/metadata.name': name, ...textsOf(record(found, 'metadata')?.labels) };
    },
    apiCall: path => answerTo(path, cluster),
    objectsOf: (apiVersion, kind) => snapshot.objectsOf(groupOf(apiVersion), kind).map(it => it.manifest.value),
    existing: existingObjects(() =>
      [...snapshot.files].flatMap(([uri, file]) =>
        snapshot.roles.of(file) === 'objects' ? snapshot.objectsIn(uri).map(it => subjectOf(it)) : [],
      ),
    ),
    resourceName: (group, version, kind) => resourceName(kube, group, version, kind),
    schemaOf: (apiVersion, kind) => kube.kindOf(apiVersion, kind)?.schema,
    isNamespaced: (apiVersion, kind) => kube.kindOf(apiVersion, kind)?.namespaced ?? true,
    exceptions: snapshot.objectsOf('kyverno.io', 'PolicyException').map(it => it.manifest.value),
    celExceptions: snapshot.objectsOf('policies.kyverno.io', 'PolicyException').map(it => it.manifest.value),
  };
}

const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';

/** As the API knows it; else as names of resources are usually made of kinds. Upstream: meta.UnsafeGuessKindToResource. */
function resourceName(kube: Kube, group: string, version: string, kind: string): string {
  const known = kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.resource;
  if (known !== undefined) return known;
  const singular = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function podSecurityJudges(kube: Kube, snapshot: Snapshot): PodSecurityJudges {
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

/** Objects of the workspace. An empty list is an answer only where the workspace is known to hold everything. */
function clusterLibrary(kube: Kube, snapshot: Snapshot, images: WorldFacts['images']): ClusterLibrary {
  const byResource = lazy(() => {
    const found = new Map<string, WorkspaceObject[]>();
    for (const object of [...snapshot.files.keys()].flatMap(it => snapshot.objectsIn(it))) {
      const { group, version, kind, apiVersion } = object;
      const resource = `${apiVersion} ${resourceName(kube, group, version, kind)}`;
      const same = found.get(resource) ?? [];
      same.push(object);
      found.set(resource, same);
    }
    return found;
  });
  const objects = (apiVersion: string, resource: string) => byResource().get(`${apiVersion} ${resource}`) ?? [];
  return {
    get: (apiVersion, resource, namespace, name) =>
      objects(apiVersion, resource).find(it => it.name === name && (namespace === '' || it.namespace === namespace))
        ?.manifest.value,
    list: (apiVersion, resource, namespace) => {
      const found = objects(apiVersion, resource).filter(it => namespace === '' || it.namespace === namespace);
      return found.length === 0 && !snapshot.complete ? undefined : found.map(it => it.manifest.value);
    },
    imageMetadata: name => images?.get(name),
  };
}
