import { t } from '@vscode/l10n';
import { type Changed, type ClusterChange, withChanges } from '../cluster/changes';
import { defaultClusterObjects } from '../cluster/defaultCluster';
import type { RejectedPod, Scenario } from '../cluster/fromObjects';
import type { ClusterModel, JsonObject, PodModel } from '../cluster/model';
import { type Owner, ownersIn } from '../cluster/owners';
import { atOnce, type Turns } from '../cluster/turns';
import type { Kube } from '../kube/kube';
import { groupOfPodKind, holdsPods } from '../kube/podTemplates';
import { lazy } from '../manifest/lazy';
import type { PlacementFacts } from '../rules/placement/facts';
import { settledAfter } from '../scheduler/ask';
import { mostRecent } from '../scheduler/framework/sharedWork';
import { createRunMemory, type RunMemory } from '../scheduler/memory';
import type { Attempt, GroupAttempt, QueuedPod } from '../scheduler/result';
import { type RunOptions, readingFor, type Simulation, simulating } from '../scheduler/scenario';
import { type Study, studyOf } from '../scheduler/whatIf/counterfactuals';
import { effectsOn } from '../workspace/kustomizeEffects';
import { folderOf, isBelow } from '../workspace/paths';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import type { Settings } from './analysis';
import { inNamespace } from './inNamespace';
import type { KnownPolicies } from './knownPolicies';
import { isReached, labelOf, notesOf, type OutsideCluster, sizesOf, tellsTruth, within } from './outsideCluster';
import { placementFactsOf } from './placementFacts';
import type { PreviewModel, Strategy } from './preview';
import type { RunInputs } from './previewComparison';
import { schedulerNotes } from './schedulerNotes';
import { configurationFor, configurationOf } from './strategies';

/** What the scheduler decides for everything in one environment. */
export interface EnvironmentPlacement {
  readonly source: PreviewModel['cluster'];
  /** Before the run. */
  readonly cluster: ClusterModel;
  /** Pods that ran before, then those that were to be placed. */
  readonly pods: readonly PodModel[];
  /** Pods that admission refused; of a workload's equal Pods only the first. */
  readonly rejected: readonly RejectedPod[];
  /** The last attempt of each Pod that was to be placed, by Pod id. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly notes: readonly string[];
  /** All attempts in the order in which the queue gave the Pods out. */
  readonly turns: readonly Attempt[];
  /** Cycles of groups in the order tried. */
  readonly groups: readonly GroupAttempt[];
  readonly profiles: Simulation['profiles'];
  readonly gates: Simulation['gates'];
  /** The same environment with some of its objects changed. */
  changed(change: (object: JsonObject) => JsonObject): EnvironmentPlacement;
  /** The same environment after something happened to its cluster, or with another way to score. */
  tried(wanted: Tried): TriedPlacement;
  /** The same turn by turn. */
  trying(wanted: Tried): Turns<TriedPlacement>;
  /** What it started from, for another thread; with the configuration that is tried, before its way to score. */
  inputsFor(wanted: Tried): RunInputs;
  /** What it is worked out from. */
  readonly inputs: { readonly objects: readonly JsonObject[]; readonly run: RunOptions };
  /** The same environment with these objects in place of its own; kept under the key, the latest few of them. */
  over(key: string, objects: () => Turns<Changed>): Turns<TriedPlacement>;
  /** Whether an object is of this environment and counts: of several workloads of one name the first does. */
  counts(object: WorkspaceObject): boolean;
  /** To ask what would give a Pod a node, and why things are as they are. */
  study(): Study;
  /** What is there after the run, with nothing left to place. */
  settled(): Scenario;
  /** Where a Pod runs after the run; undefined for a pending or an evicted one. */
  nodeOf(pod: string): string | undefined;
  /** The Pod that pushed this one out. */
  evictedBy(pod: string): string | undefined;
  /** How kube-scheduler's queue holds a Pod without a node. */
  queued(pod: string): QueuedPod | undefined;
  /** The Pods that this one pushed out, most important first. */
  victimsOf(pod: string): readonly string[];
  /** The workload at the top: a Deployment where the Pod belongs to its ReplicaSet. */
  ownerOf(pod: PodModel): Owner | undefined;
  /** The nearest first. */
  ownersOf(pod: Pick<PodModel, 'source'>): readonly Owner[];
  /** The object of the workspace that the Pod comes from. */
  sourceOf(pod: PodModel, snapshot: Snapshot): WorkspaceObject | undefined;
}

