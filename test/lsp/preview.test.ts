import { describe, expect, it } from 'vitest';
import { comparisonFor } from '../../server/src/analysis/preview/comparison';
import { changedBy } from '../../server/src/analysis/preview/delta';
import type { PreviewComparison, PreviewDelta, PreviewModel } from '../../server/src/analysis/preview/model';
import type { FromComparer, ToThread } from '../../server/src/lsp/comparing/comparer';
import {
  type PreviewParams,
  type PreviewUpdate,
  previewClosedNotification,
  previewComparisonRequest,
  previewRequest,
} from '../../server/src/lsp/protocol';
import type { ServerWorld } from '../../server/src/lsp/world';
import { loadSolver } from '../../server/src/scheduler/optimum/highs';
import { readPack } from '../support/packs';
import { startClient } from './client';

const WEB = 'file:///ws/web.yaml';
const text = (cpu: string): string => `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: ${cpu}}}}]}
`;

/** A thread that works in this one, on copies of what it is told. */
function hereAndNow(listener: (message: FromComparer) => void): ReturnType<NonNullable<ServerWorld['startComparing']>> {
  const parts: object[] = [];
  return {
    async post(message: ToThread) {
      const copied = structuredClone(message);
      if ('objects' in copied) return void parts.push(...copied.objects);
      const question = { ...copied.ask, inputs: { ...copied.ask.inputs, objects: parts.splice(0) as never } };
      for await (const comparison of comparisonFor(question, { solver: loadSolver(), readPack }))
        listener({ comparison });
      listener({ end: true });
    },
    end: () => undefined,
  };
}

async function previewing(more: Parameters<typeof startClient>[0] = {}) {
  const client = await startClient({ startComparing: hereAndNow, ...more });
  client.open(WEB, text('1'));
  await client.diagnostics(WEB, () => true);
  const ask = async (params: Partial<PreviewParams> = {}): Promise<PreviewModel> => {
    const asked = { textDocument: { uri: WEB }, position: { line: 0, character: 0 }, ...params };
    return await client.connection.sendRequest<PreviewModel>(previewRequest, asked);
  };
  return { client, ask };
}

describe('the preview', () => {
  it('compares placements, and reports each as soon as it is there', async () => {
    const told: PreviewComparison[] = [];
    const { client, ask } = await previewing({
      onProgress(value: object) {
        if ('done' in value) told.push(value as PreviewComparison);
        return undefined;
      },
    });
    const params = { textDocument: { uri: WEB }, position: { line: 0, character: 0 }, partialResultToken: 'mine' };
    expect(await client.connection.sendRequest(previewComparisonRequest, params)).toBeNull();
    expect(told.map(it => it.done.length)).toEqual([0, 1, 2, 3, 4, 5]);
    const { comparedAs } = await ask();
    expect(comparedAs).toBeDefined();
    expect(new Set(told.map(it => it.comparedAs))).toEqual(new Set([comparedAs]));
    expect(told.at(-1)?.done.map(it => [it.strategy, it.gap])).toEqual(
      ['configured', 'default', 'pack', 'spread', 'optimal'].map(it => [it, 0]),
    );
  });

  it('marks models with equal comparisons', async () => {
    const { client, ask } = await previewing();
    const first = await ask();
    expect(await ask({ position: { line: 6, character: 0 } })).toMatchObject({ comparedAs: first.comparedAs });
    expect(await ask({ whatIf: { changes: [], strategy: 'pack' } })).toMatchObject({ comparedAs: first.comparedAs });
    const down = await ask({ whatIf: { changes: [{ do: 'nodeDown', node: 'n1' }] } });
    expect(down.comparedAs).not.toBe(first.comparedAs);
    client.change(WEB, 2, text('2'));
    expect((await ask()).comparedAs).not.toBe(first.comparedAs);
  });

  it('follows the cluster that it tries, until it is closed', async () => {
    const followed: string[] = [];
    const clusters: NonNullable<ServerWorld['clusters']> = {
      readSource: async () => ({ failure: 'there is none' }),
      follow({ context = '' }, tell) {
        followed.push(`${context} opened`);
        tell({ state: 'ready', objects: [], names: [], listings: [], notes: [] });
        return { refresh: () => undefined, close: () => void followed.push(`${context} closed`) };
      },
      contexts: () => ({ contexts: ['lab'] }),
      hasKubeconfig: () => true,
    };
    const { client, ask } = await previewing({ clusters, isTrusted: true });
    expect((await ask()).choices.live).toBe('askable');
    expect(followed).toEqual([]);
    const whatIf = { changes: [], source: 'live:lab' };
    expect((await ask({ whatIf })).cluster.label).toBe('live:lab, 0 nodes');
    await ask({ whatIf });
    expect(followed).toEqual(['lab opened']);
    await client.connection.sendNotification(previewClosedNotification);
    await ask();
    expect(followed).toEqual(['lab opened', 'lab closed']);
  });

  it('sends a delta to the last model that the client has', async () => {
    const { client, ask } = await previewing();
    const told = async (known: number) =>
      (await client.connection.sendRequest<PreviewUpdate>(previewRequest, {
        textDocument: { uri: WEB },
        position: { line: 0, character: 0 },
        known,
      })) as PreviewModel | PreviewDelta;
    const isWhole = (it: PreviewModel | PreviewDelta): it is PreviewModel => !('lists' in it);
    const first = await told(0);
    if (!isWhole(first) || first.revision === undefined) throw new Error('the first model is not whole');
    client.change(WEB, 2, text('2'));
    // This one never arrives: the next one is told in terms of the first one still.
    await told(first.revision);
    client.change(WEB, 3, text('3'));
    const next = await told(first.revision);
    if (isWhole(next)) throw new Error('the next model is whole');
    const { revision, ...model } = changedBy(first, next);
    expect(next.since).toBe(first.revision);
    expect(model).toEqual(await ask());
    expect(model.pods[0]?.cpuMilli).toBe(3_000);
    expect(isWhole(await told((revision ?? 0) + 1_000))).toBe(true);
    await client.connection.sendNotification(previewClosedNotification);
    expect(isWhole(await told((revision ?? 0) + 1))).toBe(true);
  });

  it('offers no live cluster where there is no kubeconfig', async () => {
    const { ask } = await previewing();
    expect((await ask()).choices.live).toBeUndefined();
  });
});
