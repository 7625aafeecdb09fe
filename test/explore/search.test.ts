import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SystemTrace, TraceStep } from '../../server/src/explore/system/report';
import { exploreNaively, type NaiveResult, randomSystem, yamlOf } from './randomSystem';
import { reportOn, systemOf } from './support';

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
        const round = from.find(it => follow(naive, [it], cycle).includes(it));
        expect(round).toBeDefined();
        if (system.fairness === 'none') return;
        const visited = cycle.flatMap((_, i) => follow(naive, [round!], cycle.slice(0, i)));
        const moving = new Set(cycle.map(it => it.process));
        const stuck = visited.map(it => new Set(naive.next(it).map(({ process }) => process)));
        for (const process of stuck[0]!) expect(moving.has(process) || stuck.some(it => !it.has(process))).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('the reduced search', () => {
  // The kinds of properties that it reduces for: the others make it a full search.
  const reducible = (text: string): string => text.replace(/\n.*(?:canAlwaysReach|progress:).*/g, '');

  it('gives the verdicts and the ends of the full one, with true traces', () => {
    let full = 0;
    let reduced = 0;
    fc.assert(
      fc.property(randomSystem, system => {
        const text = reducible(yamlOf(system));
        const all = reportOn(text);
        const fewer = reportOn(text, 'reduced');
        expect(fewer.properties.map(it => it.holds)).toEqual(all.properties.map(it => it.holds));
        expect([fewer.deadlocks.count, fewer.acceptingEnds]).toEqual([all.deadlocks.count, all.acceptingEnds]);
        const naive = exploreNaively(system);
        const traces = [fewer.deadlocks.shortest, ...fewer.properties.map(it => it.trace)].filter(
          it => it !== undefined,
        );
        for (const trace of traces) {
          expect(shown(follow(naive, [naive.initial], trace.steps))).toContainEqual(sharedOf(trace));
        }
        const alone = text.replace(/\n {2}properties:[\s\S]*/, '\n');
        full += all.states;
        reduced += reportOn(alone, 'reduced').states;
      }),
      { numRuns: 300, seed: 18 },
    );
    expect(reduced).toBeLessThan(full);
  });

  it.each([
    [10, 272],
    [40, 4682],
  ])('visits %i philosophers in %i states', (n, states) => {
    const report = reportOn(philosophers(n), 'reduced');
    expect(report).toMatchObject({ states, complete: true, deadlocks: { count: 1 } });
    expect(report.deadlocks.shortest?.steps).toHaveLength(n);
  });
});

describe('the full search', () => {
  it.each([
    [2, 10, 14],
    [4, 118, 340],
    [8, 14_158, 81_848],
  ])('visits %i philosophers in %i states', (n, states, transitions) => {
    expect(reportOn(philosophers(n))).toMatchObject({ states, transitions, deadlocks: { count: 1 } });
  });
});

/** Each takes the left fork, then the right one, and puts them back in turn. */
function philosophers(n: number): string {
  return systemOf(`
constants: { n: ${n} }
variables: { fork: { size: n, value: 0 } }
processes:
  - name: p
    copies: n
    start: thinks
    steps:
      - { name: take left, from: thinks, to: waits, when: "fork[i] == 0", set: { "fork[i]": "i + 1" } }
      - { name: take right, from: waits, to: eats, when: "fork[(i + 1) % n] == 0", set: { "fork[(i + 1) % n]": "i + 1" } }
      - { name: put right, from: eats, to: ends, when: "fork[(i + 1) % n] == i + 1", set: { "fork[(i + 1) % n]": 0 } }
      - { name: put left, from: ends, to: thinks, when: "fork[i] == i + 1", set: { "fork[i]": 0 } }`);
}

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
