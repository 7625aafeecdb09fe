import { expect, it } from 'vitest';
import { mapDetailFor, usedPart, useOf, wholePercent } from '../../client/src/webview/state/mapCells';
import type { PreviewNode } from '../../server/src/analysis/preview/model';

const node = (cpu: number, memory: number): PreviewNode => ({
  name: 'n',
  zone: '',
  ready: true,
  unschedulable: false,
  taints: [],
  labels: {},
  resources: [
    { name: 'cpu', allocatable: 4000, running: cpu, placed: 0 },
    { name: 'memory', allocatable: 1000, running: 0, placed: memory },
    { name: 'gpu', allocatable: 0, running: 1, placed: 0 },
  ],
  pods: [],
});

it('fills a cell by what is scarcer', () => {
  expect(useOf(node(1000, 500))).toBe(0.5);
  expect(useOf(node(3000, 500))).toBe(0.75);
  expect(usedPart(node(0, 0), 'gpu')).toBe(0);
  expect(usedPart(node(0, 0), 'none')).toBe(0);
});

it.each([
  [0, 0],
  [0.001, 1],
  [0.505, 51],
  [0.999, 99],
  [1, 100],
  [1.2, 120],
])('says %d as %d percent', (part, percent) => expect(wholePercent(part)).toBe(percent));

it('shows less of each node the more there are', () => {
  expect([12, 36, 37, 120, 121, 500].map(mapDetailFor)).toEqual([
    'words',
    'words',
    'names',
    'names',
    'squares',
    'squares',
  ]);
});