export interface Tried {
  readonly changes: readonly ClusterChange[];
  readonly strategy?: Strategy;
  /** In place of the environment's own. */
  readonly schedulerConfiguration?: JsonObject;
  /** The profile that places all Pods, whatever their schedulerName. */
  readonly profile?: string;
}

export interface TriedPlacement {
  readonly placement: EnvironmentPlacement;
  /** NAMESPACE/NAME of Pods that nobody makes again. */
  readonly lost: readonly string[];
  /** What could not be done, a clause each. */
  readonly problems: readonly string[];
}

/** Placements of one moment, worked out when first asked for. */
export interface Placements {
  of(uri: string): EnvironmentPlacement;
  /** The same turn by turn: all who ask take turns at the same work, and `of` finishes what they have left. */
  placing(uri: string): Turns<undefined>;
  /** Asks policies all that the placements of these files, and of those whose nodes are known, will ask them. */
  reading(uris: readonly string[]): Turns<undefined>;
  /** The Node objects that a file's Pods are placed on; nothing is placed for that. */
  nodes(uri: string): readonly JsonObject[];
  /** Whether somebody describes the nodes of a file's environment; nothing is placed for that. */
  knowsNodes(uri: string): boolean;
  /** What rules may ask about an object's environment; undefined where its nodes are not known, or a patch changes it. */
  facts(object: WorkspaceObject): PlacementFacts | undefined;
  /** undefined for an object that makes no Pods. */
  forObject(object: WorkspaceObject): EnvironmentPlacement | undefined;
  /** Where nodes come from when a file has none of its own, for the status item. */
  label(): string;
}

/** What the runs of the environments of a workspace leave for the next ones. */
export type PlacementMemory = (root: string) => RunMemory;

/** Of so many environments the runs are remembered. */
const MOST_REMEMBERED = 3;

/** Of so many rounds of movers the placement is: each is a whole one. */
const MOST_OVERS = 3;

export const createPlacementMemory = (): PlacementMemory => mostRecent(MOST_REMEMBERED, createRunMemory);

/** How much of an environment is one cluster, and what is configured for it. */
export interface PlacementExtent {
  /** folders: each folder with a Node is one, as nobody says more; whole: all files are one. */
  readonly extent?: 'folders' | 'whole';
  /** In place of the one among the files. */
  readonly schedulerConfiguration?: JsonObject | undefined;
  /** What is known of mutating policies; absent: there are none. */
  readonly policies?: KnownPolicies | undefined;
}

export function placementsOf(
  snapshot: Snapshot,
  kube: Kube,
  settings: Settings,
  memoryOf: PlacementMemory = createRunMemory,
  outside?: OutsideCluster,
  { extent = 'folders', schedulerConfiguration, policies }: PlacementExtent = {},
): Placements {
  const surroundings: Surroundings = { kube, settings, outside, schedulerConfiguration, policies };
  const isWorkspace = outside === undefined && settings.cluster !== 'default';
  const made = new Map<string, EnvironmentPlacement>();
  const roots = extent === 'whole' ? wholeWithNodes(snapshot) : nodeFolders(snapshot);
  const rootOf = (uri: string): string => (extent === 'whole' ? WHOLE : nodeRootOf(uri, roots));
  const environmentRoot = (uri: string): string => (isWorkspace || extent === 'whole' ? rootOf(uri) : folderOf(uri));
  const underWay = new Map<string, Turns<undefined>>();
  const filesIn = (root: string): readonly string[] =>
    extent === 'whole' ? [...snapshot.files.keys()].sort() : filesOf(root, snapshot, isWorkspace ? roots : NO_ROOTS);
  function* placingRoot(root: string): Turns<undefined> {
    if (made.has(root)) return;
    try {
      made.set(root, yield* placingEnvironment(filesIn(root), snapshot, surroundings, memoryOf(root)));
    } finally {
      underWay.delete(root);
    }
  }
  const placing = (uri: string): Turns<undefined> => {
    const root = environmentRoot(uri);
    const turns = underWay.get(root) ?? placingRoot(root);
    underWay.set(root, turns);
    return turns;
  };
  const of = (uri: string): EnvironmentPlacement => {
    const root = environmentRoot(uri);
    if (!made.has(root)) atOnce(placing(uri));
    return made.get(root)!;
  };
  const isDefaultAt = (uri: string): boolean =>
    outside === undefined &&
    (settings.cluster === 'default' || (settings.cluster === 'auto' && !roots.has(rootOf(uri))));
  const knowsNodes = (uri: string): boolean => !isDefaultAt(uri) && (outside === undefined || tellsTruth(outside));
  const factsMade = new Map<EnvironmentPlacement, PlacementFacts | undefined>();
  return {
    of,
    placing,
    *reading(uris) {
      const looked = new Set(uris);
      const read = [...snapshot.files.keys()].filter(it => looked.has(it) || knowsNodes(it));
      for (const root of new Set(read.map(environmentRoot))) {
        yield* readingEnvironment(filesIn(root), snapshot, surroundings);
      }
      return undefined;
    },
    nodes(uri) {
      if (outside) return outside.known.objectsOf('', 'Node');
      if (isDefaultAt(uri)) return defaultClusterObjects().filter(it => it.kind === 'Node');
      const root = rootOf(uri);
      const written = snapshot.objectsOf('', 'Node').filter(it => rootOf(it.manifest.uri) === root);
      return written.map(it => it.manifest.value);
    },
    knowsNodes,
    facts(object) {
      const { uri } = object.manifest;
      const { kustomizations } = snapshot.roles;
      const isBuilt = kustomizations.buildersOf(uri).length > 0;
      // What a patch may give it is not what is placed here.
      const isPatched = isBuilt && effectsOn(object, kustomizations, snapshot.files).has('fields');
      if (isPatched || !knowsNodes(uri)) return undefined;
      const placement = of(uri);
      if (!placement.counts(object)) return undefined;
      if (!factsMade.has(placement)) factsMade.set(placement, placementFactsOf(placement, sizesOf(outside)));
      return factsMade.get(placement);
    },
    forObject: object => (holdsPods(object.group, object.kind) ? of(object.manifest.uri) : undefined),
    label() {
      if (outside) return labelOf(outside);
      if (settings.cluster === 'default' || roots.size === 0)
        return settings.cluster === 'workspace' ? t('no nodes') : t('default cluster');
      return t('nodes of the workspace');
    },
  };
}

