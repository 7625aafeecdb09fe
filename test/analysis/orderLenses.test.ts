import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { runToEnd } from '../../server/src/base/steps';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';
import { throwBug } from '../support/throwBug';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';
const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../examples/arrival-orders', name, `${name}.yaml`), 'utf8');

const node = (cpu: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: "${cpu}", memory: 64Gi, pods: "110" } }\n---\n`;
const pod = (name: string, cpu: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { ${more}containers: [{ name: main, image: a, resources: { requests: { cpu: "${cpu}" } } }] }\n---\n`;
const deployment = (name: string, replicas: number, cpu: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: a, resources: { requests: { cpu: "${cpu}" } } }] }
---
`;

/** The titles in the order of the file; a lens without a title fails. */
function titlesIn(text: string, timeUsed = () => 0) {
  const analysis = analysisOf({ [uri]: text });
  const titles = runToEnd(analysis.orderTitles({ uri, timeUsed }));
  return analysis.orderLocations(uri).map(it => titles.get(it.start)!);
}

it.each([
  [
    'Pods of which one needs to come early',
    example('big-and-small'),
    ['stranded in 1 of 3 orders: small-1, small-2, big', 'placed in every order', 'placed in every order'],
  ],
  [
    'workloads, whose Pods in a row are counted',
    example('two-jobs'),
    Array(2).fill(expect.stringMatching(/^stranded in 16 of 20 orders: .*×/)),
  ],
  ['Pods that always fit', node('4') + pod('a', '1') + pod('b', '2'), Array(2).fill('placed in every order')],
  [
    'a Pod that never fits beside one that does',
    node('4') + pod('a', '1') + pod('huge', '8'),
    ['placed in every order', 'stranded in every order'],
  ],
  [
    'names that are longer than a lens',
    node('4') + pod(`a${'-long'.repeat(6)}`, '4') + pod(`b${'-long'.repeat(6)}`, '3'),
    Array(2).fill('stranded in 1 of 2 orders'),
  ],
])('a lens tells what becomes of %s', (_, text, titles) => {
  const shown = titlesIn(text).map(it => it.title);
  expect(shown).toEqual(titles);
  expect(Math.max(...shown.map(it => it.length))).toBeLessThanOrEqual(60);
});

it('has an order in which the Pods are stranded in full', () => {
  expect(titlesIn(example('big-and-small'))[0]?.detail).toBe(
    'Stranded when the Pods arrive in this order: default/small-1, default/small-2, default/big',
  );
});

it.each([
  ['one Pod arrives', node('4') + pod('a', '1')],
  ['all Pods are equal', node('4') + pod('a', '1') + pod('b', '1')],
  ['the other Pod already runs', node('4') + pod('a', '1', 'nodeName: n1, ') + pod('b', '2')],
  ['nothing describes the nodes', pod('a', '1') + pod('b', '2')],
  ['many Pods arrive', node('40') + deployment('a', 7, '1') + deployment('b', 6, '2')],
])('there is no lens where %s', (_, text) => {
  expect(titlesIn(text)).toEqual([]);
});

it('says nothing where the time was enough for one order only', () => {
  const turn = { count: 0 };
  const shown = titlesIn(node('4') + deployment('a', 4, '1') + deployment('b', 3, '2'), () => turn.count++);
  expect(shown).toEqual([undefined, undefined]);
});

it('tells how many orders were tried once the time is over', () => {
  const pods = Array.from({ length: 8 }, (_, i) => pod(`p${i}`, `${i + 1}`)).join('');
  const turn = { count: 0 };
  const timeUsed = (): number => {
    turn.count += 1;
    return turn.count / 1000;
  };
  const shown = titlesIn(node('12') + pods, timeUsed).map(it => it?.title ?? '');
  expect(shown).toHaveLength(8);
  expect(shown.filter(it => /orders tried|some orders/.test(it)).length).toBeGreaterThan(0);
  expect(shown.at(-1)).toMatch(/^stranded in each of the \d+ orders tried/);
  expect(shown).not.toContain('placed in every order');
});

it('explores the orders again only once something else is placed', () => {
  const text = example('big-and-small');
  const host = createAnalysisHost({ readPack, onBug: throwBug });
  const asked = { count: 0 };
  const timeUsed = (): number => {
    asked.count += 1;
    return 0;
  };
  const exploredAfter = (file: string, changed: string) => {
    host.apply({ files: [{ uri: file, text: changed }] });
    asked.count = 0;
    const [first] = runToEnd(host.analysis().orderTitles({ uri, timeUsed })).values();
    return [first?.title, asked.count > 0];
  };
  const stranded = 'stranded in 1 of 3 orders: small-1, small-2, big';
  expect(exploredAfter(uri, text)).toEqual([stranded, true]);
  expect(exploredAfter(uri, text.replaceAll('app:1', 'app:2'))).toEqual([stranded, false]);
  // Pods that are no more equal are told apart in the number of orders.
  const ofTwoImages = text.replace(/app:1(?!.*app:1)/s, 'app:2');
  expect(exploredAfter(uri, ofTwoImages)).toEqual(['stranded in 2 of 6 orders: small-2, small-1, big', true]);
  expect(exploredAfter(uri, text)).toEqual([stranded, false]);
  expect(exploredAfter('file:///other/map.yaml', 'kind: ConfigMap\n')).toEqual([stranded, false]);
  expect(
    exploredAfter(uri, `# The order decides.\n${text.replace('kind: Node', '# One of two.\nkind: Node')}`),
  ).toEqual([stranded, false]);
  expect(exploredAfter(uri, text.replaceAll('allocatable: { cpu: "4"', 'allocatable: { cpu: "40"'))).toEqual([
    'placed in every order',
    true,
  ]);
  expect(exploredAfter(uri, text)).toEqual([stranded, false]);
});

