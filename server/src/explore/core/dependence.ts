import type { Conjunct, ModelStep, ProcessModel, SlotBound, SlotRange } from './model';

/** What the steps of a model do to each other, as far as their footprints tell. Steps have their index in `steps`. */
export interface StepDependence {
  readonly steps: readonly ModelStep[];
  /** By step: its guard with the location of its process, each a part that can be false. */
  readonly conditions: readonly (readonly Conjunct[])[];
  /** Steps that may not commute with a step in a state in which both are enabled. */
  readonly conflicts: (step: number) => readonly number[];
  /** Steps that may make a condition true. */
  readonly enablers: (condition: Conjunct) => readonly number[];
}

/**
 * Works out dependence from the slots that steps read and write, when it is asked for. Two steps of which the conditions
 * exclude each other are never enabled together and do not count as dependent.
 */
export function dependenceOf({ processes, slots }: ProcessModel): StepDependence {
  const steps = processes.flatMap(it => it.steps.flat());
  const conditions = steps.map(it => [locationCondition(processes[it.process]!.slot, it.from), ...it.footprint.guards]);
  const written = steps.map(it => [
    ...it.footprint.writes,
    ...(it.to === it.from ? [] : [{ first: processes[it.process]!.slot, count: 1, value: it.to }]),
  ]);
  const read = steps.map((it, i) => [...it.footprint.reads, ...conditions[i]!.flatMap(part => part.reads)]);
  const writers = stepsBySlot(slots.length, written);
  const readers = stepsBySlot(slots.length, read);
  const conflicts: (readonly number[] | undefined)[] = [];
  const enablers = new Map<Conjunct, readonly number[]>();

  function conflictsOf(step: number): readonly number[] {
    const found = new Set<number>();
    for (const slot of slotsIn(written[step]!)) for (const it of [...writers[slot]!, ...readers[slot]!]) found.add(it);
    for (const slot of slotsIn(read[step]!)) for (const it of writers[slot]!) found.add(it);
    found.delete(step);
    return [...found].filter(it => !exclude(conditions[step]!, conditions[it]!));
  }

  function enablersOf({ reads, bound }: Conjunct): readonly number[] {
    const found = new Set(slotsIn(reads).flatMap(slot => writers[slot]!));
    if (bound === undefined) return [...found];
    return [...found].filter(step =>
      written[step]!.some(({ first, count, value }) => {
        const isThere = bound.slot >= first && bound.slot < first + count;
        return isThere && (value === undefined || satisfies(bound, value));
      }),
    );
  }

  return {
    steps,
    conditions,
    conflicts(step) {
      const known = conflicts[step] ?? conflictsOf(step);
      conflicts[step] = known;
      return known;
    },
    enablers(condition) {
      const known = enablers.get(condition) ?? enablersOf(condition);
      enablers.set(condition, known);
      return known;
    },
  };
}

function locationCondition(slot: number, location: number): Conjunct {
  return {
    test: values => (values[slot] === location ? 1 : 0),
    reads: [{ first: slot, count: 1 }],
    bound: { slot, min: location, max: location, isOutside: false },
  };
}

function stepsBySlot(slotCount: number, ranges: readonly (readonly SlotRange[])[]): readonly (readonly number[])[] {
  const bySlot: number[][] = Array.from({ length: slotCount }, () => []);
  for (const [step, own] of ranges.entries()) for (const slot of new Set(slotsIn(own))) bySlot[slot]!.push(step);
  return bySlot;
}

export const slotsIn = (ranges: readonly SlotRange[]): readonly number[] =>
  ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i));

function satisfies({ min, max, isOutside }: SlotBound, value: number): boolean {
  return (value >= min && value <= max) !== isOutside;
}

/** Whether two conjunctions are never true together, as their parts on one slot show. */
function exclude(a: readonly Conjunct[], b: readonly Conjunct[]): boolean {
  return a.some(
    ({ bound: one }) => one && b.some(({ bound: two }) => two && one.slot === two.slot && areApart(one, two)),
  );
}

function areApart(a: SlotBound, b: SlotBound): boolean {
  if (a.isOutside && b.isOutside) return false;
  if (a.isOutside) return b.min >= a.min && b.max <= a.max;
  if (b.isOutside) return a.min >= b.min && a.max <= b.max;
  return a.max < b.min || b.max < a.min;
}
