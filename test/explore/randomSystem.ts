import fc from 'fast-check';

/** A state of a random system, as an explorer without any cleverness keeps it. */
export interface NaiveState {
  x: number;
  y: number;
  flag: boolean;
  a: number[];
  /** By copy. */
  at: number[];
  own: number[];
}

type Test = (s: NaiveState, copy: number, i: number) => boolean;
type Effect = (old: NaiveState, next: NaiveState, copy: number, i: number) => void;

const CONDITIONS: readonly (readonly [text: string, test: Test])[] = [
  ['true', () => true],
  ['x == 0', s => s.x === 0],
  ['x != 1 && y < 2', s => s.x !== 1 && s.y < 2],
  ['!flag', s => !s.flag],
  ['flag || x > 1', s => s.flag || s.x > 1],
  ['a[i % 2] == 0', (s, _, i) => s.a[i % 2] === 0],
  ['a[y % 2] != x', s => s.a[s.y % 2] !== s.x],
  ['x + y <= 2', s => s.x + s.y <= 2],
  ['own < 1', (s, copy) => s.own[copy]! < 1],
  ['own == 1 && a[0] >= 1', (s, copy) => s.own[copy] === 1 && s.a[0]! >= 1],
  ['y == (x > 0 ? 1 : 0)', s => s.y === (s.x > 0 ? 1 : 0)],
  ['at(p0[0], l1)', s => s.at[0] === 1],
];

const EFFECTS: readonly (readonly [set: string, effect: Effect])[] = [
  ['', () => {}],
  ['x: "(x + 1) % 3"', (old, next) => (next.x = (old.x + 1) % 3)],
  ['x: 0', (_, next) => (next.x = 0)],
  ['flag: "!flag"', (old, next) => (next.flag = !old.flag)],
  ['"a[i % 2]": "1 - a[i % 2]"', (old, next, _, i) => (next.a[i % 2] = 1 - old.a[i % 2]!)],
  ['y: x, x: y', (old, next) => ([next.x, next.y] = [old.y, old.x])],
  ['"a[x % 2]": y', (old, next) => (next.a[old.x % 2] = old.y)],
  ['own: "1 - own"', (old, next, copy) => (next.own[copy] = 1 - old.own[copy]!)],
  ['own: 1, flag: true', (_, next, copy) => ([next.own[copy], next.flag] = [1, true])],
];

/** Those that speak of no copy, for properties. */
const SHARED = CONDITIONS.filter(([text]) => !/\b(?:i|own)\b/.test(text));

export interface RandomStep {
  readonly from: number;
  readonly to: number;
  readonly condition: number;
  readonly effect: number;
  readonly label: number;
}

export interface RandomSystem {
  readonly processes: readonly {
    readonly copies: number;
    readonly halt: readonly number[];
    readonly steps: readonly RandomStep[];
  }[];
  readonly never: number;
  readonly atEnd: number;
  readonly goal: number;
  readonly progress: readonly number[];
  readonly fairness: 'weak' | 'none';
}

const index = (list: readonly unknown[]) => fc.nat({ max: list.length - 1 });
const location = fc.nat({ max: 2 });
const step = fc.record({
  from: location,
  to: location,
  condition: index(CONDITIONS),
  effect: index(EFFECTS),
  label: fc.nat({ max: 3 }),
});

const processesOf = (most: number, copies: fc.Arbitrary<number>, steps: typeof step) =>
  fc.array(
    fc.record({ copies, halt: fc.subarray([0, 1, 2]), steps: fc.array(steps, { minLength: 1, maxLength: 4 }) }),
    { minLength: 1, maxLength: most },
  );

const systemWith = (processes: ReturnType<typeof processesOf>): fc.Arbitrary<RandomSystem> =>
  fc.record({
    processes,
    never: index(SHARED),
    atEnd: index(SHARED),
    goal: index(SHARED),
    progress: fc.subarray([0, 1, 2, 3]),
    fairness: fc.constantFrom('weak' as const, 'none' as const),
  });

export const randomSystem = systemWith(processesOf(3, fc.integer({ min: 1, max: 2 }), step));

const WITHOUT_INDEX = (list: readonly (readonly [string, unknown])[]): readonly number[] =>
  list.flatMap(([text], i) => (/\bi\b|p0\[0\]/.test(text) ? [] : [i]));

/** Systems whose processes have copies that are mostly equal. */
export const randomCopies = systemWith(
  processesOf(
    2,
    fc.integer({ min: 2, max: 3 }),
    fc.record({
      from: location,
      to: location,
      condition: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...WITHOUT_INDEX(CONDITIONS)) },
        { weight: 1, arbitrary: index(CONDITIONS) },
      ),
      effect: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...WITHOUT_INDEX(EFFECTS)) },
        { weight: 1, arbitrary: index(EFFECTS) },
      ),
      label: fc.nat({ max: 3 }),
    }),
  ),
).map(it => ({ ...it, fairness: 'none' as const }));

