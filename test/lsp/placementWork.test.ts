import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import { createPlacementWork } from '../../server/src/lsp/placementWork';
import { type PreviewAnswer, previewRequest } from '../../server/src/lsp/protocol';
import { bigEnvironment } from '../bench/preview';
import { startClient } from './client';

interface Hover {
  readonly contents: { readonly value: string };
}

interface Fix {
  readonly title: string;
}

const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A clock on which each step of the work takes longer than the loop may be held. */
function slowWorld(analysis: () => Analysis, reading: () => Promise<void> | undefined = () => undefined) {
  const clock = { time: 0 };
  function* slow(turns: number, onTurn: () => void): Generator<undefined, number, undefined> {
    for (let i = 0; i < turns; i++) {
      clock.time += 9;
      onTurn();
      yield;
    }
    return turns;
  }
  return { slow, ...createPlacementWork({ analysis, reading, yieldToEventLoop, now: () => clock.time }) };
}

describe('long work of the server', () => {
  const analysisOf = (): Analysis => ({}) as Analysis;

  it('lets other work run between its slices', async () => {
    const analysis = analysisOf();
    const log: string[] = [];
    const { runInSlices: worked, slow } = slowWorld(() => analysis);
    setImmediate(() => log.push('other'));
    const done = await worked(
      () => slow(3, () => log.push('turn')),
      () => true,
    );
    expect(done).toBe(3);
    expect(log.slice(0, 2)).toEqual(['turn', 'other']);
  });

  it('that no change makes obsolete lets other work run, too, and knows when its time is over', async () => {
    const log: string[] = [];
    const { finish, startTime, slow } = slowWorld(analysisOf);
    const isOver = startTime();
    setImmediate(() => log.push('other'));
    expect(await finish(slow(3, () => log.push('turn')))).toBe(3);
    expect(log.slice(0, 2)).toEqual(['turn', 'other']);
    expect(isOver()).toBe(false);
    await finish(slow(60_000 / 9, () => undefined));
    expect(isOver()).toBe(true);
  });

  it('ends when it is no longer wanted', async () => {
    const analysis = analysisOf();
    let turns = 0;
    const { runInSlices: worked, slow } = slowWorld(() => analysis);
    const done = await worked(
      () =>
        slow(100, () => {
          turns += 1;
        }),
      () => turns < 2,
    );
    expect([done, turns]).toEqual([undefined, 2]);
  });

  it('gives up after a minute, and does not start again before a change', async () => {
    const state = { analysis: analysisOf(), turns: 0, gaveUp: 0 };
    const clock = { time: 0 };
    function* endless(): Generator<undefined, number, undefined> {
      for (;;) {
        clock.time += 9;
        state.turns += 1;
        yield;
      }
    }
    const { runInSlices: worked } = createPlacementWork({
      analysis: () => state.analysis,
      reading: () => undefined,
      yieldToEventLoop,
      now: () => clock.time,
      gaveUp: () => {
        state.gaveUp += 1;
      },
    });
    const ask = () => worked(endless, () => true);
    expect([await ask(), state.gaveUp]).toEqual([undefined, 1]);
    const { turns } = state;
    expect([await ask(), state.turns, state.gaveUp]).toEqual([undefined, turns, 1]);
    state.analysis = analysisOf();
    expect([await ask(), state.gaveUp]).toEqual([undefined, 2]);
  });

  it('begins once the files that are being read are known, also those that are read after them', async () => {
    const analysis = analysisOf();
    const readings = [{ end: () => {} }, { end: () => {} }];
    const left = readings.map(
      it =>
        new Promise<void>(resolve => {
          it.end = () => {
            left.shift();
            resolve();
          };
        }),
    );
    const log: string[] = [];
    const { runInSlices: worked, slow } = slowWorld(
      () => analysis,
      () => left[0],
    );
    const done = worked(
      () => slow(1, () => log.push('turn')),
      () => true,
    );
    for (const it of readings) {
      await yieldToEventLoop();
      log.push('read');
      it.end();
    }
    await done;
    expect(log).toEqual(['read', 'read', 'turn']);
  });

  it('starts again after a change', async () => {
    let analysis = analysisOf();
    const begun: Analysis[] = [];
    const { runInSlices: worked, slow } = slowWorld(() => analysis);
    await worked(
      it => {
        begun.push(it);
        return slow(2, () => {
          if (begun.length === 1) analysis = analysisOf();
        });
      },
      () => true,
    );
    expect(begun).toHaveLength(2);
    expect(begun[1]).toBe(analysis);
  });
});

