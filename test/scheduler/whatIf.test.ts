import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { openScenario } from '../../server/src/analysis/scenario';
import type { UnknownObject } from '../../server/src/base/json';
import { runToEnd } from '../../server/src/base/steps';
import { bytesLike, cpuLike } from '../../server/src/scheduler/whatIf/amounts';
import { studySteps } from '../../server/src/scheduler/whatIf/counterfactuals';
import { documentsOf, withEdits } from '../../server/src/scheduler/whatIf/edits';
import { applyEdits } from '../../server/src/text/span';
import { readPack } from '../support/packs';
import { sampled, sizedFor } from '../support/thorough';
import { checkSuggestions, placeOptions } from './checkSuggestions';
import { isGateOn, objectsIn } from './support';

const options = placeOptions(readPack);
const folder = join(import.meta.dirname, 'whatIf');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const cases = readdirSync(folder).filter(it => it.endsWith('.yaml') && it !== 'cluster.yaml');

/** For each Pod without a node: the explanation, the suggestions, and the changed lines. */
async function suggestionText(text: string): Promise<string> {
  const scenario = openScenario([{ uri: 'case.yaml', text }], options);
  const lines: string[] = [];
  for (const [pod, { suggestions, cut }] of (await scenario.suggestions()).suggestions) {
    const explanation = scenario.explanation(pod);
    lines.push(explanation?.summary ?? '', ...(explanation?.steps ?? []).map(it => `  ${it.plugin}: ${it.sentence}`));
    for (const { title, effect, fileEdits = [] } of suggestions) {
      lines.push('', `${title}: ${effect}`, ...changedLines(text, applyEdits(text, fileEdits)));
    }
    lines.push(...(suggestions.length === 0 ? ['', 'No change helps.'] : []), ...(cut ? [cut] : []), '');
  }
  return lines.join('\n');
}

function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const start = old.findIndex((it, i) => it !== now[i]);
  const shorter = Math.min(old.length, now.length) - start;
  let tail = 0;
  while (tail < shorter && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(start, old.length - tail).map(it => `  - ${it}`),
    ...now.slice(start, now.length - tail).map(it => `  + ${it}`),
  ];
}

describe('explanations and suggestions', () => {
  test.each(cases)('%s', async file => {
    const found = await suggestionText(`${read('cluster.yaml')}---\n${read(file)}`);
    const path = join(folder, file.replace(/\.yaml$/, '.txt'));
    if (process.env.UPDATE === '1') writeFileSync(path, found);
    expect(existsSync(path), `${path} is missing: run with UPDATE=1`).toBe(true);
    expect(found).toBe(readFileSync(path, 'utf8'));
  });
});

describe('each suggestion, applied to the text, has the effect that it claims', () => {
  test.each(cases)('%s', async file => {
    const {
      suggestions,
      failed: broken,
      unwritten,
    } = await checkSuggestions(`${read('cluster.yaml')}---\n${read(file)}`, options);
    expect([...broken, ...unwritten]).toEqual([]);
    expect(suggestions > 0).toBe(file !== 'hopeless.yaml');
  });

  test('also in the scenarios of the plugins', async () => {
    const scenarios = join(import.meta.dirname, 'scenarios');
    const files = readdirSync(scenarios).filter(it => it.endsWith('.yaml') && !it.includes('malformed'));
    const all = await Promise.all(
      sampled(files, 4).map(async file => ({
        file,
        ...(await checkSuggestions(readFileSync(join(scenarios, file), 'utf8'), options)),
      })),
    );
    expect(all.flatMap(({ file, failed: broken }) => broken.map(it => `${file} ${it}`))).toEqual([]);
    expect(all.reduce((sum, it) => sum + it.suggestions, 0)).toBeGreaterThan(sizedFor({ thorough: 25, quick: 6 }));
  }, 60_000);
});