/** Folders that hold a Node: the files below such a folder are one environment, all others are one for each folder. */
function nodeFolders(snapshot: Snapshot): ReadonlySet<string> {
  return new Set(snapshot.objectsOf('', 'Node').map(it => folderOf(it.manifest.uri)));
}

/** The root of an environment that is one cluster. */
const WHOLE = '';

function wholeWithNodes(snapshot: Snapshot): ReadonlySet<string> {
  return new Set(snapshot.objectsOf('', 'Node').length > 0 ? [WHOLE] : []);
}

function nodeRootOf(uri: string, roots: ReadonlySet<string>): string {
  for (let folder = folderOf(uri); ; folder = folderOf(folder)) {
    if (roots.has(folder)) return folder;
    if (folder === folderOf(folder)) return folderOf(uri);
  }
}

const NO_ROOTS: ReadonlySet<string> = new Set();

function filesOf(root: string, snapshot: Snapshot, roots: ReadonlySet<string>): readonly string[] {
  return [...snapshot.files.keys()]
    .filter(it => (roots.has(root) ? isBelow(it, root) && nodeRootOf(it, roots) === root : folderOf(it) === root))
    .sort();
}

interface Surroundings {
  readonly kube: Kube;
  readonly settings: Settings;
  readonly outside: OutsideCluster | undefined;
  readonly schedulerConfiguration: JsonObject | undefined;
  readonly policies: KnownPolicies | undefined;
}

/** What some files say of one cluster. */
function writtenIn(uris: readonly string[], snapshot: Snapshot, { settings, outside }: Surroundings) {
  const written = uris.flatMap(uri => snapshot.objectsIn(uri)).filter(it => it.kind !== '');
  const { objects, doubled } = firstOfEachName(written);
  const nodes = objects.filter(it => it.kind === 'Node' && it.group === '').length;
  const isDefault =
    outside === undefined && (settings.cluster === 'default' || (settings.cluster === 'auto' && nodes === 0));
  const isThere = outside === undefined || isReached(outside);
  const values = isThere ? objects.map(it => it.manifest.value as JsonObject) : [];
  return { values, doubled, nodes, isDefault };
}

/** Objects with the cluster that they come to. */
function inCluster(
  given: readonly JsonObject[],
  isDefault: boolean,
  { kube, settings: { namespace }, outside }: Surroundings,
  memory: RunMemory,
): readonly JsonObject[] {
  const them = namespace === undefined ? given : given.map(it => inNamespace(it, namespace, kube));
  const around = isDefault ? memory.objects.last('default cluster', [], defaultClusterObjects) : outside?.objects;
  return around ? within(around, them, memory.objects) : them;
}

function runOptions({ kube, settings, outside, policies }: Surroundings, memory: RunMemory): RunOptions {
  const ofCluster = outside?.known.content.featureGates;
  // The very same object from run to run, as what is remembered hangs on it.
  const featureGates = memory.objects.last('gates', [ofCluster, settings.featureGates], () => ({
    ...ofCluster,
    ...settings.featureGates,
  }));
  const { minor: kubernetesVersion, isGateOn } = kube;
  return { memory, kubernetesVersion, isGateOn, featureGates, askPolicies: policies?.ask };
}

