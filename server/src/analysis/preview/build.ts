import { grouped } from '../../base/multiMap';
import { isSameList } from '../../base/sameValue';
import { runToEnd, type Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import { moreRefusedNote } from '../../cluster/podModels';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Resources } from '../../cluster/resources/resources';
import type { Kube } from '../../kube/kube';
import { withoutNodes } from '../../scheduler/framework/schedulingState';
import { waitsInWords } from '../../scheduler/queue/words';
import type { Attempt } from '../../scheduler/result';
import type { WorkspaceObject } from '../../workspace/object';
import { objectAt } from '../../workspace/objectAt';
import { deployedAs, writtenAs } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import { explainPlacement } from '../explain/explainPlacement';
import type { ClusterExploration } from '../exploring/exploration';
import {
  type EnvironmentPlacement,
  memoryOf,
  type Tried,
  type TriedPlacement,
} from '../placement/environmentPlacement';
import type { Placements } from '../placement/placements';
import type { PodAt } from '../placement/podAt';
import { profileNames, STRATEGIES } from '../placement/strategies';
import type { Environment } from '../state/environments';
import { arrivingSteps } from '../whatIf/arrivals';
import { afterSteps, type TrailSteps, trailSteps } from '../whatIf/followTrail';
import { reschedulerKinds, reschedulingSteps } from '../whatIf/rescheduling';
import { preferencesFor, suggestionsFor } from '../whatIf/suggestions';
import type { ComparisonQuestion } from './comparison';
import { differenceOf } from './difference';
import { fitOn } from './fit';
import type {
  PreviewFit,
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewRefusal,
  PreviewResource,
  PreviewStep,
  PreviewWhy,
  WhatIf,
} from './model';
import { refusalsIn } from './refused';
import { ownSource, type PreviewSources, withTried } from './sources';
import { nodesAt, reasonsIn } from './triedNodes';
import { workloadsOf } from './workloads';

const ZONE = 'topology.kubernetes.io/zone';

type At = PodAt & { readonly whatIf?: WhatIf };

/** An environment with what the preview needs. */
export interface PreviewEnvironment {
  readonly snapshot: Snapshot;
  readonly kube: Kube;
  readonly placements: Placements;
  readonly environment: Environment;
  readonly sources: PreviewSources;
  /** What an exploration found that was asked for. */
  explored(uri: string): ClusterExploration | undefined;
  /** The same environment with its cluster from another source. */
  on(source: string): Placements;
}

/** The model of a file's environment: the first one, unless `whatIf` names another. */
export function* previewSteps(environments: readonly PreviewEnvironment[], at: At): Steps<PreviewModel> {
  const { whatIf } = at;
  const environment = environmentFor(environments, whatIf);
  const { snapshot, kube } = environment;
  const now = yield* placedIn(environments[0]!.placements, at.uri);
  const { placement, lost, problems } = yield* placingFor(environment, at);
  yield;
  const ran = whatIf?.trail ? yield* ranAtFirst(environment, at) : undefined;
  const pods = podsIn(placement, snapshot, ran);
  const refused = refusalsIn(placement, snapshot);
  const chosen = chosenPod(placement, snapshot, at, { pods, refused });
  const nodes = previewNodes(placement, pods);
  yield;
  // Refused Pods are counted and listed.
  const countedNotes = new Set(
    refused.map(({ owner = '', pods: all }) => moreRefusedNote(owner.replace('/', ' '), all - 1)),
  );
  const steps = whatIf?.order ? arrivalsFirst(stepsOf(placement)) : stepsOf(placement);
  const names = environments.flatMap(it => nameOf(it) ?? []);
  const name = nameOf(environment);
  // Running Pods of another cluster were neither added nor removed.
  const isElsewhere = whatIf?.source !== undefined || whatIf?.environment !== undefined;
  const comparable = (all: readonly PreviewPod[]): readonly PreviewPod[] =>
    isElsewhere ? all.filter(it => it.state !== 'running') : all;
  return {
    kubernetesVersion: kube.minor,
    cluster: placement.source,
    ...(name !== undefined && { environment: name }),
    nodes,
    pods,
    refused,
    attempts: attemptsFor(placement, chosen),
    workloads: workloadsOf(pods, nodes, steps),
    steps,
    ...(whatIf?.trail && followed(environment, at)),
    ...(whatIf?.order && { arrivals: steps.filter(it => !it.again).map(it => it.pod) }),
    ...(isTried(whatIf) && {
      tried: {
        whatIf,
        difference: differenceOf(comparable(podsIn(now, snapshot)), comparable(pods), { lost, problems }),
      },
    }),
    choices: {
      strategies: STRATEGIES,
      environments: names.length > 1 ? names : [],
      movers: reschedulerKinds(placement.inputs),
      ...sourcesFor(environment, at),
    },
    whyIsSlow: evaluationCount(placement) > MOST_AUTOMATIC,
    ...(chosen !== undefined && { chosen, ...reasonsOf(placement, chosen) }),
    notes: placement.notes.filter(it => !countedNotes.has(it)),
  };
}