test('malformed objects give no suggestion that throws', async () => {
  const scenarios = join(import.meta.dirname, 'scenarios');
  const files = readdirSync(scenarios).filter(it => it.includes('malformed') && it.endsWith('.yaml'));
  expect(files).not.toEqual([]);
  for (const uri of files) {
    const text = readFileSync(join(scenarios, uri), 'utf8');
    await expect(openScenario([{ uri, text }], options).suggestions()).resolves.toBeDefined();
  }
});

describe('a study', () => {
  const objects = objectsIn(`${read('cluster.yaml')}---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: main, image: a }] }
`);
  const runOptions = { kubernetesVersion: '1.37', isGateOn };

  it('finds what makes a Pod fit on a given node', () => {
    const { suggestions } = runToEnd(studySteps(objects, runOptions)).counterfactuals('default/web', 'node-gpu-1');
    expect(suggestions.map(it => it.title)).toEqual(['Tolerate the taint dedicated=gpu:NoSchedule']);
    expect(suggestions[0]?.outcome.opens).toEqual(['node-gpu-1']);
  });

  it('says so where no document contains the Pod', () => {
    expect(runToEnd(studySteps(objects, runOptions)).counterfactuals('default/nobody')).toEqual({
      pod: 'default/nobody',
      suggestions: [],
      cut: 'The Pod is written nowhere that could be changed.',
    });
  });

  it('stays within its budget, and says how much it did not try', () => {
    const taints = Array.from({ length: 9 }, (_, i) => ({ key: `t${i}`, effect: 'NoSchedule' }));
    const nodes = Array.from(
      { length: 500 },
      (_, i): UnknownObject => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `n${i}` },
        spec: { taints: taints.filter((_, t) => (i + t) % 2 === 0) },
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
      }),
    );
    // Each filter run counts as ten, of which the first term saves most of the work.
    const nodeSelectorTerms = Array.from({ length: 99 }, () => ({
      matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }],
    }));
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
      },
    };
    expect(runToEnd(studySteps([...nodes, pod], runOptions)).counterfactuals('default/web').cut).toMatch(
      /^\d+ more changes were not tried\.$/,
    );
  });
});

describe('edits', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { tolerations: [{ key: 'x' }], list: [1, 2] },
  };
  const list: UnknownObject = {
    apiVersion: 'v1',
    kind: 'List',
    items: [pod, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } }],
  };
  const object = { group: '', kind: 'Pod', namespace: 'default', name: 'a' };

  it('apply in order to items of a List, and leave the rest unchanged', () => {
    const [changed] = withEdits(documentsOf([list]), [
      { object, path: ['spec', 'tolerations'], action: 'append', value: { key: 'y' } },
      { object, path: ['spec', 'list', 0], action: 'remove' },
      { object, path: ['spec', 'new', 'field'], action: 'set', value: 1 },
    ]);
    expect(changed).toMatchObject({
      items: [
        { spec: { tolerations: [{ key: 'x' }, { key: 'y' }], list: [2], new: { field: 1 } } },
        { metadata: { name: 'b' } },
      ],
    });
    expect(pod.spec.list).toEqual([1, 2]);
  });
});

describe('amounts', () => {
  it.each([
    ['4Gi', 3.5 * 2 ** 30, '3.5Gi'],
    ['4Gi', 3.3 * 2 ** 30, '3379Mi'],
    ['512Mi', 100 * 2 ** 20, '100Mi'],
    ['4G', 3_400_000_000, '3400M'],
    ['4294967296', 2 ** 31, '2Gi'],
  ])('of bytes are written as %s is', (written, bytes, text) => {
    expect(bytesLike(written, bytes)).toBe(text);
  });

  it.each([
    ['2', 1500, '1.5'],
    ['2', 1750, '1750m'],
    ['2000m', 1500, '1500m'],
    ['2000m', 1000, '1'],
  ])('of CPU are written as %s is', (written, milli, text) => {
    expect(cpuLike(written, milli)).toBe(text);
  });
});
