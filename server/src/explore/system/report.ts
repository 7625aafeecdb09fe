import type { Exploration, PropertyVerdict } from '../core/exploration';
import type { ModelStep } from '../core/model';
import type { StopReason } from '../core/search';
import type { ModelTrace } from '../core/traces';
import type { BuiltSystem } from './build';
import type { PlacedProcess, PlacedVariable } from './placed';

/** A state as it is printed. */
export interface SystemState {
  readonly variables: Readonly<Record<string, SystemValue>>;
  readonly processes: Readonly<Record<string, SystemProcessState>>;
}

export type SystemValue = number | boolean | readonly (number | boolean)[];

export interface SystemProcessState {
  readonly location: string;
  readonly variables: Readonly<Record<string, SystemValue>>;
}

export interface TraceStep {
  readonly process: string;
  readonly step: string;
}

export interface SystemTrace {
  readonly steps: readonly TraceStep[];
  /** Of a violation of progress: the steps from the state back to it. */
  readonly cycle?: readonly TraceStep[];
  readonly state: SystemState;
}

export interface SystemPropertyReport {
  readonly name: string;
  readonly kind: 'never' | 'atEnd' | 'canAlwaysReach' | 'progress';
  /** Of progress: no cycle counts on which a process could always go on and does not. */
  readonly fairness?: 'weak';
  /** null: the search was stopped and found no violation. */
  readonly holds: boolean | null;
  readonly trace?: SystemTrace;
}

/** What an exploration of a system says, as the contract of `berth explore` has it. */
export interface SystemReport {
  readonly system: string;
  readonly complete: boolean;
  readonly stopped?: StopReason;
  /** Whether states were left out that make no difference. */
  readonly reduced?: true;
  /** Those that can be reached; of a reduced search those that were visited. */
  readonly states: number;
  /** Where processes are equal. */
  readonly symmetry?: SystemSymmetry;
  readonly transitions: number;
  readonly depth: number;
  readonly acceptingEnds: number;
  readonly deadlocks: { readonly count: number; readonly shortest?: SystemTrace };
  readonly properties: readonly SystemPropertyReport[];
  readonly ends: readonly SystemState[];
  /** Steps that no copy takes in any state, in the file's order; absent: not known. */
  readonly unreachable?: readonly UnreachableStep[];
}

/** Processes that nothing tells apart. */
export interface SystemSymmetry {
  /** Their names, a list for those that are equal to each other. */
  readonly equal: readonly (readonly string[])[];
  /** Of states that differ in the places of these processes alone one was visited: so many. */
  readonly visited: number;
}

/** A step of the file, of all copies of its process. */
export interface UnreachableStep {
  /** The name of the process without an index. */
  readonly process: string;
  readonly step: string;
  /** Its location; names of steps may repeat. */
  readonly from: string;
}

export function reportOf(system: BuiltSystem, found: Exploration): SystemReport {
  const { document } = system;
  const { stopped, deadlocks, unreachable } = found;
  const { shortest } = deadlocks;
  return {
    system: document.name,
    complete: stopped === undefined,
    ...(stopped !== undefined && { stopped }),
    ...(found.isReduced && { reduced: true }),
    states: finite(found.states),
    ...(found.equal.length > 0 && { symmetry: symmetryIn(system, found) }),
    transitions: finite(found.transitions),
    depth: found.depth,
    acceptingEnds: finite(found.acceptingEnds),
    deadlocks: { count: finite(deadlocks.count), ...(shortest && { shortest: traceOf(system, shortest) }) },
    properties: document.properties.map((it, i) => ({
      name: it.name,
      kind: it.kind,
      ...('fairness' in it && { fairness: it.fairness }),
      ...verdictOf(system, found.properties[i]!),
    })),
    ends: found.ends.map(it => stateOf(system, it)),
    ...(unreachable && { unreachable: unreachable.map(it => unreachableStep(system, it)) }),
  };
}

/** JSON has no number for more states than that. */
const finite = (count: number): number => Math.min(count, Number.MAX_VALUE);

function symmetryIn({ processes }: BuiltSystem, { equal, visited }: Exploration): SystemSymmetry {
  return { equal: equal.map(it => it.map(process => processes[process]!.name)), visited };
}

function unreachableStep({ steps }: BuiltSystem, source: number): UnreachableStep {
  const { declared, step } = steps[source]!;
  return { process: declared.name, step: step.name, from: step.from };
}

function verdictOf(system: BuiltSystem, verdict: PropertyVerdict): Pick<SystemPropertyReport, 'holds' | 'trace'> {
  if (verdict.verdict !== 'violated') return { holds: verdict.verdict === 'holds' ? true : null };
  const { trace, cycle } = verdict;
  const { steps, state } = traceOf(system, trace);
  return { holds: false, trace: { steps, ...(cycle && { cycle: stepsOf(system, cycle) }), state } };
}

function traceOf(system: BuiltSystem, { steps, state }: ModelTrace): SystemTrace {
  return { steps: stepsOf(system, steps), state: stateOf(system, state) };
}

export function stepsOf({ processes, labels }: BuiltSystem, steps: readonly ModelStep[]): readonly TraceStep[] {
  return steps.map(({ process, label }) => ({ process: processes[process]!.name, step: labels[label]! }));
}

export function stateOf({ variables, processes }: BuiltSystem, values: Int32Array): SystemState {
  return {
    variables: valuesOf(variables, values),
    processes: Object.fromEntries(processes.map(it => [it.name, processState(it, values)])),
  };
}

function processState({ slot, locations, variables }: PlacedProcess, values: Int32Array): SystemProcessState {
  return { location: locations[values[slot]!]!, variables: valuesOf(variables, values) };
}

function valuesOf(variables: readonly PlacedVariable[], values: Int32Array): Readonly<Record<string, SystemValue>> {
  return Object.fromEntries(
    variables.map(({ name, type, first, size }) => {
      const shown = [...values.subarray(first, first + (size ?? 1))].map(it => (type === 'bool' ? it !== 0 : it));
      return [name, size === undefined ? shown[0]! : shown];
    }),
  );
}
