/**
 * A system of processes over shared variables. A state is one 32-bit integer a slot: the variables and, for each process,
 * its location. A boolean is 0 or 1.
 */
export interface ProcessModel {
  readonly slots: readonly StateSlot[];
  readonly initial: Int32Array;
  readonly processes: readonly ModelProcess[];
  /** The number of different labels of steps. */
  readonly labelCount: number;
}

/** The values that a slot is expected to hold. The search makes room for others when they come. */
export interface StateSlot {
  readonly min: number;
  readonly max: number;
  /** Slots of one group are given more room together: the elements of an array, a variable of all copies. */
  readonly group: number;
}

export interface ModelProcess {
  /** The slot that holds its location. */
  readonly slot: number;
  /** By location: whether the process may rest there for ever. */
  readonly halting: readonly boolean[];
  /** By location: the steps from there. */
  readonly steps: readonly (readonly ModelStep[])[];
}

/** A value computed from the slots of a state. Throws EvaluationFailure. */
export type Evaluate = (values: Int32Array) => number;

export interface ModelStep {
  /** Its number among the steps of all processes, from 0. */
  readonly id: number;
  /** The index of its process. */
  readonly process: number;
  /** The index of its name. */
  readonly label: number;
  /** Its index among the steps of the source that it was made from. */
  readonly source: number;
  readonly from: number;
  readonly to: number;
  /** absent: always true. */
  readonly guard?: Evaluate;
  readonly writes: readonly SlotWrite[];
  /** Whether two writes may go to one slot, so that the search must look. */
  readonly mayClash: boolean;
  /** What the reduction knows of the guard and of reads. */
  readonly footprint: StepFootprint;
}

export interface SlotWrite {
  /** The slot, or what computes it. */
  readonly target: number | Evaluate;
  readonly value: Evaluate;
  /** The value, where it is always the same. */
  readonly constant?: number;
}

/** Slots `first` to `first + count - 1`. */
export interface SlotRange {
  readonly first: number;
  readonly count: number;
}

/** What a step reads and writes, beside the location of its own process. */
export interface StepFootprint {
  /** The guard as a conjunction, in the order of evaluation. */
  readonly guards: readonly Conjunct[];
  /** Read by right-hand sides and indexes. */
  readonly reads: readonly SlotRange[];
  readonly writes: readonly WrittenRange[];
}

export interface WrittenRange extends SlotRange {
  /** The one value that is written; undefined: any. */
  readonly value: number | undefined;
}

/** A part of a conjunction. */
export interface Conjunct {
  readonly test: Evaluate;
  readonly reads: readonly SlotRange[];
  /** The values of the one slot that make it true; undefined where it is not about one slot and constants. */
  readonly bound: SlotBound | undefined;
}

/** `slot` lies in `min` to `max`, or outside of these where `isOutside`. */
export interface SlotBound {
  readonly slot: number;
  readonly min: number;
  readonly max: number;
  readonly isOutside: boolean;
}

export type ModelProperty =
  | {
      readonly kind: 'never' | 'atEnd' | 'canAlwaysReach';
      readonly test: Evaluate;
      readonly conjuncts: readonly Conjunct[];
    }
  | {
      readonly kind: 'progress';
      readonly labels: ReadonlySet<number>;
      /** Whether cycles count on which a process could always go on and does not; absent: they do. */
      readonly fairness?: 'weak';
    };

/** The steps of all processes by their ids. */
export function stepsById({ processes }: ProcessModel): readonly ModelStep[] {
  return processes.flatMap(it => it.steps.flat()).sort((a, b) => a.id - b.id);
}

/** An expression that has no value in a state: overflow, division by zero, an index out of range. */
export class EvaluationFailure extends Error {}
