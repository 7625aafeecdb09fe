import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpandedPart, StatesPart } from '../../server/src/explore/core/part';
import { systemExpander } from '../../server/src/explore/system/expander';
import type { ExplorationChoice } from '../../server/src/explore/system/exploreSystem';
import { expanderHere } from './expanderHere';
import { randomCopies, randomSystem, yamlOf } from './randomSystem';
import { explored, systemOf } from './support';

type Limits = Parameters<typeof explored>[2];

/** What an exploration tells, and how many states expanders expanded. */
function withExpanders(
  text: string,
  symmetry: 'used' | 'ignored',
  hows: readonly Parameters<typeof expanderHere>[1][],
  limits: Limits = {},
  saved?: Uint8Array,
) {
  let states = 0;
  const counted = (expand: (part: StatesPart) => ExpandedPart) => (part: StatesPart) => {
    states += part.count;
    return expand(part);
  };
  const start = () => hows.map(it => expanderHere(counted(systemExpander({ uri: 's.yaml', text, symmetry })), it));
  const choice: ExplorationChoice = {
    symmetry,
    ahead: { start, statesPerPart: 2, patience: 0 },
    ...(saved && { saved }),
  };
  return { told: toldOf(explored(text, choice, limits)), states };
}

function alone(text: string, symmetry: 'used' | 'ignored', limits: Limits = {}, saved?: Uint8Array) {
  return toldOf(explored(text, { symmetry, ...(saved && { saved }) }, limits));
}

/** All that a user may see of it. */
function toldOf(found: ReturnType<typeof explored>): unknown {
  if (found.kind === 'explored') {
    const { report, unreachable, save } = found;
    // As text, which is compared faster than bytes one by one.
    return { report, unreachable, saved: save && Buffer.from(save()).toString('base64') };
  }
  if (found.kind !== 'failed') return found;
  const { message, path, span, trace } = found.failure;
  return { message, path: path.toString(), span, trace };
}

describe('a search with expanders', () => {
  it.each([
    ['random systems', randomSystem, 'used'],
    ['random copies', randomCopies, 'used'],
    ['random copies without symmetry', randomCopies, 'ignored'],
  ] as const)('tells the same of %s as one thread does', (_, systems, symmetry) => {
    let all = 0;
    fc.assert(
      fc.property(systems, fc.constantFrom(undefined, 5, 17, 40), (system, most) => {
        const text = yamlOf(system);
        const limits = most === undefined ? {} : { states: most };
        const { told, states } = withExpanders(text, symmetry, ['answer', 'late', 'answer'], limits);
        all += states;
        expect(told).toEqual(alone(text, symmetry, limits));
      }),
      { numRuns: 80, seed: 18 },
    );
    expect(all).toBeGreaterThan(200);
  });

  it('expands itself what an expander took and did not answer', () => {
    const text = yamlOf(fc.sample(randomCopies, { seed: 7, numRuns: 1 })[0]!);
    expect(withExpanders(GROWING, 'used', ['end early', 'answer']).told).toEqual(alone(GROWING, 'used'));
    expect(withExpanders(text, 'ignored', ['end early']).told).toEqual(alone(text, 'ignored'));
  });

  it.each([
    ['values for which there was no room', '', {}],
    ['a limit of memory', '', { bytes: 60_000 }],
    ['a limit of findings', '', { findings: 1 }],
    ['a guard without a value', '- { name: fail, from: s, to: s, when: "100 / (a[i] - 40) > 1000" }', {}],
    ['a write without a value', '- { name: fail, from: s, to: s, set: { x: "100 / (a[i] - 40)" } }', {}],
  ] as const)('tells the same of %s', (_, step, limits) => {
    const text = GROWING.replace('# more', step);
    const { told, states } = withExpanders(text, 'used', ['answer', 'answer'], limits);
    expect(told).toEqual(alone(text, 'used', limits));
    expect(states).toBeGreaterThan(30);
  });

  it('goes on from what was saved', () => {
    const found = explored(GROWING, {}, { states: 300 });
    const saved = found.kind === 'explored' ? found.save?.() : undefined;
    const { told, states } = withExpanders(GROWING, 'used', ['answer'], {}, saved);
    expect(states).toBeGreaterThan(30);
    expect(told).toEqual(alone(GROWING, 'used'));
  });
});

const GROWING = systemOf(`variables: { x: 0, a: { size: 2, value: 0 } }
processes:
  - name: p
    copies: 2
    start: s
    steps:
      - { name: up, from: s, when: "a[i] < 45", set: { "a[i]": "a[i] + 1" } }
      # more
properties:
  - { name: far, never: "a[0] == 20 && a[1] == 21" }
  - { name: goal, canAlwaysReach: "a[0] == 45" }
  - { name: round, progress: [] }`);
