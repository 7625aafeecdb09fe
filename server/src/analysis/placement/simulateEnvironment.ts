import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { runToEnd, type Steps } from '../../base/steps';
import { withChanges } from '../../cluster/changes';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import type { RunMemory } from '../../scheduler/incremental/runCache';
import { readScenarioSteps, type Simulation, simulateSteps } from '../../scheduler/scenario';
import { type Study, studySteps } from '../../scheduler/whatIf/counterfactuals';
import type { WorkspaceObject } from '../../workspace/object';
import { isDeployed } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import { type ExternalCluster, isReached, labelOf, notesOf } from '../clusters/externalCluster';
import type { Settings } from '../configuration/settings';
import type { KnownMutations } from '../policies/knownMutations';
import type { ClusterLabel } from './clusterLabel';
import { type ClusterRunOptions, nodeSource, objectsInCluster, type RunContext, runOptions } from './clusterRun';
import {
  type EnvironmentPlacement,
  environmentPlacement,
  type PlacementQueries,
  type RefusedSource,
  type Tried,
  type TriedPlacement,
} from './environmentPlacement';
import { refusedObjects } from './refusedObjects';
import { refusedPods } from './refusedPods';
import { schedulerNotes } from './schedulerNotes';
import { configurationFor, configurationOf } from './strategies';

/** The number of rescheduler rounds whose placements are kept: each is a whole placement. */
const MAX_VARIANTS = 3;

export interface Surroundings {
  readonly kube: Kube;
  readonly settings: Settings;
  readonly outside: ExternalCluster | undefined;
  /** In place of the one among the files. */
  readonly schedulerConfiguration: UnknownObject | undefined;
  /** What is known of mutating policies; undefined: there are none. */
  readonly policies: KnownMutations | undefined;
}

/** What all runs of an environment have in common. */
interface EnvironmentRunContext extends Surroundings {
  readonly source: ClusterLabel;
  /** Notes that do not depend on the scheduler configuration. */
  readonly clusterNotes: readonly string[];
  readonly counts: EnvironmentPlacement['counts'];
  readonly refused: readonly RefusedSource[];
}

/** What one run starts from. */
interface Start {
  readonly objects: readonly UnknownObject[];
  readonly schedulerConfiguration: UnknownObject | undefined;
  readonly notes: readonly string[];
  readonly memory: RunMemory;
  readonly changed: EnvironmentPlacement['changed'];
}

/**
 * Places everything in an environment that is made of some files. What the API server refuses never is in the cluster: it is
 * left out before anything is placed, so that all that is asked of the placement sees the same cluster.
 */
export function* simulateEnvironment(
  uris: readonly string[],
  snapshot: Snapshot,
  surroundings: Surroundings,
  memory: RunMemory,
): Steps<EnvironmentPlacement> {
  const { kube, settings, schedulerConfiguration } = surroundings;
  const written = writtenIn(uris, snapshot, surroundings);
  const { podSecurity } = settings;
  const unadmitted = yield* refusedObjects(written.objects, { snapshot, kube, podSecurity, memory: memory.objects });
  const context = contextOf(written.environmentContext, { schedulerConfiguration });
  const refused = refusedPods(unadmitted, written.objects, context);
  const isRefused = new Set(refused.map(it => it.object));
  const values = valuesOf(written.objects.filter(it => !isRefused.has(it)));
  const environmentContext = { ...written.environmentContext, refused };
  const configured = schedulerConfiguration ? [schedulerConfiguration] : values;
  const notes = [...schedulerNotes(configured, kube), ...environmentContext.clusterNotes];
  const placing = (given: readonly UnknownObject[], memory: RunMemory): Steps<EnvironmentPlacement> =>
    running(environmentContext, {
      objects: objectsInCluster(given, contextOf(environmentContext, { memory, schedulerConfiguration })),
      schedulerConfiguration,
      notes,
      memory,
      changed: change => runToEnd(placing(given.map(change), { ...memory })),
    });
  return yield* placing(values, memory);
}

/** Of very many policies and Pods. */
const notAsked = (policies: KnownMutations | undefined): readonly string[] =>
  policies === undefined || policies.leftOut === 0
    ? []
    : [t`So many policies were asked before that ${policies.leftOut} objects are placed without asking them.`];

/** Asks policies all that placing an environment will ask them; nothing is placed for that. */
export function* readingEnvironment(
  uris: readonly string[],
  snapshot: Snapshot,
  surroundings: Surroundings,
  memory: RunMemory,
): Steps<undefined> {
  const { environmentContext, objects } = writtenIn(uris, snapshot, surroundings);
  const { schedulerConfiguration } = surroundings;
  const context = contextOf(environmentContext, { memory, schedulerConfiguration });
  yield* readScenarioSteps(objectsInCluster(valuesOf(objects), context), runOptions(context));
  return undefined;
}

const valuesOf = (objects: readonly WorkspaceObject[]): readonly UnknownObject[] =>
  objects.map(it => it.manifest.value as UnknownObject);

