import { lazyByObject, lazyByText } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { type LabelMatcher, requirementHolds } from '../../kube/labelSelector';
import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../object';
import type { Snapshot } from '../workspace';
import type { PodLabels } from './index';
import { patternMatches, stepsOf, valueAt } from './pattern';
import type { ObjectTarget, Target, Use } from './references';

/** The location that defines a name. */
export interface Definition {
  readonly object: WorkspaceObject;
  readonly at: FieldPath;
  /** A name that is a key of a map is at the key. */
  readonly part: 'key' | 'value';
  readonly name: string;
}

const NAME = FieldPath.of('metadata', 'name');

/** The objects of the workspace that a reference refers to. */
export function objectsNamed(snapshot: Snapshot, target: ObjectTarget): readonly WorkspaceObject[] {
  const { group, kind, namespace, name, scope } = target;
  const found = snapshot.find(group, kind, namespace, name);
  return found.length > 0 || scope === 'known' ? found : snapshot.find(group, kind, undefined, name);
}

/**
 * The locations that define the name of a reference: an object, a field of an object, or an object for which a
 * controller creates the target.
 */
export function definitionsOf(snapshot: Snapshot, { object, reference }: Use): readonly Definition[] {
  const { target, name } = reference;
  switch (target.to) {
    case 'object': {
      const objects = objectsNamed(snapshot, target).map(definitionOf);
      if (objects.length > 0) return objects;
      return snapshot.references.generatorsOf(target).map(it => ({ ...it, part: 'value', name: it.name }));
    }
    case 'pods':
      return podsSelected(snapshot, target).map(definitionOf);
    default:
      return named(namesFor(snapshot, object, target), name);
  }
}

/** Of longer lists, the names are found by an index: as many references may look into the same list. */
const FEW_NAMES = 16;

function named(definitions: readonly Definition[], name: string): readonly Definition[] {
  if (definitions.length <= FEW_NAMES) return definitions.filter(it => it.name === name);
  return byName(definitions).get(name) ?? [];
}

const byName = lazyByObject((definitions: readonly Definition[]) => grouped(definitions, it => it.name));

/** Every name that is valid where a part or a local name is expected. */
export function namesFor(
  snapshot: Snapshot,
  object: WorkspaceObject,
  target: Exclude<Target, { readonly to: 'object' | 'pods' }>,
): readonly Definition[] {
  switch (target.to) {
    case 'part':
      return inAll(objectsNamed(snapshot, target.of), it => namesIn(it, target.names, FieldPath.root));
    case 'partOfAny':
      return snapshot.objectsOf(target.group, target.kind).flatMap(it => namesIn(it, target.names, FieldPath.root));
    case 'podPart':
      return namesInPods(podsSelected(snapshot, target.pods))(target.names.join(' '));
    case 'local':
      return namesIn(object, [...target.names, ...claimTemplates(object, target.what)], target.scope);
  }
}

/** By a list of Pods, which all objects with the same selector share, and by patterns. */
const namesInPods = lazyByObject((pods: readonly WorkspaceObject[]) =>
  lazyByText((patterns): readonly Definition[] =>
    pods.flatMap(it => namesIn(it, patterns.split(' '), FieldPath.of(...(podSpecPath(it.kind) ?? [])))),
  ),
);

/** The names that an object defines: its own, and those inside it that references use. */
export function namesGivenIn(snapshot: Snapshot, object: WorkspaceObject): readonly Definition[] {
  const { references } = snapshot;
  const own = references.of(object).map(reference => ({ object, reference }));
  const within = [...own.filter(it => it.reference.target.to === 'local'), ...usesOfPartsOf(snapshot, object)]
    .flatMap(it => definitionsOf(snapshot, it))
    .filter(it => it.object.manifest === object.manifest);
  return [...(object.name === undefined ? [] : [definitionOf(object)]), ...within];
}

/** The references of other objects to names inside one. */
export function usesOfPartsOf(snapshot: Snapshot, object: WorkspaceObject): readonly Use[] {
  const { references } = snapshot;
  return [
    ...references.toPartsOf(object),
    ...references.toPartsOfKind(object.group, object.kind),
    ...selecting(snapshot, object, references.toPartsOfPods()),
  ];
}

/** The selectors that match the Pods of an object. */
export function selectorsOf(snapshot: Snapshot, object: WorkspaceObject): readonly Use[] {
  return selecting(snapshot, object, snapshot.references.selectors());
}

function selecting(snapshot: Snapshot, object: WorkspaceObject, uses: readonly Use[]): readonly Use[] {
  const namespace = object.namespace ?? 'default';
  const pods = snapshot.references.podsIn(namespace).filter(it => it.object.manifest === object.manifest);
  if (pods.length === 0) return [];
  return uses.filter(({ reference: { target } }) => {
    const selected = target.to === 'podPart' ? target.pods : target;
    if (selected.to !== 'pods') return false;
    if (selected.namespaces !== 'any' && !selected.namespaces.includes(namespace)) return false;
    return pods.some(it => isSelected(it, selected.matcher));
  });
}

type PodsTarget = Extract<Target, { readonly to: 'pods' }>;