function reasonsOf(placement: EnvironmentPlacement, chosen: string): Pick<PreviewModel, 'reasons'> {
  const attempt = placement.attempts.get(chosen);
  if (attempt?.nodes?.some(it => it.verdict === 'rejected') !== true) return {};
  const tried = nodesAt(placement, attempt);
  return tried ? { reasons: reasonsIn(attempt, tried) } : {};
}

/** Whether the Pod would fit on a node after `whatIf`; undefined: there is no such Pod or node. */
export function* previewFit(
  environments: readonly PreviewEnvironment[],
  at: At & { readonly node: string },
): Steps<PreviewFit | undefined> {
  const { placement } = yield* placingFor(environmentFor(environments, at.whatIf), at);
  return fitOn(placement, { pod: at.pod ?? '', node: at.node });
}

/** Why a Pod is on its node or pending after `whatIf`, and what would change it; undefined: no such Pod. */
export function previewWhy(environments: readonly PreviewEnvironment[], at: At): PreviewWhy | undefined {
  // What is explained is the queue's own order.
  if (at.whatIf?.order || at.whatIf?.trail) return undefined;
  const environment = environmentFor(environments, at.whatIf);
  const { placement } = placementFor(environment, at);
  const { pod = '' } = at;
  const explanation = explainPlacement(placement.study(), pod);
  if (explanation === undefined) return undefined;
  const isStuck = placement.attempts.has(pod) && placement.nodeOf(pod) === undefined;
  const find = isStuck ? suggestionsFor : preferencesFor;
  const found = placement.attempts.has(pod) ? find(placement, environment.snapshot, pod) : undefined;
  return {
    pod,
    summary: explanation.summary,
    suggests: isStuck ? 'aNode' : 'whatItPrefers',
    steps: explanation.steps.map(({ plugin, sentence }) => ({ plugin, sentence })),
    suggestions: (found?.suggestions ?? []).map(({ title, effect, fileEdits }) => ({
      title,
      effect,
      ...(fileEdits && { edits: fileEdits }),
    })),
    ...(found?.cut !== undefined && { cut: found.cut }),
  };
}

/** The inputs for a comparison of all strategies after `whatIf`, for another thread. */
export function* previewComparison(environments: readonly PreviewEnvironment[], at: At): Steps<ComparisonQuestion> {
  const environment = environmentFor(environments, at.whatIf);
  const wanted = triedBy(environment, at.whatIf);
  const placements = placementsFor(environment, at.whatIf);
  const placement = yield* placedIn(placements, at.uri);
  return { inputs: placement.inputsFor(wanted), changes: wanted.changes };
}

/** The requested environment. */
const environmentFor = <T extends PreviewEnvironment>(environments: readonly T[], whatIf: WhatIf | undefined): T =>
  environments.find(it => whatIf?.environment !== undefined && nameOf(it) === whatIf.environment) ?? environments[0]!;

/** By which an environment is chosen. */
const nameOf = ({ environment: { name, variant } }: PreviewEnvironment): string | undefined => name ?? variant;

const placementsFor = ({ placements, on }: PreviewEnvironment, whatIf: WhatIf | undefined): Placements =>
  whatIf?.source === undefined ? placements : on(whatIf.source);

/** The requested environment, and its placement after `whatIf`. */
export function* tryingEnvironment<T extends PreviewEnvironment>(
  environments: readonly T[],
  at: At,
): Steps<{ readonly environment: T; readonly placement: EnvironmentPlacement }> {
  const environment = environmentFor(environments, at.whatIf);
  const { placement } = yield* placingFor(environment, at);
  return { environment, placement };
}

