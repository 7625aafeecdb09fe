import { lazyByObject, lazyByText } from '../../base/lazy';
import { grouped, push } from '../../base/multiMap';
import { type LabelMatcher, requirementHolds } from '../../kube/labelSelector';
import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../object';
import type { Snapshot } from '../workspace';
import type { PodLabels } from './index';
import { patternMatches, stepsOf, valueAt } from './pattern';
import type { ObjectTarget, PodsTarget, Reference, Target, Use } from './references';

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

/** The first of `definitionsOf`: there may be hundreds of objects of one name, with as many references to it. */
export function firstDefinitionOf(snapshot: Snapshot, use: Use): Definition | undefined {
  const { target } = use.reference;
  const object = target.to === 'object' ? objectsNamed(snapshot, target)[0] : undefined;
  if (object !== undefined) return definitionOf(object);
  const generator = target.to === 'object' ? snapshot.references.generatorsOf(target)[0] : undefined;
  return generator
    ? { ...generator, part: 'value' }
    : target.to === 'object'
      ? undefined
      : definitionsOf(snapshot, use)[0];
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
      return inAll(objectsNamed(snapshot, target.of), target.names);
    case 'partOfAny':
      return inAll(snapshot.objectsOf(target.group, target.kind), target.names);
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
  const within = new Set(lookupsWithin(snapshot, object).map(it => definitionsIn(snapshot, object, it)));
  const distinct = new Set([...within].flat());
  return [...(object.name === undefined ? [] : [definitionOf(object)]), ...distinct];
}

/** References that look for the same name in the same places of what they refer to. */
export interface NameLookup {
  readonly target: Target;
  readonly name: string;
  readonly uses: readonly Use[];
}

/** The references to names inside an object, its own ones first. Many objects may share the same lists. */
export function lookupsWithin(snapshot: Snapshot, object: WorkspaceObject): readonly NameLookup[] {
  const { references } = snapshot;
  const own = references.of(object).filter(it => it.target.to === 'local');
  const lists = [
    own.map(reference => ({ object, reference })),
    references.toPartsOf(object),
    references.toPartsOfKind(object.group, object.kind),
    ...selecting(snapshot, object, references.toPartsOfPods()),
  ];
  return lists.flatMap(lookupsIn);
}

/** By a list of the index, which goes with its snapshot, or a part of one. */
const lookupsIn = lazyByObject((uses: readonly Use[]): readonly NameLookup[] => {
  const keyOf = ({ reference: { target, name } }: Use): string => {
    const scope = target.to === 'local' ? target.scope.toString() : '';
    return JSON.stringify([target.to, 'names' in target ? target.names : [], scope, name]);
  };
  return [...grouped(uses, keyOf).values()].map(it => {
    const { target, name } = it[0]!.reference;
    return { target, name, uses: it };
  });
});

/**
 * The names inside an object that one of its `lookupsWithin` refers to: of `definitionsOf` those in this object, without a look at
 * the others.
 */
export function definitionsIn(
  snapshot: Snapshot,
  object: WorkspaceObject,
  { target, name }: Pick<NameLookup, 'target' | 'name'>,
): readonly Definition[] {
  switch (target.to) {
    case 'object':
    case 'pods':
      return [];
    case 'local':
      return named(namesFor(snapshot, object, target), name);
    case 'podPart':
      return named(namesIn(object, target.names, FieldPath.of(...(podSpecPath(object.kind) ?? []))), name);
    default:
      return named(namesIn(object, target.names, FieldPath.root), name);
  }
}

/** The selectors that match the Pods of an object. */
export function selectorsOf(snapshot: Snapshot, object: WorkspaceObject): readonly Use[] {
  return selectorListsOf(snapshot, object).flat();
}

/** The same in lists of equal selectors, which Pods share. */
export function selectorListsOf(snapshot: Snapshot, object: WorkspaceObject): readonly (readonly Use[])[] {
  return selecting(snapshot, object, snapshot.references.selectors());
}

/** In lists of equal selectors. */
function selecting(snapshot: Snapshot, object: WorkspaceObject, uses: readonly Use[]): readonly (readonly Use[])[] {
  const namespace = object.namespace ?? 'default';
  const pod = podsByManifest(snapshot.references.podsIn(namespace)).get(object.manifest);
  if (pod === undefined) return [];
  const { byLabel, others } = equalSelectors(uses);
  const labelled = Object.entries(pod.labels).flatMap(([key, value]) => byLabel.get(`${key}=${value}`) ?? []);
  const found = [...labelled, ...others].filter(({ selected: { namespaces, matcher } }) => {
    if (namespaces !== 'any' && !namespaces.includes(namespace)) return false;
    return isSelected(pod, matcher);
  });
  return found.map(it => it.uses);
}

/** By a list of the index, which goes with its snapshot. */
const podsByManifest = lazyByObject(
  (pods: readonly PodLabels[]) => new Map(pods.map(it => [it.object.manifest, it] as const)),
);

interface EqualSelectors {
  readonly selected: PodsTarget;
  readonly uses: readonly Use[];
}

/** Equal selectors by a label that what they select must have, and those without such a label; by a list of the index. */
const equalSelectors = lazyByObject((uses: readonly Use[]) => {
  const byLabel = new Map<string, EqualSelectors[]>();
  const others: EqualSelectors[] = [];
  const equal = grouped(uses, ({ reference }) => {
    const { namespaces, matcher } = podsTargetIn(reference) ?? {};
    return JSON.stringify([namespaces, matcher?.kind, matcher?.requirements]);
  });
  for (const all of equal.values()) {
    const selected = podsTargetIn(all[0]!.reference);
    const label = selected?.matcher.requirements.find(isOneLabel);
    if (selected === undefined) continue;
    if (label === undefined) others.push({ selected, uses: all });
    else push(byLabel, `${label.key}=${label.values[0]}`, { selected, uses: all });
  }
  return { byLabel, others };
});

const podsTargetIn = ({ target }: Reference): PodsTarget | undefined =>
  target.to === 'podPart' ? target.pods : target.to === 'pods' ? target : undefined;

const isOneLabel = ({ operator, key, values }: LabelMatcher['requirements'][number]): boolean =>
  operator === 'In' && values.length === 1 && !LABELS_OF_CONTROLLERS.has(key);

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

function inAll(objects: readonly WorkspaceObject[], patterns: readonly string[]): readonly Definition[] {
  const [only] = objects;
  if (only === undefined) return [];
  return objects.length === 1 ? namesIn(only, patterns, FieldPath.root) : namesInAll(objects)(patterns.join(' '));
}

/** By a list of the index, which goes with its snapshot, and by patterns: many references may lead to many objects of one name. */
const namesInAll = lazyByObject((objects: readonly WorkspaceObject[]) =>
  lazyByText((patterns): readonly Definition[] =>
    objects.flatMap(it => namesIn(it, patterns.split(' '), FieldPath.root)),
  ),
);

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
