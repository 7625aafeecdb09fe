import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sizedFor } from '../support/thorough';
import { corpus, smallWorkspace } from './corpus';
import { createFindings } from './findings';
import { runCommands } from './inputs/cli';
import { runStructure, runTexts } from './inputs/run';
import { growth } from './session/growth';
import { inMemory } from './session/inMemory';
import { runSessions } from './session/run';

// A short run of `npm run fuzz` with fixed inputs and without the policy engine; the long run has random ones.
const root = resolve(import.meta.dirname, '../..');
const silent = () => undefined;
const newFindings = () => createFindings(() => '', silent);
const forever = Number.POSITIVE_INFINITY;

it.each([
  ['values of another type at places of manifests', runStructure],
  ['random changes of texts', runTexts],
])('%s never break any request about a file', async (_name, run) => {
  const findings = newFindings();
  const inputs = sizedFor({ thorough: 20, quick: 2 });
  const beside = smallWorkspace(root).filter(it => /^(cluster|crds|kustomize)\//.test(it.path));
  // Time is measured by the long run only: here other work may run on the machine.
  const tally = await run({
    files: corpus(root),
    beside,
    seed: 14,
    until: forever,
    inputs,
    findings,
    say: silent,
    trying: silent,
  });
  expect(findings.all().filter(it => !it.what.startsWith('slow'))).toEqual([]);
  expect(tally.inputs).toBe(inputs);
});

it('random command lines over changed files exit with 0, 1 or 2, without a bug and without raw control characters', async () => {
  const findings = newFindings();
  const inputs = sizedFor({ thorough: 25, quick: 8 });
  const beside = smallWorkspace(root);
  const options = {
    files: beside,
    beside,
    seed: 15,
    until: forever,
    inputs,
    findings,
    say: silent,
    trying: silent,
  };
  const tally = await runCommands(options);
  expect(findings.all().filter(it => !it.what.startsWith('slow'))).toEqual([]);
  expect(tally.inputs).toBe(inputs);
});

it('a server under random edits reports the same problems as a fresh one', async () => {
  const findings = newFindings();
  const files = smallWorkspace(root);
  const options = {
    target: 'memory',
    files,
    seed: 14,
    until: forever,
    edits: sizedFor({ thorough: 40, quick: 20 }),
    compareEvery: sizedFor({ thorough: 20, quick: 10 }),
    findings,
    say: silent,
  };
  const tally = await runSessions({ ...options, backend: inMemory() });
  expect(findings.all()).toEqual([]);
  expect(tally.comparisons).toBeGreaterThan(1);
});

/**
 * What is found in the memory of a server: its heap and that of a fresh one in MiB, each sample ten edits after the one before.
 */
const grown = (heaps: readonly number[], fresh: readonly number[] = []): string | undefined =>
  growth(heaps.map((it, i) => ({ heapUsed: mib(it), rss: 0, fresh: mib(fresh[i] ?? 50), edits: 10 * (i + 1) })));
const mib = (count: number): number => count * 1024 * 1024;

it.each([
  ['what is read at first', [60, 90, 120, 121, 119, 122, 120, 121], undefined],
  ['too few samples', [60, 120, 240, 480], undefined],
  ['a heap that is flat but for one', [100, 100, 100, 100, 100, 400, 100, 100], undefined],
  [
    'a heap that grows',
    [100, 110, 120, 130, 140, 150, 160, 170],
    'memory grows: 80 MiB more than in a fresh server after 40 edits, 120 after 80',
  ],
])('of the memory of a server is told: %s', (_, heaps, expected) => {
  expect(grown(heaps)).toBe(expected);
});

it('a heap that grows as the files do is not told', () => {
  const heaps = [100, 110, 120, 130, 140, 150, 160, 170];
  expect(grown(heaps, heaps)).toBeUndefined();
});