/** What some files contribute to one cluster; nothing where it cannot be reached. */
function writtenIn(
  uris: readonly string[],
  snapshot: Snapshot,
  surroundings: Surroundings,
): {
  readonly environmentContext: Omit<EnvironmentRunContext, 'refused'>;
  readonly objects: readonly WorkspaceObject[];
} {
  const { kube, outside } = surroundings;
  const deployed = uris.filter(it => isDeployed(it, snapshot));
  const written = deployed.flatMap(uri => snapshot.objectsIn(uri)).filter(it => it.kind !== '');
  const { objects, doubled } = firstOfEachName(written);
  const isThere = outside === undefined || isReached(outside);
  const twice = [...doubled].map(it => t`${it.kind} ${it.name ?? ''} is written more than once; the first counts.`);
  const here = new Set(deployed);
  const environmentContext = {
    ...surroundings,
    source: sourceOf(objects, surroundings),
    clusterNotes: [...(outside ? notesOf(outside, kube) : []), ...twice, ...notAsked(surroundings.policies)],
    counts: (it: WorkspaceObject): boolean => here.has(it.manifest.uri) && !doubled.has(it),
  };
  return { environmentContext, objects: isThere ? objects : [] };
}

const sourceOf = (objects: readonly WorkspaceObject[], surroundings: Surroundings): ClusterLabel =>
  sourceWith(objects.filter(it => it.kind === 'Node' && it.group === '').length, surroundings);

/** Where the nodes come from of an environment whose files hold some number of Node objects. */
export function sourceWith(
  nodes: number,
  { settings, outside }: Pick<Surroundings, 'settings' | 'outside'>,
): ClusterLabel {
  if (outside) return { kind: 'source', label: labelOf(outside) };
  if (nodeSource(settings.cluster, nodes > 0) === 'default') return { kind: 'default', label: t('example cluster') };
  return { kind: 'workspace', label: nodes === 1 ? t('1 node of the workspace') : t`${nodes} nodes of the workspace` };
}

function* running(environmentContext: EnvironmentRunContext, start: Start): Steps<EnvironmentPlacement> {
  const options = runOptions(contextOf(environmentContext, start));
  const simulation = yield* simulateSteps(start.objects, options);
  return environmentPlacement(
    environmentContext.source,
    simulation,
    start.notes,
    askingOf(environmentContext, start, options, simulation),
  );
}

function contextOf(
  { kube, settings, source, outside, policies }: Omit<EnvironmentRunContext, 'refused'>,
  { memory, schedulerConfiguration }: Partial<Pick<Start, 'memory' | 'schedulerConfiguration'>>,
): RunContext {
  const { namespace, featureGates } = settings;
  const nodes = outside ?? (source.kind === 'default' ? 'default' : 'own');
  return { kube, nodes, namespace, featureGates, schedulerConfiguration, askPolicies: policies?.ask, memory };
}

/** Trials start from a copy of the run's memory, so that they do not replace it. */
function askingOf(
  environmentContext: EnvironmentRunContext,
  start: Start,
  options: ClusterRunOptions,
  { scenario }: Simulation,
): PlacementQueries {
  const { kube, clusterNotes, counts, policies, refused } = environmentContext;
  const { objects, memory, changed } = start;
  const configuration = start.schedulerConfiguration ?? scenario.schedulerConfiguration;
  const tryingOn = (wanted: Tried): UnknownObject | undefined =>
    configurationOf(wanted, configuration, new Set(scenario.pending.map(it => it.schedulerName)));
  const variants = new Map<string, TriedPlacement>();

  function* trying(wanted: Tried): Steps<TriedPlacement> {
    const { objects: those, lost, problems } = withChanges(objects, wanted.changes);
    const other = wanted.schedulerConfiguration;
    const placement = yield* running(environmentContext, {
      ...start,
      objects: those,
      schedulerConfiguration: configurationFor(wanted.strategy ?? 'configured', tryingOn(wanted)),
      notes: other ? [...schedulerNotes([other], kube), ...clusterNotes] : start.notes,
      memory: { ...memory },
    });
    return { placement, lost, problems };
  }

  let study: Study | undefined;
  function* studying(): Steps<Study> {
    study ??= yield* studySteps(objects, options);
    return study;
  }

  return {
    changed,
    counts,
    refused,
    inputs: { objects, run: options },
    *over(key, make) {
      const found = variants.get(key);
      if (found) return found;
      const { objects, lost, problems } = yield* make();
      const placement = yield* running(environmentContext, { ...start, objects, memory: { ...memory } });
      variants.set(key, { placement, lost, problems });
      if (variants.size > MAX_VARIANTS) variants.delete(variants.keys().next().value ?? '');
      return { placement, lost, problems };
    },
    tried: wanted => runToEnd(trying(wanted)),
    trying,
    inputsFor(wanted) {
      const schedulerConfiguration = tryingOn(wanted);
      return {
        objects,
        kubernetesVersion: kube.minor,
        gatesOn: kube.gates().flatMap(it => (it.enabled ? [it.name] : [])),
        featureGates: options.featureGates,
        ...(schedulerConfiguration && { schedulerConfiguration }),
        ...(policies && { policies: policies.changing }),
      };
    },
    study: () => runToEnd(studying()),
    studying,
  };
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
