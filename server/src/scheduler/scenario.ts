import type { UnknownObject } from '../base/json';
import { noMemo } from '../base/memo';
import { type IsCancelled, runToEnd, type Steps, withinTime } from '../base/steps';
import type { AskPolicies } from '../cluster/admission/mutationAdmission';
import type { InvalidityOf } from '../cluster/admission/types';
import type { Note } from '../cluster/pods/note';
import type { PodModel } from '../cluster/pods/podModel';
import { type Scenario, type ScenarioOptions, scenarioSteps } from '../cluster/scenario';
import { type Percentages, percentageNotes } from './configuration/notes';
import { type Profiles, readProfiles } from './configuration/profiles';
import { schedulingSteps } from './cycle/scheduleAll';
import type { DecisionObserver } from './cycle/schedulingCycle';
import { unaskedNotes } from './extenders/notes';
import type { AskExtender, Extender, ExtenderVerb } from './framework/extender';
import type { SchedulerGates } from './framework/interface';
import { gangsOf } from './gangs/gangs';
import { companionNotes } from './gangs/notes';
import type { Gangs } from './gangs/queue';
import { volcanoJobObjects } from './gangs/volcanoJobs';
import type { RunMemory } from './incremental/runCache';
import { unsimulated } from './notes/unsimulated';
import { minorNotes } from './notes/versionNotes';
import { deviceNotes } from './plugins/dynamicResources/notes';
import { queueAfter } from './queue/queue';
import type { PlacementResult } from './result';

export interface RunOptions {
  /** For example "1.37". */
  readonly kubernetesVersion: string;
  /** The defaults of the minor (`Kube.isGateOn`); absent: every gate is off. */
  readonly isGateOn?: (gate: string) => boolean;
  /** Overrides the scenario's own ScenarioOptions. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** A KubeSchedulerConfiguration that replaces the one among the objects. */
  readonly schedulerConfiguration?: UnknownObject;
  /**
   * Calls the extenders of the configuration to filter, prioritize and preempt; absent: they are not called, and a note
   * says so.
   */
  readonly askExtender?: AskExtender;
  /** What mutating policies make of objects that are created; absent: there are none. */
  readonly askPolicies?: AskPolicies | undefined;
  /** Absent: what admission makes of a Pod is taken as valid. */
  readonly invalidityOf?: InvalidityOf | undefined;
  /** Overrides the scenario's own ScenarioOptions. */
  readonly expandWorkloads?: boolean;
  /** The order of arrival of the pending Pods; the queue keeps it among equal priorities. Absent: as written. */
  readonly arrival?: (pending: readonly PodModel[]) => readonly PodModel[];
  /** Called for each decision about a single Pod, with its inputs. */
  readonly onDecision?: DecisionObserver;
  /**
   * Asked between two cycles; once it returns true, the remaining Pods are left out and counted in `cut`. Throws
   * OutOfTime if not even the objects are read by then.
   */
  readonly isCancelled?: IsCancelled | undefined;
  /** Left by the last run over nearly the same objects; absent: everything is computed from scratch. */
  readonly memory?: RunMemory;
}

/**
 * Places the pending Pods among `objects` (plain JSON API objects: Nodes, running and pending Pods, classes, budgets,
 * …) as kube-scheduler would, and records every verdict. Pure; the command line and the editor both call this. Broken
 * objects never throw: they are left out with a note.
 */
export function runScenario(objects: readonly UnknownObject[], options: RunOptions): PlacementResult {
  return simulate(objects, options).result;
}

/** A run's result with its inputs. */
export interface Simulation {
  readonly scenario: Scenario;
  readonly profiles: Profiles;
  readonly gates: SchedulerGates;
  readonly result: PlacementResult;
}

/** The same, with the scenario and the profiles that the run started from. */
export function simulate(objects: readonly UnknownObject[], options: RunOptions): Simulation {
  return runToEnd(simulateSteps(objects, options));
}