/** The system in YAML. Each process has the locations l0, l1 and l2, of which some cannot be reached. */
export function yamlOf({ processes, never, atEnd, goal, progress, fairness }: RandomSystem): string {
  const lines = processes.flatMap(({ copies, halt, steps }, p) => [
    `    - name: p${p}`,
    `      copies: ${copies}`,
    '      variables: { own: 0 }',
    '      start: l0',
    `      halt: [${halt.map(it => `l${it}`).join(', ')}]`,
    '      steps:',
    ...[0, 1, 2].map(it => `        - { name: none, from: l${it}, when: false }`),
    ...steps.map(
      ({ from, to, condition, effect, label }) =>
        `        - { name: s${label}, from: l${from}, to: l${to}, when: "${CONDITIONS[condition]![0]}", set: { ${EFFECTS[effect]![0]} } }`,
    ),
  ]);
  // at() asks for a process with copies, or without an index.
  const own = processes[0]!.copies === 1 ? 'p0' : 'p0[0]';
  return [
    'apiVersion: berth.dev/v1alpha1',
    'kind: System',
    'metadata: { name: random }',
    'spec:',
    '  variables: { x: 0, y: 1, flag: false, a: { size: 2, values: [0, 1] } }',
    '  processes:',
    ...lines,
    '  properties:',
    `    - { name: never, never: "${SHARED[never]![0]}" }`,
    `    - { name: atEnd, atEnd: "${SHARED[atEnd]![0]}" }`,
    `    - { name: goal, canAlwaysReach: "${SHARED[goal]![0]}" }`,
    `    - { name: progress, progress: [${progress.map(it => `s${it}`).join(', ')}]${fairness === 'weak' ? ', fairness: weak' : ''} }`,
    '',
  ]
    .join('\n')
    .replaceAll('p0[0]', own);
}

interface Transition {
  readonly process: string;
  readonly step: string;
  readonly to: string;
}

/** What an explorer finds that keeps states as texts and looks at all of them. */
export interface NaiveResult {
  readonly states: number;
  readonly transitions: number;
  readonly acceptingEnds: number;
  readonly deadlocks: number;
  /** Steps of the shortest trace; undefined: there is none. */
  readonly deadlock: number | undefined;
  readonly never: number | undefined;
  readonly atEnd: number | undefined;
  readonly goal: number | undefined;
  readonly makesProgress: boolean;
  readonly initial: string;
  readonly next: (state: string) => readonly Transition[];
}

export function exploreNaively(system: RandomSystem): NaiveResult {
  const copies = system.processes.flatMap((process, p) =>
    Array.from({ length: process.copies }, (_, i) => ({
      process,
      i,
      name: process.copies === 1 ? `p${p}` : `p${p}[${i}]`,
    })),
  );
  const start: NaiveState = { x: 0, y: 1, flag: false, a: [0, 1], at: copies.map(() => 0), own: copies.map(() => 0) };
  const known = new Map<string, readonly Transition[]>();
  const next = (text: string): readonly Transition[] => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const state = JSON.parse(text) as NaiveState;
    const all = copies.flatMap(({ process, i, name }, copy) =>
      process.steps
        .filter(it => it.from === state.at[copy] && CONDITIONS[it.condition]![1](state, copy, i))
        .map(it => {
          const after = JSON.parse(text) as NaiveState;
          EFFECTS[it.effect]![1](state, after, copy, i);
          after.at[copy] = it.to;
          return { process: name, step: `s${it.label}`, to: JSON.stringify(after) };
        }),
    );
    known.set(text, all);
    return all;
  };
  const initial = JSON.stringify(start);
  const depth = depthsFrom(initial, next);
  const states = [...depth.keys()];
  const isAccepting = (text: string): boolean => {
    const { at } = JSON.parse(text) as NaiveState;
    return copies.every(({ process }, copy) => process.halt.includes(at[copy]!));
  };
  const shared = (which: number, text: string): boolean => SHARED[which]![1](JSON.parse(text) as NaiveState, 0, 0);
  const least = (bad: readonly string[]): number | undefined =>
    bad.length === 0 ? undefined : Math.min(...bad.map(it => depth.get(it)!));
  const ends = states.filter(it => next(it).length === 0);
  const accepting = ends.filter(isAccepting);
  const names = new Set(system.progress.map(it => `s${it}`));
  const canReach = (from: string): boolean => [...depthsFrom(from, next).keys()].some(it => shared(system.goal, it));
  const onCycle = (from: string): boolean => {
    const without = (it: string) => next(it).filter(({ step }) => !names.has(step));
    return without(from).some(it => depthsFrom(it.to, without).has(from));
  };
  // All states from which a state is reached that reaches them, and the steps among them, can be one cycle.
  const isFairAround = (state: string): boolean => {
    const without = (it: string) => next(it).filter(({ step }) => !names.has(step));
    const round = [...depthsFrom(state, without).keys()].filter(it => depthsFrom(it, without).has(state));
    return copies.every(
      ({ name }) =>
        round.some(it => next(it).every(({ process }) => process !== name)) ||
        round.some(it => without(it).some(({ process, to }) => process === name && round.includes(to))),
    );
  };
  return {
    states: states.length,
    transitions: states.reduce((sum, it) => sum + next(it).length, 0),
    acceptingEnds: accepting.length,
    deadlocks: ends.length - accepting.length,
    deadlock: least(ends.filter(it => !isAccepting(it))),
    never: least(states.filter(it => shared(system.never, it))),
    atEnd: least(accepting.filter(it => !shared(system.atEnd, it))),
    goal: least(states.filter(it => !canReach(it))),
    makesProgress: !states.some(it => onCycle(it) && (system.fairness === 'none' || isFairAround(it))),
    initial,
    next,
  };
}

function depthsFrom(start: string, next: (state: string) => readonly Transition[]): ReadonlyMap<string, number> {
  const depth = new Map([[start, 0]]);
  for (const [state, at] of depth) for (const { to } of next(state)) if (!depth.has(to)) depth.set(to, at + 1);
  return depth;
}
