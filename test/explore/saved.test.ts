import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSaved, savedBytes } from '../../server/src/explore/core/savedFile';
import type { SearchLimits } from '../../server/src/explore/core/search';
import { sizedFor } from '../support/thorough';
import { randomCopies, randomSystem, yamlOf } from './randomSystem';
import { explored, systemOf } from './support';

/** Searches until a limit, which then is raised. Gives the report, and how often it was stopped. */
function inParts(text: string, limit: 'states' | 'bytes', raised: (before: number) => number) {
  let value = raised(0);
  let saved: Uint8Array | undefined;
  for (let stops = 0; ; stops++) {
    const limits: Partial<SearchLimits> = { [limit]: value };
    const found = explored(text, { ...(saved && { saved }) }, limits);
    if (found.kind !== 'explored') throw new Error(found.kind);
    if (found.save === undefined) return { report: found.report, stops };
    saved = found.save();
    value = raised(value);
  }
}

function wholeOf(text: string) {
  const found = explored(text);
  return found.kind === 'explored' ? found.report : found.kind;
}

it.each([
  ['random systems', randomSystem],
  ['random copies', randomCopies],
])('a search of %s that goes on again and again ends as one that was never stopped', (_, systems) => {
  let all = 0;
  fc.assert(
    fc.property(systems, fc.integer({ min: 1, max: 30 }), (system, by) => {
      const text = yamlOf(system);
      const { report, stops } = inParts(text, 'states', it => it + by);
      all += stops;
      expect(report).toEqual(wholeOf(text));
    }),
    { numRuns: sizedFor({ thorough: 60, quick: 45 }), seed: 18 },
  );
  expect(all).toBeGreaterThan(30);
});

const MANY = systemOf(`variables: { x: 1, v: { size: 400, value: 0 } }
processes:
  - name: p
    copies: 400
    start: s
    steps: [{ name: up, from: s, when: "x < 100000000 && v[i] == 0", set: { "v[i]": i, x: "x * 10" } }]
properties: [{ name: grows, canAlwaysReach: "x >= 100" }, { name: ends, progress: [] }]`);

it('goes on where the memory was full amid the steps of a state, with values for which room was made', () => {
  const limit = 400_000;
  const found = explored(MANY, {}, { bytes: limit });
  if (found.kind !== 'explored' || found.save === undefined) throw new Error(found.kind);
  expect(found.report.stopped).toBe('memory');
  const limits = { states: 10_000 };
  const resumed = explored(MANY, { saved: found.save() }, limits);
  const whole = explored(MANY, {}, limits);
  expect(resumed.kind === 'explored' && resumed.report).toEqual(whole.kind === 'explored' && whole.report);
});

const SMALL = systemOf(`variables: { x: 0 }
processes:
  - name: p
    start: s
    steps: [{ name: up, from: s, to: t, when: "x < 90", set: { x: "x + 1" } }, { name: back, from: t, to: s }]
properties: [{ name: far, never: "x == 3" }, { name: goal, canAlwaysReach: "x == 90" }, { name: round, progress: [] }]`);

function savedHalf(): Uint8Array {
  const found = explored(SMALL, {}, { states: 40 });
  if (found.kind !== 'explored' || found.save === undefined) throw new Error(found.kind);
  return found.save();
}

it('refuses a file that was changed, wherever that was', () => {
  const bytes = savedHalf();
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = bytes.slice();
      changed[at] = (changed[at]! + by) % 256;
      const cut = bytes.slice(0, at);
      expect([explored(SMALL, { saved: cut }).kind]).toEqual(['refused']);
      // A header may change in what says nothing about states: white space, for example.
      const { kind } = explored(SMALL, { saved: changed });
      const isHeader = at <= bytes.indexOf(10, bytes.indexOf(10) + 1);
      expect(isHeader ? ['refused', 'explored'] : ['refused']).toContain(kind);
    }),
    { numRuns: sizedFor({ thorough: 300, quick: 100 }), seed: 18 },
  );
});

it('ends with a file that somebody forged, checksum and all', () => {
  const { identity, search } = readSaved(savedHalf())!;
  const numbers = fc.constantFrom(-1, 0, 1, 7, 1e9, -(2 ** 31), 2 ** 31 - 1);
  const forged = (array: Int32Array, at: number, value: number): Int32Array => array.with(at % array.length, value);
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom('words', 'parents', 'starts', 'targets', 'counts', 'ranges', 'named'),
      fc.nat(),
      numbers,
      (part, at, value) => {
        const { graph, counts, ranges } = search;
        const keys = Object.keys(counts) as (keyof typeof counts)[];
        const changed = {
          words: { words: forged(search.words, at, value) },
          parents: { parents: forged(search.parents, at, value) },
          starts: { graph: { ...graph!, starts: forged(graph!.starts, at, value) } },
          targets: { graph: { ...graph!, targets: forged(graph!.targets, at, value) } },
          counts: { counts: { ...counts, [keys[at % keys.length]!]: value } },
          ranges: { ranges: ranges.with(at % ranges.length, [value, at % 1000]) },
          named: { firstDeadlock: value, ends: [value], violations: [value, undefined, undefined] },
        }[part];
        kinds.add(
          explored(SMALL, { saved: savedBytes({ identity, search: { ...search, ...changed } }) }, { states: 500 }).kind,
        );
      },
    ),
    { numRuns: sizedFor({ thorough: 500, quick: 150 }), seed: 18 },
  );
  expect([...kinds].sort()).toEqual(['explored', 'refused']);
});
