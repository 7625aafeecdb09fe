import { joined } from '../../base/joined';
import { isObject } from '../../base/json';
import { push } from '../../base/multiMap';
import { holdsPods, podTemplatePath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../object';
import { type GeneratedObject, generatedBy } from './generatedObjects';
import { valueAt } from './pattern';
import { findReferences, mayRefer, type ObjectTarget, type Reference, textsOf, type Use } from './references';
import { sharedPath } from './sharedPath';

/** The references among the objects of one snapshot. */
export interface ReferenceIndex {
  /** The references of an object. */
  of(object: WorkspaceObject): readonly Reference[];
  /** The references to an object by its name, without those to its parts. */
  to(target: Named): readonly Use[];
  /** The references to names inside one object, such as the keys of a ConfigMap. */
  toPartsOf(target: Named): readonly Use[];
  /** The references to names inside any object of a kind, such as the profiles of a scheduler. */
  toPartsOfKind(group: string, kind: string): readonly Use[];
  /** The references to names inside Pods that a selector matches. */
  toPartsOfPods(): readonly Use[];
  /** The selectors of Pods. */
  selectors(): readonly Use[];
  /** Objects of the workspace whose controllers create the target of a reference. */
  generatorsOf(target: ObjectTarget): readonly GeneratedObject[];
  /** Pods and workloads of a namespace with the labels of their Pods. */
  podsIn(namespace: string): readonly PodLabels[];
  /** The Pods and workloads with a label; much faster than a search through all of them. */
  podsWith(namespace: string, label: string, value: string): readonly PodLabels[];
  /** The namespaces with Pods or workloads. */
  namespacesOfPods(): readonly string[];
}

export interface Named {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** The labels of a Pod, or of the Pods that a workload creates. */
export interface PodLabels {
  readonly object: WorkspaceObject;
  readonly labels: Readonly<Record<string, string>>;
  /** The path of the object with the `metadata` and `spec` of the Pod. */
  readonly at: FieldPath;
}

/**
 * The entries of some objects for each index, by key; not kept, since they are needed only when the objects are added
 * or removed.
 */
export interface FileReferences {
  readonly uses: () => ReadonlyMap<string, readonly Use[]>;
  readonly made: () => ReadonlyMap<string, readonly GeneratedObject[]>;
  /** By namespace. */
  readonly pods: () => ReadonlyMap<string, readonly PodLabels[]>;
  /** By namespace, label and value. */
  readonly labelled: () => ReadonlyMap<string, readonly PodLabels[]>;
}

/** The indexes of all files. */
export interface ReferenceIndexes {
  readonly uses: Lookup<Use>;
  readonly made: Lookup<GeneratedObject>;
  readonly pods: Lookup<PodLabels>;
  readonly labelled: Lookup<PodLabels>;
}

export interface Lookup<T> {
  get(key: string): readonly T[];
  keys(): readonly string[];
}

/** References by `contentId`: an object that has only moved has the same ones. */
export type ReferenceCache = WeakMap<object, readonly Reference[]>;

const SELECTORS = 'selectors';

const NONE: readonly Reference[] = [];

function cached(cache: ReferenceCache, object: WorkspaceObject): readonly Reference[] {
  const { contentId } = object.manifest;
  const known = cache.get(contentId);
  if (known !== undefined) return known;
  // Nothing is kept for objects of other kinds: each entry costs the garbage collector time.
  if (!mayRefer(object)) return NONE;
  const found = findReferences(object);
  cache.set(contentId, found);
  return found;
}

export function fileReferences(objects: readonly WorkspaceObject[], cache: ReferenceCache): FileReferences {
  return {
    uses() {
      const byKey = new Map<string, Use[]>();
      for (const object of objects) {
        for (const reference of cached(cache, object)) {
          for (const key of keysOf(reference)) push(byKey, key, { object, reference });
        }
      }
      return byKey;
    },
    made: () => byKeys(objects.flatMap(generatedBy), it => [`${kindKey(it.kind)}/${it.name}`]),
    pods: () => byKeys(objects.flatMap(podLabelsOf), it => [namespaceOf(it)]),
    labelled: () =>
      byKeys(objects.flatMap(podLabelsOf), it =>
        Object.entries(it.labels).map(([label, value]) => labelKey(namespaceOf(it), label, value)),
      ),
  };
}

const namespaceOf = ({ object }: PodLabels): string => object.namespace ?? 'default';

function byKeys<T>(
  values: readonly T[],
  keysOfValue: (value: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const lists = new Map<string, T[]>();
  for (const value of values) for (const key of keysOfValue(value)) push(lists, key, value);
  return lists;
}

export function referenceIndex(
  { uses, made, pods, labelled }: ReferenceIndexes,
  cache: ReferenceCache,
): ReferenceIndex {
  return {
    of: object => cached(cache, object),
    to: it => uses.get(nameKey(it)),
    toPartsOf: it => uses.get(`${nameKey(it)}#`),
    toPartsOfKind: (group, kind) => uses.get(`${kindKey({ group, kind })}#`),
    toPartsOfPods: () => uses.get(`${SELECTORS}#`),
    selectors: () => uses.get(SELECTORS),
    generatorsOf({ name, namespace, ...kind }) {
      const numbered = name.replace(/-\d+$/, '-#');
      const named = made.get(`${kindKey(kind)}/${name}`);
      const all = numbered === name ? named : [...named, ...made.get(`${kindKey(kind)}/${numbered}`)];
      return all.filter(it => it.namespace === undefined || it.namespace === namespace);
    },
    podsIn: namespace => pods.get(namespace),
    podsWith: (namespace, label, value) => labelled.get(labelKey(namespace, label, value)),
    namespacesOfPods: () => pods.keys(),
  };
}

function keysOf({ target }: Reference): readonly string[] {
  switch (target.to) {
    case 'object':
      // If only a reference mentions the kind, it may be cluster-scoped.
      return target.scope === 'unknown' ? [nameKey(target), nameKey({ ...target, namespace: '' })] : [nameKey(target)];
    case 'part':
      return [`${nameKey(target.of)}#`];
    case 'partOfAny':
      return [`${kindKey(target)}#`];
    case 'podPart':
      return [`${SELECTORS}#`];
    case 'pods':
      return [SELECTORS];
    case 'local':
      return [];
  }
}

function podLabelsOf(object: WorkspaceObject): readonly PodLabels[] {
  if (!holdsPods(object.group, object.kind)) return [];
  const at = sharedPath(FieldPath.of(...(podTemplatePath(object.kind) ?? [])));
  const metadata = valueAt(object.manifest.value, at.child('metadata'));
  return [{ object, labels: isObject(metadata) ? textsOf(metadata.labels) : {}, at }];
}

function kindKey({ group, kind }: Pick<Named, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

function nameKey({ group, kind, namespace = '', name = '' }: Named): string {
  return joined(group, '/', kind, '/', namespace, '/', name);
}

function labelKey(namespace: string, label: string, value: string): string {
  return joined(namespace, ' ', label, '=', value);
}
