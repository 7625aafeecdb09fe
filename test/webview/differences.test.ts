import { describe, expect, it } from 'vitest';
import { differing } from '../../client/src/webview/compare/differences';
import type { ComparedPlacement, PreviewComparison, PreviewPod } from '../../server/src/analysis/preview/model';

const NODES = ['n1', 'n2', 'n3'];

function compared(
  owners: Readonly<Record<string, string | undefined>>,
  on: Readonly<Record<'pack' | 'optimal', readonly (string | undefined)[]>>,
) {
  const ids = Object.keys(owners);
  const done = Object.entries(on).map(
    ([strategy, nodes]) =>
      ({ strategy, on: nodes.map(it => (it === undefined ? -1 : NODES.indexOf(it))) }) as unknown as ComparedPlacement,
  );
  const comparison: PreviewComparison = { strategies: ['pack', 'optimal'], pods: ids, nodes: NODES, done, seconds: 10 };
  const pods = new Map(
    Object.entries(owners).map(([id, owner]): readonly [string, PreviewPod] => [
      id,
      {
        id,
        name: id,
        namespace: 'default',
        ...(owner !== undefined && { owner }),
        priority: 0,
        cpuMilli: 500,
        memoryBytes: 100,
        state: 'placed',
      },
    ]),
  );
  return differing(comparison, ['pack', 'optimal'], pods);
}

const web = { a: 'Deployment/web', b: 'Deployment/web', c: 'Deployment/web' };

describe('what lies elsewhere', () => {
  it('is nothing when equal Pods swap', () => {
    const found = compared(web, { pack: ['n1', 'n2', 'n1'], optimal: ['n2', 'n1', 'n1'] });
    expect(found).toEqual({ elsewhere: [], nodes: [] });
  });

  it('is listed by workload, from node to node', () => {
    const found = compared(web, { pack: ['n1', 'n1', 'n2'], optimal: ['n3', 'n2', 'n3'] });
    expect(found?.elsewhere).toEqual([{ workload: 'Deployment/web', pods: ['a', 'b'], left: 'n1', right: 'n3' }]);
    expect(found?.nodes).toEqual([
      {
        node: 'n1',
        left: { pods: 2, cpuMilli: 1000, memoryBytes: 200 },
        right: { pods: 0, cpuMilli: 0, memoryBytes: 0 },
      },
      {
        node: 'n3',
        left: { pods: 0, cpuMilli: 0, memoryBytes: 0 },
        right: { pods: 2, cpuMilli: 1000, memoryBytes: 200 },
      },
    ]);
  });

  it('distinguishes Pods with names of their own', () => {
    const own = { 'db-0': 'StatefulSet/db', 'db-1': 'StatefulSet/db', bare: undefined };
    const found = compared(own, { pack: ['n1', 'n2', 'n1'], optimal: ['n2', 'n1', 'n3'] });
    expect(found?.elsewhere.map(it => [it.workload, it.pods, it.left, it.right])).toEqual([
      ['StatefulSet/db', ['db-0'], 'n1', 'n2'],
      ['StatefulSet/db', ['db-1'], 'n2', 'n1'],
      ['bare', ['bare'], 'n1', 'n3'],
    ]);
  });

  it('counts who has no node on one side', () => {
    const found = compared(web, { pack: ['n1', undefined, undefined], optimal: ['n1', 'n1', undefined] });
    expect(found?.elsewhere).toEqual([{ workload: 'Deployment/web', pods: ['b'], left: undefined, right: 'n1' }]);
    expect(found?.nodes.map(it => it.node)).toEqual(['n1']);
  });

  it('is not known before both are there', () => {
    const comparison: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 10 };
    expect(differing(comparison, ['pack', 'optimal'], new Map())).toBeUndefined();
  });
});
