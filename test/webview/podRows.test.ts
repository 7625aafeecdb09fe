import { describe, expect, it } from 'vitest';
import {
  openedAll,
  type PodRow,
  placesOf,
  podOfRow,
  podRows,
  rowOf,
  treeStep,
} from '../../client/src/webview/state/podRows';
import type { PodListGroup } from '../../client/src/webview/state/selectors';
import type { PreviewPod, PreviewRefusal } from '../../server/src/analysis/preview/model';

const pod = (name: string, state: PreviewPod['state'], owner?: string): PreviewPod => ({
  id: `shop/${name}`,
  name,
  namespace: 'shop',
  priority: 0,
  cpuMilli: 0,
  memoryBytes: 0,
  state,
  ...(owner !== undefined && { owner }),
});

const refusal: PreviewRefusal = {
  id: 'shop/batch-1',
  name: 'batch-1',
  namespace: 'shop',
  owner: 'Job/batch',
  pods: 8,
  by: 'quota',
  reason: 'exceeded quota: q',
  message: 'Error creating: pods "batch-" is forbidden: exceeded quota: q',
};

const groups: readonly PodListGroup[] = [
  { group: 'pending', start: 0, pods: [pod('one', 'pending')] },
  {
    group: 'placed',
    start: 1,
    pods: [
      pod('web-1', 'placed', 'Deployment/web'),
      pod('db-0', 'placed', 'StatefulSet/db'),
      pod('web-2', 'placed', 'Deployment/web'),
    ],
  },
];

const closed = { toggled: new Set<string>(), isAllOpen: false };
const text = (rows: readonly PodRow[]) =>
  rows.map(row => {
    const name = row.kind === 'group' ? row.group : row.kind === 'workload' ? row.name : podOfRow(row);
    return `${'  '.repeat(row.level - 1)}${name}${'count' in row ? ` ${row.count}` : ''}`;
  });

describe('the rows of the list of Pods', () => {
  it('are groups with their workloads and counts, refused Pods first; a lone Pod stands for itself', () => {
    expect(text(podRows(groups, closed, [refusal]))).toEqual([
      'refused 8',
      '  shop/batch-1',
      'pending 1',
      '  shop/one',
      'placed 3',
      '  web 2',
      '  shop/db-0',
    ]);
  });

  it('show the Pods of a workload that is open, and nothing of a group that is closed', () => {
    const toggled = new Set(['group:pending', ...openedAll(groups)]);
    expect(text(podRows(groups, { toggled, isAllOpen: false }))).toEqual([
      'pending 1',
      'placed 3',
      '  web 2',
      '    shop/web-1',
      '    shop/web-2',
      '  shop/db-0',
    ]);
    expect(text(podRows(groups, { toggled, isAllOpen: true }))).toContain('  shop/one');
  });

  it('have one that stands for the chosen Pod, open or closed', () => {
    const rows = podRows(groups, closed, [refusal]);
    expect(rowOf(rows, 'shop/web-2')).toMatchObject({ kind: 'workload', name: 'web' });
    expect(rowOf(rows, 'shop/batch-1')).toMatchObject({ kind: 'refusal' });
    expect(rowOf(podRows(groups, { ...closed, isAllOpen: true }), 'shop/web-2')).toMatchObject({ kind: 'pod' });
    expect(rowOf(rows, 'shop/gone')).toBeUndefined();
  });

  it('know their place among those of the same parent', () => {
    const rows = podRows(groups, { ...closed, isAllOpen: true }, [refusal]);
    const places = placesOf(rows);
    expect(rows.map(row => places.get(row)?.join('/'))).toEqual([
      '1/3',
      '1/1',
      '2/3',
      '1/1',
      '3/3',
      '1/2',
      '1/2',
      '2/2',
      '2/2',
    ]);
  });

  it.each<[string, number, ReturnType<typeof treeStep>]>([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowUp', 0, { to: 0 }],
    ['ArrowRight', 3, { toggle: 3 }],
    ['ArrowRight', 2, { to: 3 }],
    ['ArrowRight', 1, undefined],
    ['ArrowLeft', 2, { toggle: 2 }],
    ['ArrowLeft', 3, { to: 2 }],
    ['Enter', 3, { toggle: 3 }],
    ['Enter', 1, { to: 1 }],
    ['End', 0, { to: 4 }],
    ['*', 0, 'openAll'],
    ['Tab', 0, undefined],
  ])('%s in row %d', (key, at, step) => {
    expect(treeStep(key, at, podRows(groups, closed))).toEqual(step);
  });
});
