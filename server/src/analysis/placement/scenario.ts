import type { UnknownObject } from '../../base/json';
import { type IsCancelled, runToEnd } from '../../base/steps';
import type { AskPolicies, MutatedObject } from '../../cluster/admission/mutationAdmission';
import { defaultClusterObjects } from '../../cluster/sources/defaultCluster';
import type { Kube } from '../../kube/kube';
import { isPolicy } from '../../kube/scheduler/policy';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type { AskExtender } from '../../scheduler/framework/extender';
import type { PlacementResult } from '../../scheduler/result';
import { type RunOptions, readScenarioSteps, simulate } from '../../scheduler/scenario';
import { lineIndex } from '../../text/lineIndex';
import { type ExternalCluster, notesOf, overlaidOn } from '../clusters/externalCluster';
import { inNamespace } from './inNamespace';
import { refusalNotes } from './refusalNotes';
import { schedulerNotes } from './schedulerNotes';

export { type IsCancelled, OutOfTime } from '../../base/steps';
export { queueInWords } from '../../scheduler/queue/words';

export interface PlaceFile {
  readonly uri: string;
  readonly text: string;
}

export interface PlaceOptions {
  /** The facts of the wanted minor, for its version and the defaults of its gates. */
  readonly kube: Kube;
  /** Over the defaults of the minor, and over what the scenario says. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /**
   * scenario: the files' own Nodes, else the embedded default; workspace: their own, if there are any; default: that one
   * always; else what a source holds.
   */
  readonly cluster: 'scenario' | 'workspace' | 'default' | ExternalCluster;
  /** A KubeSchedulerConfiguration in place of the scenario's own. */
  readonly schedulerConfiguration?: PlaceFile;
  /** Where objects without a namespace are sent; absent: default. */
  readonly namespace?: string;
  /** Asks the extenders of the configuration; absent: nobody asks them, and a note says so. */
  readonly askExtender?: AskExtender;
  /** What mutating policies make of objects; absent: there are none. */
  readonly askPolicies?: AskPolicies | undefined;
  /** Whether the time for all is over; what takes longer is left with what is known by then, or throws OutOfTime. */
  readonly isCancelled?: IsCancelled;
}

export interface ScenarioPlacement extends PlacementResult {
  /** `default` when the embedded cluster stood in, `given` when the options brought one. */
  readonly cluster: 'scenario' | 'default' | 'given';
  readonly nodeCount: number;
  /** Text that could not be read, one sentence each with its place; what it held is not in the scenario. */
  readonly unread: readonly string[];
  /** What mutating policies changed of objects before they came into the cluster. */
  readonly mutations: readonly MutatedObject[];
}

/** Places the Pods of one scenario: the files are its cluster, its Pods and its options. Never throws for bad text. */
export function placeScenario(files: readonly PlaceFile[], options: PlaceOptions): ScenarioPlacement {
  const { kube } = options;
  const { objects, written, run, cluster, unread } = scenarioInputs(files, options);
  const { scenario, result } = simulate(objects, run);
  const { schedulerConfiguration: configuration } = run;
  const broken = [
    ...schedulerNotes(configuration ? [configuration] : objects, kube),
    ...refusalNotes(written, kube),
    ...(typeof options.cluster === 'object' ? notesOf(options.cluster, kube.minor) : []),
  ].map(message => ({ message }));
  return {
    ...result,
    notes: distinct([...broken, ...result.notes]),
    cluster,
    nodeCount: scenario.cluster.nodes.length,
    unread,
    mutations: scenario.mutated,
  };
}

/** What a scenario asks its policies about; nothing is placed for that. */
export function askPoliciesIn(files: readonly PlaceFile[], options: PlaceOptions): void {
  const { objects, run } = scenarioInputs(files, options);
  runToEnd(readScenarioSteps(objects, run));
}

/** What a scenario's files and options give the scheduler to run on. */
export function scenarioInputs(
  files: readonly PlaceFile[],
  options: PlaceOptions,
): Pick<ScenarioPlacement, 'cluster' | 'unread'> & {
  readonly objects: readonly UnknownObject[];
  /** Those of the files. */
  readonly written: readonly UnknownObject[];
  readonly run: RunOptions;
} {
  const { kube, featureGates, schedulerConfiguration } = options;
  const { objects: written, unread } = objectsIn(files);
  const own = { objects: written.map(it => inNamespace(it, options.namespace, kube)), unread };
  const configured = objectsIn(schedulerConfiguration === undefined ? [] : [schedulerConfiguration]);
  const cluster = sourceOf(options.cluster, own.objects);
  const objects = cluster === 'scenario' ? own.objects : overlaidOn(objectsAround(options.cluster), own.objects);
  const [configuration] = configured.objects.filter(it => it.kind === 'KubeSchedulerConfiguration' || isPolicy(it));
  const run: RunOptions = {
    kubernetesVersion: kube.minor,
    isGateOn: kube.isGateOn,
    featureGates: {
      ...(typeof options.cluster === 'object' && options.cluster.known.content.featureGates),
      ...featureGates,
    },
    ...(configuration && { schedulerConfiguration: configuration }),
    ...(options.askExtender && { askExtender: options.askExtender }),
    askPolicies: options.askPolicies,
    isCancelled: options.isCancelled,
  };
  const missing =
    schedulerConfiguration === undefined || configuration
      ? []
      : [`${schedulerConfiguration.uri}: this holds no KubeSchedulerConfiguration.`];
  return { objects, written: own.objects, run, cluster, unread: [...own.unread, ...configured.unread, ...missing] };
}

export interface ReadScenario {
  readonly objects: readonly UnknownObject[];
  readonly unread: readonly string[];
}

function sourceOf(cluster: PlaceOptions['cluster'], objects: readonly UnknownObject[]): ScenarioPlacement['cluster'] {
  if (typeof cluster !== 'string') return 'given';
  if (cluster === 'workspace') return 'scenario';
  return cluster === 'scenario' && objects.some(it => it.kind === 'Node') ? 'scenario' : 'default';
}

function objectsAround(cluster: PlaceOptions['cluster']): readonly UnknownObject[] {
  return typeof cluster === 'object' ? cluster.objects : defaultClusterObjects();
}

/** The objects of some files; documents that cannot be read are told and left out. */
export function objectsIn(files: readonly PlaceFile[]): ReadScenario {
  const parsed = files.map(it => parseManifests(it.uri, it.text));
  return {
    objects: parsed.flatMap(file =>
      file.documents
        .filter(it => !it.problems.some(problem => problem.severity === 'error'))
        .flatMap(it => it.objects.map(object => object.value as UnknownObject)),
    ),
    unread: parsed.flatMap(unreadOf),
  };
}

function unreadOf(file: ManifestFile): readonly string[] {
  const problems = [...file.problems, ...file.documents.flatMap(it => it.problems)];
  const lines = lineIndex(file.text);
  return problems
    .filter(it => it.severity === 'error')
    .map(it => `${file.uri}:${lines.position(it.span.start).line + 1}: ${it.message}`);
}

function distinct(notes: PlacementResult['notes']): PlacementResult['notes'] {
  return [...new Map(notes.map(it => [`${it.pod ?? ''} ${it.message}`, it])).values()];
}