/** The reference of an object to Pods by a selector; undefined: it has none. */
export function podsTargetOf(snapshot: Snapshot, object: WorkspaceObject): PodsTarget | undefined {
  return snapshot.references.of(object).flatMap(({ target }) => (target.to === 'pods' ? [target] : []))[0];
}

/** The Pods and workloads that a selector matches; the same list for the same selector, while the index stays as it is. */
export function podsSelected(snapshot: Snapshot, { namespaces, matcher }: PodsTarget): readonly WorkspaceObject[] {
  const where = namespaces === 'any' ? snapshot.references.namespacesOfPods() : namespaces;
  const [namespace] = where;
  if (where.length === 1 && namespace !== undefined) return selectedIn(snapshot, namespace, matcher);
  return where.flatMap(it => selectedIn(snapshot, it, matcher));
}

/**
 * By the list of candidates and by selector. Any number of Services and budgets may select all Pods, and several rules
 * ask for each. A list of the index goes with its snapshot.
 */
const selectionsOf = lazyByObject((_: readonly PodLabels[]) => new Map<string, readonly WorkspaceObject[]>());

function selectedIn(snapshot: Snapshot, namespace: string, matcher: LabelMatcher): readonly WorkspaceObject[] {
  const among = candidates(snapshot, namespace, matcher);
  const known = selectionsOf(among);
  const key = JSON.stringify([matcher.kind, matcher.requirements]);
  const found = known.get(key) ?? among.filter(it => isSelected(it, matcher)).map(it => it.object);
  known.set(key, found);
  return found;
}

/** Whether a selector selects a Pod: the search ends with the first one. */
export function selectsPods(snapshot: Snapshot, { namespaces, matcher }: PodsTarget): boolean {
  const where = namespaces === 'any' ? snapshot.references.namespacesOfPods() : namespaces;
  return where.some(it => candidates(snapshot, it, matcher).some(pod => isSelected(pod, matcher)));
}

/** Labels that controllers add to the Pods that they create. */
export const LABELS_OF_CONTROLLERS: ReadonlySet<string> = new Set([
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
  'batch.kubernetes.io/job-name',
  'controller-revision-hash',
  'controller-uid',
  'job-name',
  'pod-template-generation',
  'pod-template-hash',
  'statefulset.kubernetes.io/pod-name',
]);

/** The Pods of a namespace that meet the first requirement for which the index has a list. */
function candidates({ references }: Snapshot, namespace: string, matcher: LabelMatcher): readonly PodLabels[] {
  const indexed = matcher.requirements.find(it => it.operator === 'In' && !LABELS_OF_CONTROLLERS.has(it.key));
  if (indexed === undefined) return references.podsIn(namespace);
  const values = [...new Set(indexed.values)];
  const [value] = values;
  if (values.length === 1 && value !== undefined) return references.podsWith(namespace, indexed.key, value);
  return values.flatMap(it => references.podsWith(namespace, indexed.key, it));
}

/** Whether a selector matches a Pod, or may match one that a workload creates. */
function isSelected({ object, labels }: PodLabels, { kind, requirements, matches }: LabelMatcher): boolean {
  if (object.kind === 'Pod' || kind !== 'requirements') return matches(labels);
  return requirements.every(it => LABELS_OF_CONTROLLERS.has(it.key) || requirementHolds(it, labels));
}

/** A pattern that starts with `/` starts at the root of the object. */
const stepsOfNames = lazyByText(pattern => stepsOf(pattern.replace(/^\//, '')));

/** The same list for the same names of one object: any number of references may lead into it. */
function namesIn(object: WorkspaceObject, patterns: readonly string[], scope: FieldPath): readonly Definition[] {
  const known = namesByPattern(object);
  const key = `${scope.toString()} ${patterns.join(' ')}`;
  const found = known.get(key) ?? readNames(object, patterns, scope);
  known.set(key, found);
  return found;
}

const namesByPattern = lazyByObject((_: WorkspaceObject) => new Map<string, readonly Definition[]>());

const inAll = (
  objects: readonly WorkspaceObject[],
  namesOf: (object: WorkspaceObject) => readonly Definition[],
): readonly Definition[] => {
  const [only, ...others] = objects;
  return only !== undefined && others.length === 0 ? namesOf(only) : objects.flatMap(namesOf);
};

function readNames(object: WorkspaceObject, patterns: readonly string[], scope: FieldPath): readonly Definition[] {
  return patterns.flatMap(pattern => {
    const isAbsolute = pattern.startsWith('/');
    const from = isAbsolute ? FieldPath.root : scope;
    const steps = stepsOfNames(pattern);
    const part = pattern.endsWith('{}') ? ('key' as const) : ('value' as const);
    const value = valueAt(object.manifest.value, from);
    return patternMatches(value, steps, from).map(({ at, name }) => ({ object, at, part, name }));
  });
}

/** The claim templates of a StatefulSet are volumes of its Pods. */
function claimTemplates({ kind }: WorkspaceObject, what: string): readonly string[] {
  return kind === 'StatefulSet' && what === 'volume' ? ['/spec.volumeClaimTemplates[].metadata.name'] : [];
}

function definitionOf(object: WorkspaceObject): Definition {
  return { object, at: NAME, part: 'value', name: object.name ?? '' };
}