/** The same in steps. Decisions of a cancelled run are reused by the next run with the same memory. */
export function* simulateSteps(objects: readonly UnknownObject[], options: RunOptions): Steps<Simulation> {
  const { memory, isCancelled } = options;
  const { scenario, profiles, gangs, gates, percentages, notes: before } = yield* prepareSteps(objects, options);
  const placed = yield* schedulingSteps(scenario, profiles, gangs, {
    onDecision: options.onDecision,
    memory,
    isCancelled,
  });
  yield;
  const notes: Note[] = [...before];
  for (const each of percentageNotes(percentages, scenario, placed.attempts)) notes.push(each);
  for (const each of companionNotes(placed.attempts)) notes.push(each);
  for (const each of deviceNotes(scenario.cluster.devices, placed.attempts)) notes.push(each);
  notes.push(...minorNotes(options.kubernetesVersion, scenario, profiles, placed));
  yield;
  const queue = queueAfter(scenario, placed.attempts, gates.isOn);
  const result = { ...placed, ...(queue.length > 0 && { queue }), notes };
  return { scenario, profiles, gates, result };
}

/** What a run starts from. */
export interface PreparedRun extends Omit<Simulation, 'result'> {
  readonly gangs: Gangs;
  readonly percentages: Percentages;
  /** About the scenario and the configuration. */
  readonly notes: readonly Note[];
}

/** Reads the scenario and its configuration, in steps. Nothing is placed. */
export function* prepareSteps(objects: readonly UnknownObject[], options: RunOptions): Steps<PreparedRun> {
  const { memory } = options;
  const scenario = yield* readScenarioSteps(objects, options);
  yield;
  const notes: Note[] = [...scenario.notes];
  const gates = gatesOf(scenario.options, options);
  const configuration = options.schedulerConfiguration ?? scenario.schedulerConfiguration;
  const { featureGates } = scenario.options;
  const inputs = [configuration, options.kubernetesVersion, options.isGateOn, options.featureGates];
  const { configured, messages } = (memory?.objects ?? noMemo()).last(
    'profiles',
    [...inputs, JSON.stringify(featureGates)],
    () => {
      const messages: string[] = [];
      return { configured: readProfiles(configuration, gates, it => messages.push(it)), messages };
    },
  );
  for (const message of messages) notes.push({ message });
  const { extenders, percentages } = configured;
  const profiles = withExtenders(configured.profiles, extenders, options.askExtender);
  const verbs: readonly ExtenderVerb[] = options.askExtender ? ['filter', 'prioritize', 'preempt'] : [];
  notes.push(...unaskedNotes(extenders, verbs, scenario.pending));
  notes.push(...unsimulated(scenario, profiles, gates));
  const gangs = gangsOf(scenario, profiles, gates, it => notes.push(it));
  return { scenario, profiles: gangs.profiles, gangs: gangs.gangs, gates, percentages, notes };
}

/** Reads the scenario of a run, in steps. */
export function* readScenarioSteps(objects: readonly UnknownObject[], options: RunOptions): Steps<Scenario> {
  const { expandWorkloads, memory, arrival, askPolicies, invalidityOf } = options;
  const all = [...objects, ...volcanoJobObjects(objects, options)];
  const reading = scenarioSteps(all, {
    ...(expandWorkloads !== undefined && { expandWorkloads }),
    ...(memory && { memory: memory.objects }),
    askPolicies,
    invalidityOf,
    isGateOn: (gate, written) => isOn(gate, written, options),
  });
  const scenario = yield* withinTime(reading, options.isCancelled);
  return arrival ? { ...scenario, pending: arrival(scenario.pending) } : scenario;
}

function withExtenders(profiles: Profiles, extenders: readonly Extender[], ask: AskExtender | undefined): Profiles {
  if (!ask || extenders.length === 0) return profiles;
  return new Map([...profiles].map(([name, it]) => [name, { ...it, extenders: { extenders, ask } }]));
}

function isOn(gate: string, written: ScenarioOptions['featureGates'], { featureGates, isGateOn }: RunOptions): boolean {
  return featureGates?.[gate] ?? written[gate] ?? isGateOn?.(gate) ?? false;
}

function gatesOf(scenario: ScenarioOptions, options: RunOptions): SchedulerGates {
  const isGateOn = (name: string): boolean => isOn(name, scenario.featureGates, options);
  return {
    minor: options.kubernetesVersion,
    isOn: isGateOn,
    taintTolerationComparisonOperators: isGateOn('TaintTolerationComparisonOperators'),
    storageCapacityScoring: isGateOn('StorageCapacityScoring'),
    volumeLimitScaling: isGateOn('VolumeLimitScaling'),
    volumeBindMountOptions: isGateOn('VolumeBindMountOptions'),
    genericWorkload: isGateOn('GenericWorkload'),
    podGroupPreemptionPolicy: isGateOn('PodGroupPreemptionPolicy'),
  };
}