/** The placement of a file's environment after `whatIf`. */
const placementFor = (environment: PreviewEnvironment, at: At): TriedPlacement => runToEnd(placingFor(environment, at));

function* placedIn(placements: Placements, uri: string): Steps<EnvironmentPlacement> {
  yield* placements.placing(uri);
  return placements.of(uri);
}

function* placingFor(environment: PreviewEnvironment, { uri, whatIf }: At): Steps<TriedPlacement> {
  const placement = yield* placedIn(placementsFor(environment, whatIf), uri);
  const trail = whatIf?.trail && trailSteps(whatIf.trail, environment.explored(uri));
  if (trail) return afterSteps(trail, { placement, lost: [], problems: [] });
  return yield* placingAfter(environment, placement, whatIf);
}

function* placingAfter(
  environment: PreviewEnvironment,
  placement: EnvironmentPlacement,
  whatIf: WhatIf | undefined,
): Steps<TriedPlacement> {
  const wanted = triedBy(environment, whatIf);
  const isAsItIs = wanted.changes.length === 0 && Object.keys(wanted).length === 1;
  const tried = isAsItIs ? { placement, lost: [], problems: [] } : yield* placement.trying(wanted);
  if (whatIf?.order) return yield* arrivingSteps(whatIf.order, tried);
  return whatIf?.mover ? yield* reschedulingSteps(whatIf.mover, tried, environment.snapshot) : tried;
}

/** The Pods that ran before the way that is followed: all others with a node were placed on it. */
function* ranAtFirst(environment: PreviewEnvironment, { uri, whatIf }: At): Steps<ReadonlySet<string>> {
  const { cluster } = yield* placedIn(placementsFor(environment, whatIf), uri);
  return new Set(cluster.running.map(it => it.id));
}

/** The way that is followed, without its clusters. */
function followed({ explored }: PreviewEnvironment, { uri, whatIf }: At): { readonly trail?: TrailSteps } {
  const found = whatIf?.trail && trailSteps(whatIf.trail, explored(uri));
  if (found === undefined) return {};
  const { trail: _, ...steps } = found;
  return { trail: steps };
}

/** The changes of `whatIf` for one placement. */
function triedBy({ sources }: PreviewEnvironment, whatIf: WhatIf = { changes: [] }): Tried {
  const { changes, strategy = 'configured', configuration, profile } = whatIf;
  const schedulerConfiguration = configuration === undefined ? undefined : sources.configurationIn(configuration);
  return {
    changes,
    ...(strategy !== 'configured' && { strategy }),
    ...(schedulerConfiguration && { schedulerConfiguration }),
    ...(profile !== undefined && { profile }),
  };
}

const isTried = (whatIf: WhatIf | undefined): whatIf is WhatIf =>
  whatIf !== undefined &&
  (whatIf.changes.length > 0 ||
    Object.entries(whatIf).some(
      ([what, value]) => what !== 'changes' && value !== undefined && value !== 'configured',
    ));

type SourceChoices = Pick<PreviewModel['choices'], 'sources' | 'configurations' | 'profiles'>;

/** Clusters and scheduler configurations to choose from. */
function sourcesFor(preview: PreviewEnvironment, { uri, whatIf = { changes: [] } }: At): SourceChoices {
  const { placements, on, sources, environment } = preview;
  const { source, inputsFor } = placements.of(uri);
  const hasNodes = on('workspace').nodes(uri).length > 0;
  const offered = sources.sourcesOf(environment, { kind: source.kind, hasNodes });
  const { changes, configuration } = whatIf;
  const own = inputsFor({ changes }).schedulerConfiguration;
  const { schedulerConfiguration } = triedBy(preview, {
    changes,
    ...(configuration !== undefined && { configuration }),
  });
  const profiles = profileNames(schedulerConfiguration ?? own);
  return {
    sources: withTried(offered, ownSource(environment), whatIf.source),
    configurations: sources.configurations().filter(it => sources.configurationIn(it.key) !== own),
    profiles: profiles.length > 1 ? profiles : [],
  };
}

/** Beyond this number of node evaluations, another simulation after each keystroke would be too slow. */
const MOST_AUTOMATIC = 100_000;