/** Asks policies what a placement will ask them; nothing is placed for that. */
function* readingEnvironment(
  uris: readonly string[],
  snapshot: Snapshot,
  surroundings: Surroundings,
): Turns<undefined> {
  const memory = createRunMemory();
  const { values, isDefault } = writtenIn(uris, snapshot, surroundings);
  yield* readingFor(inCluster(values, isDefault, surroundings, memory), runOptions(surroundings, memory));
}

function* placingEnvironment(
  uris: readonly string[],
  snapshot: Snapshot,
  surroundings: Surroundings,
  memory: RunMemory,
): Turns<EnvironmentPlacement> {
  const { kube, outside, schedulerConfiguration, policies } = surroundings;
  const { values, doubled, nodes, isDefault } = writtenIn(uris, snapshot, surroundings);
  const here = new Set(uris);
  const source: PreviewModel['cluster'] = outside
    ? { kind: 'source', label: labelOf(outside) }
    : isDefault
      ? { kind: 'default', label: t('default cluster') }
      : { kind: 'workspace', label: nodes === 1 ? t('1 node of the workspace') : t`${nodes} nodes of the workspace` };
  const configured = schedulerConfiguration ? [schedulerConfiguration] : values;
  const twice = [...doubled].map(it => t`${it.kind} ${it.name ?? ''} is written more than once; the first counts.`);
  /** What is to be said whatever the configuration is. */
  const aside = [...(outside ? notesOf(outside, kube.minor) : []), ...twice];
  const broken = [...schedulerNotes(configured, kube), ...aside];
  const placing = (given: readonly JsonObject[], memory: RunMemory): Turns<EnvironmentPlacement> => {
    const all = inCluster(given, isDefault, surroundings, memory);
    return run(all, schedulerConfiguration, broken, memory, change =>
      atOnce(placing(given.map(change), { ...memory })),
    );
  };
  // What would be is worked out from what is, and not remembered in its place.
  function* run(
    all: readonly JsonObject[],
    schedulerConfiguration: JsonObject | undefined,
    broken: readonly string[],
    memory: RunMemory,
    changed: EnvironmentPlacement['changed'],
  ): Turns<EnvironmentPlacement> {
    const options: RunOptions = {
      ...runOptions(surroundings, memory),
      ...(schedulerConfiguration && { schedulerConfiguration }),
    };
    const simulation = yield* simulating(all, options);
    const { pending, schedulerConfiguration: found } = simulation.scenario;
    const tryingOn = (wanted: Tried): JsonObject | undefined =>
      configurationOf(wanted, schedulerConfiguration ?? found, new Set(pending.map(it => it.schedulerName)));
    const overs = new Map<string, TriedPlacement>();
    function* trying(wanted: Tried): Turns<TriedPlacement> {
      const { objects, lost, problems } = withChanges(all, wanted.changes);
      const other = wanted.schedulerConfiguration;
      const notes = other ? [...schedulerNotes([other], kube), ...aside] : broken;
      const configuration = configurationFor(wanted.strategy ?? 'configured', tryingOn(wanted));
      return { placement: yield* run(objects, configuration, notes, { ...memory }, changed), lost, problems };
    }
    return environmentPlacement(source, simulation, broken, {
      changed,
      inputs: { objects: all, run: options },
      *over(key, make) {
        const found = overs.get(key);
        if (found) return found;
        const { objects, lost, problems } = yield* make();
        const placement = yield* run(objects, schedulerConfiguration, broken, { ...memory }, changed);
        overs.set(key, { placement, lost, problems });
        if (overs.size > MOST_OVERS) overs.delete(overs.keys().next().value ?? '');
        return { placement, lost, problems };
      },
      tried: wanted => atOnce(trying(wanted)),
      trying,
      inputsFor(wanted) {
        const schedulerConfiguration = tryingOn(wanted);
        return {
          objects: all,
          kubernetesVersion: kube.minor,
          gatesOn: kube.gates().flatMap(it => (it.enabled ? [it.name] : [])),
          featureGates: options.featureGates ?? {},
          ...(schedulerConfiguration && { schedulerConfiguration }),
          ...(policies && { policies: policies.known }),
        };
      },
      counts: it => here.has(it.manifest.uri) && !doubled.has(it),
      study: lazy(() => studyOf(all, options)),
    });
  }
  return yield* placing(values, memory);
}

