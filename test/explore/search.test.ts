import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SystemReport, SystemTrace, TraceStep } from '../../server/src/explore/system/report';
import { sizedFor } from '../support/thorough';
import { exploreNaively, type NaiveResult, randomCopies, randomSystem, yamlOf } from './randomSystem';
import { reportOn, systemOf } from './support';

const RUNS = { numRuns: sizedFor({ thorough: 150, quick: 35 }), seed: 18 };
/** They have more states. */
const FEWER_RUNS = { numRuns: sizedFor({ thorough: 60, quick: 14 }), seed: 18 };

describe('the packed search', () => {
  it.each([
    ['random systems', randomSystem, RUNS],
    ['random copies', randomCopies, FEWER_RUNS],
  ])('finds in %s what an explorer finds that keeps states as texts', (_, systems, runs) => {
    fc.assert(
      fc.property(systems, system => {
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
      runs,
    );
  });

  it.each([
    ['random systems', randomSystem, RUNS],
    ['random copies', randomCopies, FEWER_RUNS],
  ])('prints traces that %s can take', (_, systems, runs) => {
    fc.assert(
      fc.property(systems, system => {
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
      runs,
    );
  });
});

describe('the search of equal copies', () => {
  it('gives what the search of every state gives, in fewer states', () => {
    let all = 0;
    let visited = 0;
    fc.assert(
      fc.property(randomCopies, system => {
        const text = yamlOf(system);
        const { symmetry, ...found } = reportOn(text);
        const whole = reportOn(text, { symmetry: 'ignored' });
        expect(summaryOf(found)).toEqual(summaryOf(whole));
        all += whole.states;
        visited += symmetry?.visited ?? whole.states;
      }),
      { numRuns: sizedFor({ thorough: 300, quick: 70 }), seed: 18 },
    );
    expect(visited).toBeLessThan(all / 2);
  });

  // Each reads the counter and writes it back with one more.
  const increments = (n: number, more = ''): string =>
    systemOf(`
constants: { n: ${n} }
variables: { count: 0 }
processes:
  - name: p
    copies: n
    variables: { mine: 0 }
    start: reads
    halt: [ends]
    steps:
      - { name: read, from: reads, to: writes, set: { mine: count } }
      - { name: write, from: writes, to: ends, set: { count: "mine + 1"${more} } }
properties: [{ name: all count, atEnd: "count == n" }]`);

  it('has the counts of all states, exactly', () => {
    const whole = reportOn(increments(6), { symmetry: 'ignored' });
    const { symmetry, ...report } = reportOn(increments(6));
    expect([whole.states, whole.transitions, whole.acceptingEnds]).toEqual([118_509, 237_942, 8879]);
    expect(summaryOf(report)).toEqual(summaryOf(whole));
    expect(symmetry).toEqual({ equal: [[0, 1, 2, 3, 4, 5].map(it => `p[${it}]`)], visited: 539 });
    const { states } = reportOn(increments(200), {}, { states: 500 });
    expect(states).toBeGreaterThan(2 ** 53);
  });

  it.each([
    ['a step that uses its index', { more: ', count2: i' }],
    ['a property that orders them', { property: 'at(p[0], ends) && at(p[1], writes) && !at(p[2], ends)' }],
    ['a computed index', { property: 'at(p[count % n], ends) && count == 9' }],
  ])(
    'takes nothing to be equal where there is %s',
    (_, { more = '', property }: { more?: string; property?: string }) => {
      const text = increments(3, more)
        .replace('count: 0 }', 'count: 0, count2: 0 }')
        .replace(
          'atEnd: "count == n" }',
          `atEnd: "count == n" }${property ? `, { name: q, never: "${property}" }` : ''}`,
        );
      const { symmetry, states } = reportOn(text);
      expect([symmetry, states > 50]).toEqual([undefined, true]);
    },
  );

  it('finds copies with an element each equal, those that a symmetric property names, and processes that differ in name', () => {
    const equalIn = (spec: string) => reportOn(systemOf(spec)).symmetry?.equal;
    const peterson = (flag: string): string => `
variables: { flag: { size: 2, value: false }, turns: 0 }
processes:
  - name: p
    copies: 2
    start: s
    steps:
      - { name: want, from: s, to: w, set: { "flag[i]": true } }
      - { name: enter, from: w, to: c, when: "!flag[${flag}]" }
      - { name: leave, from: c, to: s, set: { "flag[i]": false } }
properties: [{ name: mutex, never: "at(p[0], c) && at(p[1], c)" }, { name: all, never: "flag[0] && !flag[1] && turns > 0 || flag[1] && turns > 0 && !flag[0]" }]`;
    expect(equalIn(peterson('1 - i'))).toEqual([['p[0]', 'p[1]']]);
    expect(equalIn(peterson('0'))).toBeUndefined();
    expect(equalIn(peterson('(turns + 1) % 2'))).toBeUndefined();
    const one = (name: string, step: string): string =>
      `{ name: ${name}, start: s, variables: { own: 0 }, steps: [{ name: ${step}, from: s, when: "x < 3", set: { x: "x + 1", own: x } }] }`;
    const three = (step: string): string =>
      `variables: { x: 0 }\nprocesses: [${one('a', 'go')}, ${one('b', step)}, ${one('c', 'go')}]`;
    expect(equalIn(three('go'))).toEqual([['a', 'b', 'c']]);
    expect(equalIn(three('run'))).toEqual([['a', 'c']]);
  });
});

/** What does not depend on which of equal states was visited. */
function summaryOf({ deadlocks, properties, ends: _, ...report }: SystemReport): object {
  return {
    ...report,
    deadlocks: [deadlocks.count, deadlocks.shortest?.steps.length],
    properties: properties.map(({ kind, holds, trace }) => [
      holds,
      kind === 'progress' ? undefined : trace?.steps.length,
    ]),
  };
}

describe('the reduced search', () => {
  it.each([
    ['random systems', randomSystem, 'ignored', RUNS],
    ['random copies', randomCopies, 'ignored', FEWER_RUNS],
    ['random copies', randomCopies, 'used', { ...FEWER_RUNS, seed: 5 }],
  ] as const)(
    'gives in %s the verdicts and the ends of the full one, with true traces (%#)',
    (_, systems, symmetry, runs) => {
      let kept = 0;
      let full = 0;
      let reduced = 0;
      fc.assert(
        fc.property(systems, system => {
          const text = yamlOf(system);
          const all = reportOn(text);
          const fewer = reportOn(text, { search: 'reduced', symmetry });
          if (fewer.reduced !== true) expect(system.fairness).toBe('weak');
          expect(fewer.unreachable).toEqual(all.unreachable);
          expect(fewer.properties.map(it => it.holds)).toEqual(all.properties.map(it => it.holds));
          expect([fewer.deadlocks.count, fewer.acceptingEnds]).toEqual([all.deadlocks.count, all.acceptingEnds]);
          const naive = exploreNaively(system);
          const traces = [fewer.deadlocks.shortest, ...fewer.properties.map(it => it.trace)].filter(
            it => it !== undefined,
          );
          for (const trace of traces) {
            expect(shown(follow(naive, [naive.initial], trace.steps))).toContainEqual(sharedOf(trace));
          }
          const { cycle, steps } = fewer.properties[3]?.trace ?? {};
          if (cycle !== undefined && steps !== undefined) {
            const from = follow(naive, [naive.initial], steps);
            expect(from.some(it => follow(naive, [it], cycle).includes(it))).toBe(true);
          }
          const lasting = text.replace(/\n.*(?:never|atEnd):.*/g, '');
          const ends = text.replace(/\n {2}properties:[\s\S]*/, '\n');
          full += all.states;
          reduced += reportOn(ends, { search: 'reduced', symmetry }).states;
          kept +=
            reportOn(lasting, { search: 'reduced', symmetry }).states -
            reportOn(ends, { search: 'reduced', symmetry }).states;
        }),
        runs,
      );
      expect(reduced).toBeLessThan(full);
      expect(kept).toBeLessThan(full);
    },
  );

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
