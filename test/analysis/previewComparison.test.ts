import { describe, expect, it } from 'vitest';
import type { ComparedStrategy } from '../../server/src/analysis/placement/strategy';
import { comparisonFor } from '../../server/src/analysis/preview/comparison';
import type { PreviewComparison, WhatIf } from '../../server/src/analysis/preview/model';
import { runToEnd } from '../../server/src/base/steps';
import { loadSolver } from '../../server/src/scheduler/optimum/highs';
import type { Solve } from '../../server/src/scheduler/optimum/optimum';
import { readPack } from '../support/packs';
import { analysisOf } from './analyse';
import { deployment, TWO_ZONES } from './twoZones';

const uri = 'file:///ws/all.yaml';
const solver = loadSolver();

/** All that is told, one after the other; the question goes through what another thread would get of it. */
async function told(
  text: string,
  whatIf: WhatIf = { changes: [] },
  by = solver,
): Promise<readonly PreviewComparison[]> {
  const question = runToEnd(analysisOf({ [uri]: text }).previewComparison({ uri, offset: 0, whatIf }));
  const steps: PreviewComparison[] = [];
  for await (const step of comparisonFor(structuredClone(question), { solver: by, readPack })) steps.push(step);
  return steps;
}

const lastOf = async (...given: Parameters<typeof told>): Promise<PreviewComparison> => (await told(...given)).at(-1)!;

const nodesOf = ({ done, pods, nodes }: PreviewComparison, strategy: ComparedStrategy): Record<string, string> => {
  const { on } = done.find(it => it.strategy === strategy)!;
  return Object.fromEntries(pods.map((id, i) => [id, nodes[on[i]!] ?? 'none']));
};

describe('a comparison', () => {
  it('is reported strategy by strategy, the optimum last', async () => {
    const steps = await told(TWO_ZONES + deployment('web', 4, '500m'));
    const all = ['configured', 'default', 'pack', 'spread', 'optimal'];
    expect(steps.map(it => it.done.map(({ strategy }) => strategy))).toEqual(
      [0, 1, 2, 3, 4, 5].map(it => all.slice(0, it)),
    );
    expect(new Set(steps.map(it => it.strategies.join()))).toEqual(new Set([all.join()]));
    expect(steps.map(it => it.optimum?.proof)).toEqual([...new Array(5).fill(undefined), 'optimal']);
  });

  it('places in another thread as the preview does', async () => {
    const text = `${TWO_ZONES}${deployment('web', 5, '1500m')}`;
    const { pods } = analysisOf({ [uri]: text }).preview({ uri, offset: 0 });
    const placed = Object.fromEntries(pods.map(it => [it.id, it.node ?? 'none']));
    expect(Object.values(placed)).toContain('none');
    expect(nodesOf(await lastOf(text), 'configured')).toEqual(placed);
  });

  it('is without the Pods that the server refuses after admission', async () => {
    const range = `apiVersion: v1
kind: LimitRange
metadata: { name: sizes }
spec: { limits: [{ type: Container, default: { cpu: 500m } }] }
---
`;
    const { pods } = await lastOf(TWO_ZONES + range + deployment('web', 1, '1'));
    expect(pods).toEqual([]);
  });

  it('includes what is tried', async () => {
    const whatIf: WhatIf = { changes: [{ do: 'nodeDown', node: 'a1' }], strategy: 'pack' };
    const { done, nodes } = await lastOf(TWO_ZONES + deployment('web', 2, '3'), whatIf);
    expect(nodes).toEqual(['b1']);
    expect(done.map(it => it.figures.unplaced)).toEqual([1, 1, 1, 1, 1]);
  });

  it('finds a better placement than kube-scheduler, and reports the gap of the others', async () => {
    // Small ones first, one on each node: no room is left for the big one.
    const text = TWO_ZONES + deployment('small', 2, '1') + deployment('big', 1, '4');
    const last = await lastOf(text);
    const of = (wanted: ComparedStrategy) => last.done.find(({ strategy }) => strategy === wanted)!;
    expect(of('spread')).toMatchObject({ objective: 5, gap: 0.6, figures: { unplaced: 1 } });
    expect(of('optimal')).toMatchObject({ objective: 2, gap: 0, figures: { unplaced: 0, nodesUsed: 2 } });
    const { 'default/big-1': big, ...small } = nodesOf(last, 'optimal');
    expect(Object.values(small)).not.toContain(big);
    for (const it of last.done) expect(of('optimal').objective).toBeLessThanOrEqual(it.objective);
  });

  it('reports no gap where the solver proves nothing within its time limit', async () => {
    const silent: Solve = (_, { seconds }) => {
      expect(seconds).toBe(10);
      return { end: 'failed', value: () => 0 };
    };
    const { done, optimum } = await lastOf(TWO_ZONES + deployment('web', 2, '1'), undefined, Promise.resolve(silent));
    expect(optimum?.proof).toBe('stopped');
    expect(done.map(it => it.gap)).toEqual(new Array(5).fill(undefined));
    const best = Math.min(...done.slice(0, 4).map(it => it.objective));
    expect(done[4]?.objective).toBe(best);
  });
});

describe('the figures of a placement', () => {
  it('are the number of used nodes, and how many more Pods fit', async () => {
    const { done } = await lastOf(TWO_ZONES + deployment('web', 4, '500m'));
    const of = (wanted: ComparedStrategy) => done.find(({ strategy }) => strategy === wanted)!.figures;
    expect(of('pack')).toMatchObject({
      placed: 4,
      unplaced: 0,
      nodes: 2,
      nodesUsed: 1,
      free: { cpu: 0.75, memory: 0.75 },
      // Of 500m and 1Gi: four more beside them, eight on the empty node; of what the cluster has left, twelve.
      room: { fits: 12, whole: 12 },
    });
    expect(
      of('pack')
        .zones.map(it => it.pods)
        .sort(),
    ).toEqual([0, 4]);
    expect(of('spread')).toMatchObject({
      nodesUsed: 2,
      zones: [
        { zone: 'a', pods: 2 },
        { zone: 'b', pods: 2 },
      ],
    });
  });
});
