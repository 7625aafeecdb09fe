import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import { type IsCancelled, runToEnd } from '../../base/steps';
import type { MutatedObject } from '../../cluster/admission/mutationAdmission';
import { ownersIn } from '../../cluster/owners';
import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import { isScenarioOptions } from '../../cluster/scenarioOptions';
import type { Kube } from '../../kube/kube';
import { unknownGate } from '../../kube/load';
import { isPolicy } from '../../kube/scheduler/policy';
import type { PlacementResult } from '../../scheduler/result';
import { prepareSteps, type RunOptions, type Simulation } from '../../scheduler/scenario';
import { type ExternalCluster, notesOf } from '../clusters/externalCluster';
import { nodeSource, objectsInCluster, runOptions } from './clusterRun';
import { inNamespace } from './inNamespace';
import { type ParsedFiles, type PlaceFile, parsedFiles } from './parsedFiles';
import { type Refusals, refusalsOf } from './refusalNotes';
import { schedulerNotes } from './schedulerNotes';

export interface PlaceOptions {
  /** The facts of the Kubernetes version: its name, its kinds and the defaults of its gates. */
  readonly kube: Kube;
  /** Over the defaults of the version, and over what the scenario says. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /**
   * auto: the Nodes of the files, else the embedded example cluster; workspace: the Nodes of the files, if there are any;
   * default: the example cluster; else the cluster of a source.
   */
  readonly cluster: 'auto' | 'workspace' | 'default' | ExternalCluster;
  /** A KubeSchedulerConfiguration in place of the scenario's own. */
  readonly schedulerConfiguration?: PlaceFile;
  /** declared: berth.yaml lists the files, so that all policies among them are meant; absent: guessed. */
  readonly origin?: 'declared' | 'guessed';
  /** The namespace of objects that name none; absent: default. */
  readonly namespace?: string;
  /** Work that is not done by then is left out, or throws OutOfTime. */
  readonly isCancelled?: IsCancelled;
}

export interface ScenarioPlacement extends PlacementResult {
  /** `default` for the embedded cluster, `given` for one of a source. */
  readonly cluster: 'scenario' | 'default' | 'given';
  readonly nodeCount: number;
  /** Objects that the API server refuses, and how many of the Pods are theirs; absent: none. */
  readonly refused?: { readonly notes: ReadonlySet<string>; readonly pods: number };
  /** One sentence, with its line, for each part of a text that cannot be read; the scenario is without it. */
  readonly unread: readonly string[];
  /** What mutating policies changed in objects when they were created. */
  readonly mutations: readonly MutatedObject[];
}

/** What the files and the options of a scenario give the scheduler. */
export interface ScenarioInputs {
  readonly objects: readonly UnknownObject[];
  /** The objects of the files, in their namespaces. */
  readonly written: readonly UnknownObject[];
  readonly run: RunOptions;
  readonly cluster: ScenarioPlacement['cluster'];
  readonly unread: readonly string[];
}

export function scenarioInputs(parsed: ParsedFiles, options: PlaceOptions): ScenarioInputs {
  const { kube, namespace, featureGates, schedulerConfiguration: file, isCancelled } = options;
  const written = parsed.objects.map(it => inNamespace(it, namespace, kube));
  const nodes =
    typeof options.cluster === 'object'
      ? options.cluster
      : nodeSource(
          options.cluster,
          written.some(it => it.kind === 'Node'),
        );
  const configured = parsedFiles(file === undefined ? [] : [file]);
  const schedulerConfiguration = configured.objects.find(
    it => it.kind === 'KubeSchedulerConfiguration' || isPolicy(it),
  );
  const missing =
    file === undefined || schedulerConfiguration ? [] : [`${file.uri}: this holds no KubeSchedulerConfiguration.`];
  return {
    objects: objectsInCluster(written, { kube, nodes, namespace: undefined, memory: undefined }),
    written,
    run: runOptions({ kube, nodes, featureGates, schedulerConfiguration, isCancelled }),
    cluster: typeof nodes === 'object' ? 'given' : nodes === 'own' ? 'scenario' : 'default',
    unread: [...parsed.unread, ...configured.unread, ...missing],
  };
}

/** A placement with the notes about its scenario. */
export function scenarioPlacement(
  { scenario, result }: Pick<Simulation, 'scenario' | 'result'>,
  inputs: ScenarioInputs,
  options: PlaceOptions,
): ScenarioPlacement {
  const { cluster, unread } = inputs;
  const refusals = refusalsOf(inputs.written, options.kube, options.isCancelled);
  return {
    ...result,
    notes: distinct([...notesOnFiles(inputs, refusals, options), ...result.notes]),
    cluster,
    nodeCount: scenario.cluster.nodes.length,
    ...(refusals.objects.length > 0 && {
      refused: { notes: new Set(refusals.notes), pods: podsOfRefused(refusals, scenario) },
    }),
    unread,
    mutations: scenario.mutated,
  };
}

/** The notes of a placement that are known before anything is placed. */
export function notesBeforePlacing(inputs: ScenarioInputs, options: PlaceOptions, run: RunOptions): readonly Note[] {
  const refusals = refusalsOf(inputs.written, options.kube, options.isCancelled);
  const { notes } = runToEnd(prepareSteps(inputs.objects, run));
  return distinct([...notesOnFiles(inputs, refusals, options), ...notes]);
}

function notesOnFiles(
  { objects, written, run }: ScenarioInputs,
  refusals: Refusals,
  { kube, cluster }: PlaceOptions,
): readonly Note[] {
  return [
    ...schedulerNotes(run.schedulerConfiguration ? [run.schedulerConfiguration] : objects, kube),
    ...refusals.notes,
    ...(refusals.cut === undefined ? [] : [refusals.cut]),
    ...gateNotes(written, kube),
    ...(typeof cluster === 'object' ? notesOf(cluster, kube) : []),
  ].map(message => ({ message }));
}

/** How many of the Pods to place are refused, or made by what is. */
function podsOfRefused({ objects }: Refusals, { cluster, pending, rejected }: Scenario): number {
  // What is refused is as it is written: a name may be any value.
  const keyOf = (kind: string, metadata: unknown): string => {
    const { namespace = 'default', name = '' } = objectOrEmpty(metadata);
    return `${kind} ${printed(namespace)}/${printed(name)}`;
  };
  const keys = new Set(objects.map(it => keyOf(printed(it.kind), it.metadata)));
  const owners = ownersIn(cluster);
  const isRefused = (pod: Pick<PodModel, 'source'>): boolean => {
    const { metadata } = pod.source;
    const { namespace = 'default' } = metadata ?? {};
    return keys.has(keyOf('Pod', metadata)) || owners(pod).some(it => keys.has(keyOf(it.kind, { ...it, namespace })));
  };
  return [...pending, ...rejected].filter(isRefused).length;
}

/** Gates of the scenario's own options that the minor does not have. */
function gateNotes(written: readonly UnknownObject[], kube: Kube): readonly string[] {
  const options = written.find(isScenarioOptions);
  const unknown = Object.keys(objectOrEmpty(options?.featureGates)).flatMap(it => unknownGate(kube, it) ?? []);
  return unknown.map(it => `ScenarioOptions: ${it.replace(/[^?]$/, '$&.')}`);
}

function distinct(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map(it => [`${it.pod ?? ''} ${it.message}`, it])).values()];
}
