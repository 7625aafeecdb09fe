import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SystemTrace, TraceStep } from '../../server/src/explore/system/report';
import { exploreNaively, type NaiveResult, randomSystem, yamlOf } from './randomSystem';
import { reportOn } from './support';

const RUNS = { numRuns: 150, seed: 18 };

describe('the packed search', () => {
  it('finds in random systems what an explorer finds that keeps states as texts', () => {
    fc.assert(
      fc.property(randomSystem, system => {
        const naive = exploreNaively(system);
        const { deadlocks, properties, ...counts } = reportOn(yamlOf(system));
        const [never, atEnd, goal, progress] = properties;
        expect({
          states: counts.states,
          transitions: counts.transitions,
          acceptingEnds: counts.acceptingEnds,
          deadlocks: deadlocks.count,
          deadlock: deadlocks.shortest?.steps.length,
          never: never?.trace?.steps.length,
          atEnd: atEnd?.trace?.steps.length,
          goal: goal?.trace?.steps.length,
          makesProgress: progress?.holds,
        }).toEqual(verdictsOf(naive));
        expect(counts.complete).toBe(true);
      }),
      RUNS,
    );
  });

  it('prints traces that the system can take', () => {
    fc.assert(
      fc.property(randomSystem, system => {
        const naive = exploreNaively(system);
        const { deadlocks, properties } = reportOn(yamlOf(system));
        const traces = [deadlocks.shortest, ...properties.map(it => it.trace)].filter(it => it !== undefined);
        for (const trace of traces)
          expect(shown(follow(naive, [naive.initial], trace.steps))).toContainEqual(sharedOf(trace));
        const { cycle, steps } = properties[3]?.trace ?? {};
        if (cycle === undefined || steps === undefined) return;
        expect(cycle.length).toBeGreaterThan(0);
        expect(cycle.filter(({ step }) => system.progress.some(it => `s${it}` === step))).toEqual([]);
        const from = follow(naive, [naive.initial], steps);
        expect(from.some(it => follow(naive, [it], cycle).includes(it))).toBe(true);
      }),
      RUNS,
    );
  });
});

function verdictsOf({ initial: _, next: __, ...verdicts }: NaiveResult): Omit<NaiveResult, 'initial' | 'next'> {
  return verdicts;
}

/** The states that some steps lead to: names of steps may repeat. */
function follow(naive: NaiveResult, from: readonly string[], steps: readonly TraceStep[]): readonly string[] {
  let states = from;
  for (const { process, step } of steps) {
    const after = states.flatMap(it => naive.next(it).filter(to => to.process === process && to.step === step));
    states = [...new Set(after.map(it => it.to))];
  }
  return states;
}

const shown = (states: readonly string[]): readonly object[] =>
  states.map(it => {
    const { x, y, flag, a, at, own } = JSON.parse(it);
    return { variables: { x, y, flag, a }, at, own };
  });

function sharedOf({ state }: SystemTrace): object {
  const processes = Object.values(state.processes);
  const at = processes.map(it => Number(it.location.slice(1)));
  return { variables: state.variables, at, own: processes.map(it => it.variables.own) };
}
