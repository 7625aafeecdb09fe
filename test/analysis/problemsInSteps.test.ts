import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { runToEnd, type Steps } from '../../server/src/base/steps';
import { readPack } from '../support/packs';

const uri = 'file:///ws/pods.yaml';
const text = Array.from(
  { length: 50 },
  (_, i) => `apiVersion: v1\nkind: Pod\nmetadata: { name: web${i} }\nspec: { containers: [{ name: Web }] }\n`,
).join('---\n');

function analysed(given = text) {
  const host = createAnalysisHost({
    readPack,
    onBug(code, error) {
      throw new Error(`${code}: ${error}`);
    },
  });
  host.apply({ files: [{ uri, text: given }] });
  return host.analysis();
}

/** How many steps there were until the end, or until so many. */
function count(steps: Steps<unknown>, most = Number.POSITIVE_INFINITY): number {
  let done = 0;
  while (done < most && steps.next().done !== true) done += 1;
  return done;
}

test('problems are found in a step for each object', () => {
  const analysis = analysed();
  expect(count(analysis.diagnosticsInSteps(uri, 'quick'))).toBe(50);
  expect(count(analysis.diagnosticsInSteps(uri, 'quick'))).toBe(0);
});

test('a second question goes on where the first one is', () => {
  const analysis = analysed();
  const first = analysis.diagnosticsInSteps(uri, 'quick');
  count(first, 30);
  expect(count(analysis.diagnosticsInSteps(uri, 'quick'))).toBe(20);
  expect(count(first)).toBe(0);
});

test('all problems are known after the steps, and after a question between two steps', () => {
  const whole = analysed().quickDiagnostics(uri);
  expect(whole.length).toBeGreaterThan(50);
  const analysis = analysed();
  const steps = analysis.diagnosticsInSteps(uri, 'quick');
  count(steps, 30);
  expect(analysis.quickDiagnostics(uri)).toEqual(whole);
  expect(count(steps)).toBe(0);
  expect(analysis.quickDiagnostics(uri)).toEqual(whole);
});

test('of a long object they are found in a step for each rule', () => {
  const comment = '#'.repeat(250);
  const containers = Array.from({ length: 500 }, (_, i) => `    - { name: C${i}, image: "a:1" } ${comment}\n`).join('');
  const long = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n${containers}`;
  const analysis = analysed(long);
  expect(count(analysis.diagnosticsInSteps(uri, 'quick'))).toBeGreaterThan(50);
  expect(analysis.quickDiagnostics(uri)).toEqual(analysed(long).quickDiagnostics(uri));
});

test('what an exploration found is among the problems that were looked for when it began', () => {
  const rollout = join(import.meta.dirname, '../../examples/what-controllers-do/rollout/rollout.yaml');
  const analysis = analysed(readFileSync(rollout, 'utf8'));
  runToEnd(analysis.placing(uri));
  const steps = analysis.diagnosticsInSteps(uri, 'whole');
  count(steps, 1);
  runToEnd(analysis.exploring({ uri, timeUsed: () => 0, onQuestion: () => undefined }));
  count(steps);
  expect(analysis.diagnostics(uri).map(it => it.code)).toContain('berth/exploration-finding');
});