const evaluationCount = ({ attempts, cluster }: EnvironmentPlacement): number => attempts.size * cluster.nodes.length;

/** The maximum number of node verdicts in a model; beyond it, only those of the chosen Pod are sent. */
const MOST_VERDICTS = 40_000;

function attemptsFor(placement: EnvironmentPlacement, chosen: string | undefined): PreviewModel['attempts'] {
  if (evaluationCount(placement) <= MOST_VERDICTS) return Object.fromEntries(placement.attempts);
  const attempts: Record<string, Attempt> = {};
  for (const [id, attempt] of placement.attempts) attempts[id] = id === chosen ? attempt : withoutNodes(attempt);
  return attempts;
}

const ATTEMPTED: readonly Attempt['status'][] = ['scheduled', 'unschedulable', 'error'];

/** Victims of a group's cycle are listed with the first of its Pods. */
function stepsOf(placement: EnvironmentPlacement): readonly PreviewStep[] {
  const ofGroups = new Map(placement.groups.map(it => [it.group, it.victims ?? []]));
  return placement.attemptsInOrder
    .filter(it => ATTEMPTED.includes(it.status))
    .map(({ pod, status, node, preemption, group }): PreviewStep => {
      const together = group === undefined ? undefined : ofGroups.get(group);
      if (group !== undefined) ofGroups.delete(group);
      const victims = preemption?.victims || together ? [...(preemption?.victims ?? []), ...(together ?? [])] : NOBODY;
      return node === undefined ? { pod, status, victims } : { pod, status, node, victims };
    });
}

const NOBODY: readonly string[] = [];

/** The first step of each Pod is its arrival; at a later one it is tried again. */
function arrivalsFirst(steps: readonly PreviewStep[]): readonly PreviewStep[] {
  const arrived = new Set<string>();
  return steps.map(it => {
    const isAgain = arrived.has(it.pod);
    arrived.add(it.pod);
    return isAgain ? { ...it, again: true } : it;
  });
}

function chosenPod(
  placement: EnvironmentPlacement,
  snapshot: Snapshot,
  at: PodAt,
  { pods, refused }: Pick<PreviewModel, 'pods' | 'refused'>,
): string | undefined {
  if (at.pod !== undefined && [...pods, ...refused].some(it => it.id === at.pod)) return at.pod;
  const object = objectAt(snapshot, at.uri, at.offset);
  const deployed = object === undefined ? [] : deployedAs(object, snapshot).map(it => it.object);
  const under = deployed.flatMap(it => placement.podsOf(it))[0] ?? refused.find(it => object && isOf(it, object))?.id;
  return under ?? pods.find(it => it.state === 'pending' || it.state === 'placed')?.id;
}

const isOf = ({ source }: PreviewRefusal, { manifest: { uri, span } }: WorkspaceObject): boolean =>
  source?.uri === uri && source.offset === span.start;

/** @param ran Absent: the Pods that ran before the placement. */
function podsIn(placement: EnvironmentPlacement, snapshot: Snapshot, ran?: ReadonlySet<string>): readonly PreviewPod[] {
  const { of } = memoryOf(placement);
  const writtenOf = writtenIn(snapshot);
  return placement.pods.map(pod => {
    const evictedBy = placement.evictedBy(pod.id);
    const node = evictedBy === undefined ? placement.nodeOf(pod.id) : (pod.nodeName ?? placement.nodeOf(pod.id));
    const owner = placement.ownerOf(pod);
    const made = placement.sourceOf(pod, snapshot);
    const { uri, span } = (made && writtenOf(made))?.manifest ?? {};
    const { queue, waitsFor } = placement.queued(pod.id) ?? {};
    const waits = queue && { queue, waitsFor: waitsInWords(waitsFor ?? []) };
    const isRunning = pod.nodeName !== undefined && ran?.has(pod.id) !== false;
    const state =
      evictedBy !== undefined ? 'victim' : isRunning ? 'running' : node === undefined ? 'pending' : 'placed';
    const dependencies = [owner?.kind, owner?.name, node, evictedBy, state, queue, waits?.waitsFor, uri, span?.start];
    return of(
      'preview pod',
      pod,
      dependencies,
      (): PreviewPod => ({
        id: pod.id,
        name: pod.name,
        namespace: pod.namespace,
        ...(owner !== undefined && { owner: `${owner.kind}/${owner.name}` }),
        priority: pod.priority,
        cpuMilli: pod.requests.milliCpu,
        memoryBytes: pod.requests.memory,
        ...asksOf(pod),
        state,
        ...(node !== undefined && { node }),
        ...(evictedBy !== undefined && { evictedBy }),
        ...(waits && { queued: waits }),
        ...(uri !== undefined && span && { source: { uri, offset: span.start } }),
      }),
    );
  });
}