type ArbitraryOf<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

it('tells after any edits what a fresh start tells', () => {
  const podState = fc.record({
    cpu: fc.constantFrom('1', '4'),
    image: fc.constantFrom('app:1', 'app:2'),
    app: fc.constantFrom('a', 'b'),
    comment: fc.constantFrom('', '# Small.\n'),
  });
  const cluster = fc.record({
    nodes: fc.tuple(fc.constantFrom('4', '8'), fc.constantFrom('4', '8')),
    images: fc.constantFrom('', '"images": [{ "names": ["app:2"], "sizeBytes": 500000000 }], '),
  });
  const pods = fc.array(podState, { minLength: 2, maxLength: 3 });
  const nodesOf = ({ nodes, images }: ArbitraryOf<typeof cluster>): readonly string[] =>
    nodes.map(
      (cpu, i) => `apiVersion: v1
kind: Node
metadata: { name: n${i} }
status: { ${i === 0 ? images : ''}"allocatable": { "cpu": "${cpu}", "memory": 64Gi, "pods": "110" } }
`,
    );
  const podsOf = (all: ArbitraryOf<typeof pods>): readonly string[] =>
    all.map(
      ({ cpu, image, app, comment }, i) => `${comment}apiVersion: v1
kind: Pod
metadata: { name: p${i}, labels: { app: ${app} } }
spec: { containers: [{ name: main, image: "${image}", resources: { requests: { cpu: "${cpu}" } } }] }
`,
    );
  const told = (analysis: Analysis) => [...runToEnd(analysis.orderTitles({ uri, timeUsed: () => 0 }))];
  fc.assert(
    fc.property(cluster, fc.array(pods, { minLength: 2, maxLength: 6 }), (cluster, states) => {
      const host = createAnalysisHost({ readPack, onBug: throwBug });
      for (const state of states) {
        const text = [...nodesOf(cluster), ...podsOf(state)].join('---\n');
        host.apply({ files: [{ uri, text }] });
        expect(told(host.analysis())).toEqual(told(analysisOf({ [uri]: text })));
      }
    }),
    { numRuns: sizedFor({ thorough: 30, quick: 10 }), seed: 14 },
  );
});
