import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { describe, expect, it } from 'vitest';
import type { LayOut, StateGraphModel } from '../../server/src/analysis/stateGraph';
import { stateGraphRequest, stateGraphTextRequest } from '../../server/src/lsp/protocol';
import { type ClientOptions, startClient, type TestClient } from './client';

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../examples/explore/${name}.yaml`), 'utf8');
const uri = 'file:///ws/system.yaml';
const textDocument = { uri };

const layOut: LayOut = async ({ dot, format }) => (await Graphviz.load()).layout(dot, format, 'dot');

async function opened(text: string, options: ClientOptions = { layOut }): Promise<TestClient> {
  const client = await startClient(options);
  client.open(uri, text);
  return client;
}
const graphOf = (client: TestClient, more: object = {}): Promise<StateGraphModel | null> =>
  client.connection.sendRequest(stateGraphRequest, { textDocument, ...more });

const endless = `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: endless }
spec:
  variables: { n: 0 }
  processes:
    - { name: p, start: a, halt: [a], steps: [{ name: up, from: a, when: "n < 2000", set: { n: "n + 1" } }] }
`;

describe('the state graph of a system', () => {
  it('has the way to the first finding, with the places of its steps, and a picture', async () => {
    const text = example('two-philosophers');
    const graph = (await graphOf(await opened(text)))!;
    expect(graph).toMatchObject({ system: 'two-philosophers', finding: 'deadlock', isPart: false });
    expect(graph.visited).toEqual({ states: 10, transitions: 14, isComplete: true });
    expect(graph.findings).toEqual([{ key: 'deadlock', kind: 'deadlock', steps: 2 }]);
    expect(graph.way.map(it => it.step && `${it.step.process}: ${it.step.step}`)).toEqual([
      undefined,
      'philosopher[0]: take left',
      'philosopher[1]: take left',
    ]);
    expect(graph.way.slice(1).map(({ step }) => text.slice(step!.span.start, step!.span.end))).toEqual([
      'take left',
      'take left',
    ]);
    expect(graph.states[graph.way.at(-1)!.at!]).toMatchObject({
      kind: 'deadlock',
      lines: ['philosopher[0]: hungry', 'philosopher[1]: hungry', 'fork = [1,2]'],
    });
    expect(graph.picture?.nodes).toHaveLength(10);
    expect(graph.picture?.edges).toHaveLength(graph.transitions.length);
  });

  it('goes round a cycle to where it began', async () => {
    const { way, cycleFrom, findings } = (await graphOf(await opened(example('two-philosophers-repaired'))))!;
    expect(findings.map(it => it.kind)).toEqual(['progress']);
    expect(way.at(-1)!.state).toEqual(way[cycleFrom!]!.state);
    expect(cycleFrom).toBeLessThan(way.length - 1);
  });

  it('has no way where none is wanted, and the steps alone where nothing else is', async () => {
    const client = await opened(example('two-philosophers'));
    const none = (await graphOf(client, { finding: '' }))!;
    expect([none.finding, none.way.length, none.states.length]).toEqual([undefined, 1, 10]);
    const alone = (await graphOf(client, { within: 0 }))!;
    expect([alone.states.length, alone.isPart]).toEqual([3, true]);
  });

  it('is drawn near the steps first where the whole could not be read', async () => {
    const client = await opened(example('two-philosophers').replace('n: 2', 'n: 4'));
    const near = (await graphOf(client))!;
    expect([near.within, near.isPart, near.way.every(it => it.at !== undefined)]).toEqual([1, true, true]);
    const all = (await graphOf(client, { within: 'all' }))!;
    expect([all.within, all.states.length, all.isPart]).toEqual([undefined, all.visited?.states, false]);
    expect(near.states.length).toBeLessThan(all.states.length);
  });

  it('is drawn in part where it is large, and in a smaller part where that takes too long', async () => {
    const sizes: number[] = [];
    const slow: LayOut = async (job, ...rest) => {
      const nodes = job.dot.match(/width=\d+\.\d+, /g)?.length ?? 0;
      sizes.push(nodes);
      return nodes > 100 ? undefined : layOut(job, ...rest);
    };
    const client = await opened(endless, { layOut: slow });
    const graph = (await graphOf(client))!;
    expect(sizes).toEqual([300, 100]);
    expect([graph.states.length, graph.isPart, graph.visited?.states]).toEqual([100, true, 2001]);
    // Boxes of so many states hold their numbers alone.
    expect(graph.states.every(it => it.lines.length === 0)).toBe(true);
  });

  it('has no picture where laying it out always takes too long', async () => {
    const graph = await graphOf(await opened(endless, { layOut: async () => undefined }));
    expect([graph?.states.length, graph?.picture]).toEqual([30, undefined]);
  });

  it('has the way to an expression without a value', async () => {
    const text = endless.replace('"n + 1"', '"n + 1 + 0 / (2 - n)"');
    const graph = (await graphOf(await opened(text)))!;
    expect(graph.findings).toMatchObject([{ key: 'failure', kind: 'failure', name: '0 / 0 divides by zero' }]);
    expect(graph.visited).toBeUndefined();
    expect(graph.way.map(it => [it.state.variables.n, it.fails ?? false])).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [2, true],
    ]);
  });

  it.each([
    ['a text with errors', endless.replace('n + 1', 'm + 1')],
    ['no system', 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n'],
  ])('is not there for %s', async (_, text) => {
    expect(await graphOf(await opened(text))).toBeNull();
  });

  it.each([
    ['dot', /^digraph "two-philosophers" \{/],
    ['mermaid', /^flowchart TD/],
    ['svg', /<svg [\s\S]*philosopher\[0\]/],
  ])('is exported as %s', async (format, head) => {
    const client = await opened(example('two-philosophers'));
    const text: string = await client.connection.sendRequest(stateGraphTextRequest, { textDocument, format });
    expect(text.replaceAll('&#45;', '-')).toMatch(head);
  });
});

describe('ways to the state graph', () => {
  interface Offered {
    readonly title: string;
    readonly command: { readonly command: string; readonly arguments: readonly unknown[] };
    readonly diagnostics: readonly { readonly message: string }[];
  }
  const range = { start: { line: 9, character: 14 }, end: { line: 9, character: 14 } };
  const actionsOf = (client: TestClient): Promise<readonly Offered[]> =>
    client.connection.sendRequest('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } });
  const lensesOf = (client: TestClient): Promise<readonly { readonly command: { readonly title: string } }[]> =>
    client.connection.sendRequest('textDocument/codeLens', { textDocument });

  it('are a lens over the system, and a quick fix at the finding that leads to its steps', async () => {
    const client = await opened(example('two-philosophers'));
    await client.diagnostics(uri, all => all.some(it => it.message.startsWith('A deadlock')));
    const [lens, ...others] = await lensesOf(client);
    expect(others).toEqual([]);
    expect(lens).toMatchObject({
      range: { start: { line: 2, character: 0 } },
      command: { title: 'Show the state graph', command: 'berth.showStateGraph', arguments: [{ uri }] },
    });
    const [action] = await actionsOf(client);
    expect(action?.title).toBe('Show the steps in the state graph');
    expect(action?.command.arguments).toEqual([{ uri, finding: 'deadlock' }]);
    expect(action?.diagnostics[0]?.message).toMatch(/^A deadlock after 2 steps/);
  });

  it('are not offered to a client that cannot draw', async () => {
    const client = await opened(example('two-philosophers'), { commands: [] });
    await client.diagnostics(uri, all => all.some(it => it.message.startsWith('A deadlock')));
    expect(await lensesOf(client)).toEqual([]);
    expect((await actionsOf(client)).map(it => it.title)).not.toContain('Show the steps in the state graph');
  });
});