/** What objects are rendered from, each looked for once. */
function writtenIn(snapshot: Snapshot): (made: WorkspaceObject) => WorkspaceObject | undefined {
  const known = new Map<WorkspaceObject, WorkspaceObject | undefined>();
  return made => {
    if (!known.has(made)) known.set(made, writtenAs(made, snapshot));
    return known.get(made);
  };
}

function asksOf({ requests }: PodModel): Pick<PreviewPod, 'asks'> {
  const { ephemeralStorage, scalar } = requests;
  const asks = {
    ...(ephemeralStorage > 0 && { 'ephemeral-storage': ephemeralStorage }),
    ...Object.fromEntries(scalar),
  };
  return Object.keys(asks).length === 0 ? {} : { asks };
}

function previewNodes(placement: EnvironmentPlacement, pods: readonly PreviewPod[]): readonly PreviewNode[] {
  const byId = new Map(placement.pods.map(it => [it.id, it]));
  const byNode = grouped(pods, it => it.node);
  const { of } = memoryOf(placement);
  return placement.cluster.nodes.map(it => {
    const here = byNode.get(it.name) ?? [];
    // As one input each, thousands of Pods would need a token each.
    const kept = of('preview node', it, [], (): KeptNode => ({ pods: undefined, made: undefined }));
    if (kept.pods === undefined || !isSameList(kept.pods, here)) {
      Object.assign(kept, { pods: here, made: previewNode(it, byId, here) });
    }
    return kept.made!;
  });
}

/** A node as it was last told, with its Pods then. */
interface KeptNode {
  readonly pods: readonly PreviewPod[] | undefined;
  readonly made: PreviewNode | undefined;
}

function previewNode(node: NodeModel, byId: ReadonlyMap<string, PodModel>, here: readonly PreviewPod[]): PreviewNode {
  const models = (state: PreviewPod['state']): readonly PodModel[] =>
    here.filter(it => it.state === state).flatMap(it => byId.get(it.id) ?? []);
  const [running, placed] = [models('running'), models('placed')];
  const names = ['cpu', 'memory', ...extras(node, [...running, ...placed])];
  const resources = names.map(
    (name): PreviewResource => ({
      name,
      allocatable: amount(node.allocatable, name),
      running: sum(running, name),
      placed: sum(placed, name),
    }),
  );
  return {
    name: node.name,
    zone: node.labels[ZONE] ?? '',
    ready: isReady(node),
    unschedulable: node.unschedulable,
    taints: node.taints.map(it => `${it.key ?? ''}${it.value ? `=${it.value}` : ''}:${it.effect ?? ''}`),
    labels: node.labels,
    resources: [
      ...resources,
      { name: 'pods', allocatable: node.maxPods, running: running.length, placed: placed.length },
    ],
    pods: here.map(it => it.id),
  };
}

const isReady = (node: NodeModel): boolean =>
  !(node.source.status?.conditions ?? []).some(it => it.type === 'Ready' && it.status !== 'True');

/** Extended resources that the node has or Pods request, and ephemeral storage only if Pods request it. */
function extras(node: NodeModel, pods: readonly PodModel[]): readonly string[] {
  const requested = pods.some(it => it.requests.ephemeralStorage > 0) ? ['ephemeral-storage'] : [];
  return [...requested, ...node.allocatable.scalar.keys()];
}

function amount(resources: Resources, name: string): number {
  if (name === 'cpu') return resources.milliCpu;
  if (name === 'memory') return resources.memory;
  if (name === 'ephemeral-storage') return resources.ephemeralStorage;
  return resources.scalar.get(name) ?? 0;
}

const sum = (pods: readonly PodModel[], name: string): number =>
  pods.reduce((acc, it) => acc + amount(it.requests, name), 0);