/** A cluster holds one workload of a name: files that write the same one are other ways to deploy it. */
function firstOfEachName(written: readonly WorkspaceObject[]): {
  readonly objects: readonly WorkspaceObject[];
  readonly doubled: ReadonlySet<WorkspaceObject>;
} {
  const names = new Set<string>();
  const isDoubled = ({ group, kind, namespace, name }: WorkspaceObject): boolean =>
    name !== undefined && holdsPods(group, kind) && names.size === names.add(`${kind} ${namespace}/${name}`).size;
  const doubled = new Set(written.filter(isDoubled));
  return { objects: doubled.size === 0 ? written : written.filter(it => !doubled.has(it)), doubled };
}

function environmentPlacement(
  source: PreviewModel['cluster'],
  { scenario, result, profiles, gates }: Simulation,
  broken: readonly string[],
  asking: Pick<
    EnvironmentPlacement,
    'changed' | 'inputs' | 'over' | 'tried' | 'trying' | 'inputsFor' | 'counts' | 'study'
  >,
): EnvironmentPlacement {
  const attempts = new Map(result.attempts.map(it => [it.pod, it]));
  const runningOn = new Map(scenario.cluster.running.map(it => [it.id, it.nodeName]));
  const evicted = new Set(result.evicted);
  const owners = ownersIn(scenario.cluster);
  const queue = new Map((result.queue ?? []).map(it => [it.pod, it]));
  const evictors = new Map([
    ...result.attempts.flatMap(it => (it.preemption?.victims ?? []).map(victim => [victim, it.pod] as const)),
    ...(result.groups ?? []).flatMap(it => (it.victims ?? []).map(victim => [victim, it.group] as const)),
  ]);
  const victims = lazy(() => {
    const byPod = new Map<string, readonly string[]>();
    for (const { pod, preemption } of result.attempts) {
      const going = preemption?.victims?.filter(it => evicted.has(it)) ?? [];
      if (going.length > 0) byPod.set(pod, [...(byPod.get(pod) ?? []), ...going]);
    }
    return byPod;
  });
  return {
    source,
    cluster: scenario.cluster,
    pods: [...scenario.cluster.running, ...scenario.pending],
    rejected: scenario.rejected,
    attempts,
    notes: [...new Set([...broken, ...result.notes.map(it => (it.pod ? `${it.pod}: ${it.message}` : it.message))])],
    turns: result.attempts,
    groups: result.groups ?? [],
    profiles,
    gates,
    ...asking,
    nodeOf: pod => (evicted.has(pod) ? undefined : (result.placements[pod] ?? runningOn.get(pod))),
    victimsOf: pod => victims().get(pod) ?? [],
    settled: lazy(() => settledAfter(scenario, result)),
    evictedBy: pod => (evicted.has(pod) ? evictors.get(pod) : undefined),
    queued: pod => queue.get(pod),
    ownerOf: pod => owners(pod).at(-1),
    ownersOf: owners,
    sourceOf: (pod, snapshot) => sourceOf(pod, owners(pod), snapshot, asking.counts),
  };
}

/** Other folders may write a Pod or a workload of the same name. */
function sourceOf(
  pod: PodModel,
  owners: readonly Owner[],
  snapshot: Snapshot,
  counts: EnvironmentPlacement['counts'],
): WorkspaceObject | undefined {
  const find = (group: string, kind: string, name: string): WorkspaceObject | undefined =>
    snapshot.find(group, kind, pod.namespace, name).find(counts);
  const found = owners.map(it => find(groupOfPodKind(it.kind) ?? '', it.kind, it.name));
  return find('', 'Pod', pod.name) ?? found.findLast(it => it !== undefined);
}

/** Ids of the Pods that an object is or makes, in the order in which they were to be placed. */
export function podsOf(placement: EnvironmentPlacement, object: WorkspaceObject): readonly string[] {
  const namespace = object.namespace ?? 'default';
  if (object.kind === 'Pod') {
    const id = `${namespace}/${object.name ?? ''}`;
    return placement.pods.some(it => it.id === id) || placement.attempts.has(id) ? [id] : [];
  }
  return [...placement.pods, ...placement.rejected]
    .filter(
      it =>
        (it.source.metadata?.namespace ?? 'default') === namespace &&
        placement.ownersOf(it).some(owner => owner.kind === object.kind && owner.name === object.name),
    )
    .map(it => it.id);
}

/** The object whose text holds an offset. */
export function objectAt(snapshot: Snapshot, uri: string, offset: number): WorkspaceObject | undefined {
  return snapshot.objectsIn(uri).find(({ manifest: { span } }) => span.start <= offset && offset <= span.end);
}