describe('a big environment in the preview', () => {
  it('does not delay edits of other files', async () => {
    const files = bigEnvironment({ nodes: 50, workloads: 20, podsEach: 25 });
    const other = 'file:///elsewhere/config.yaml';
    const client = await startClient({ folders: ['file:///bench', 'file:///elsewhere'] });
    for (const { uri, text } of files) client.open(uri, text);
    client.open(other, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\n');
    await client.diagnostics(other, () => true);
    const order: string[] = [];
    const uri = files[1]!.uri;
    const params = { textDocument: { uri }, position: { line: 0, character: 0 } };
    const preview = client.connection.sendRequest<PreviewAnswer>(previewRequest, params).then(it => {
      order.push('preview');
      return it;
    });
    await client.connection
      .sendRequest('textDocument/foldingRange', { textDocument: { uri: other } })
      .then(() => order.push('other file'));
    const model = await preview;
    expect(order).toEqual(['other file', 'preview']);
    expect(model?.pods).toHaveLength(500);
  });

  /** A file of it that is open, once it is placed; from `slow` on a look at the clock takes so many milliseconds. */
  async function placed() {
    const files = bigEnvironment({ nodes: 50, workloads: 20, podsEach: 25 });
    const clock = { time: 0, perLook: 0 };
    const now = (): number => {
      clock.time += clock.perLook;
      return clock.time;
    };
    const client = await startClient({ folders: ['file:///bench'], world: { now } });
    for (const { uri, text } of files) client.open(uri, text);
    const { uri, text } = files[1]!;
    const textDocument = { uri };
    const place = (word: string) => {
      const line = text.split('\n').findIndex(it => it.includes(word));
      return { line, character: text.split('\n')[line]!.indexOf(word) };
    };
    const hovered = async (word = 'Deployment'): Promise<string> => {
      const params = { textDocument, position: place(word) };
      const { contents } = await client.connection.sendRequest<Hover>('textDocument/hover', params);
      return contents.value;
    };
    const fixed = async (word: string): Promise<readonly string[]> => {
      const range = { start: place(word), end: place(word) };
      const params = { textDocument, range, context: { diagnostics: [] } };
      const fixes = await client.connection.sendRequest<readonly Fix[]>('textDocument/codeAction', params);
      return fixes.map(it => it.title);
    };
    await expect.poll(() => hovered()).toContain('land on');
    const slow = (milliseconds: number): void => {
      clock.perLook = milliseconds;
      const changed = text.replace(/replicas: \d+/, 'replicas: 24').replace('selector:', 'selectr:');
      client.change(uri, 2, changed);
    };
    return { hovered, fixed, slow, now };
  }

  it('a hover waits for a placement for two seconds, and goes without it', async () => {
    const { hovered, slow } = await placed();
    slow(100);
    const told = await hovered();
    expect(told).toContain('Where its Pods land is still being worked out.');
    expect(told).toContain('cannot be changed once the object exists');
  });

  it('a hover that tells no placement hardly waits for one', async () => {
    const { hovered, slow, now } = await placed();
    slow(10);
    const start = now();
    expect(await hovered('replicas')).toContain('`spec.replicas`');
    expect(now() - start).toBeLessThan(1_500);
  });

  it('a hover says so where a placement was given up', async () => {
    const { hovered, slow } = await placed();
    slow(50_000);
    await expect.poll(() => hovered()).toContain('Where its Pods land is not known: to place the Pods');
  });

  it('quick fixes wait for a placement for two seconds, and are those that need none', async () => {
    const { fixed, slow } = await placed();
    slow(100);
    expect(await fixed('selector:')).toContain('Rename to selector');
  });
});
