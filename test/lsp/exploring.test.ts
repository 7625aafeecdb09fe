import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PreviewModel } from '../../server/src/analysis/previewModel';
import {
  type ExploreAnswer,
  exploreCommand,
  exploreRequest,
  previewCommand,
  previewRequest,
} from '../../server/src/lsp/protocol';
import { type ClientOptions, startClient, type TestClient } from './client';

const example = (path: string): string => readFileSync(join(import.meta.dirname, '../../examples', path), 'utf8');
const uri = 'file:///ws/app.yaml';
const textDocument = { uri };
const CODE = 'berth/exploration-finding';

const explore = (client: TestClient): Promise<ExploreAnswer | null> =>
  client.connection.sendRequest(exploreRequest, { textDocument, progressToken: 'a' });

async function opened(text: string, files: ClientOptions['files'] = {}): Promise<TestClient> {
  const client = await startClient({ commands: [previewCommand, exploreCommand], files });
  client.open(uri, text);
  await client.diagnostics(uri, () => true);
  return client;
}

const found = (client: TestClient) => client.diagnostics(uri, all => all.some(it => it.code === CODE));

interface Action {
  readonly title: string;
  readonly command?: { readonly command: string; readonly arguments: readonly object[] };
  readonly edit?: { readonly documentChanges: readonly TextChanges[] };
}
interface TextChanges {
  readonly textDocument: { readonly uri: string };
  readonly edits: readonly TextChange[];
}
interface Position {
  readonly line: number;
  readonly character: number;
}
interface TextChange {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly newText: string;
}

async function actionsAt(client: TestClient, start: Position): Promise<readonly Action[]> {
  const range = { start, end: start };
  return client.connection.sendRequest('textDocument/codeAction', {
    textDocument,
    range,
    context: { diagnostics: [] },
  });
}

/** A text after the edits of an action, all in one file. */
function after(text: string, { edit }: Action): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, it) => sum + it.length + 1, 0) + character;
  const edits = edit!.documentChanges
    .flatMap(it => it.edits)
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start));
  return edits.reduce(
    (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
    text,
  );
}

describe('an exploration that is asked for', () => {
  const rollout = example('what-controllers-do/rollout/rollout.yaml');

  it('says what may go wrong and what holds, and its findings are problems at the fields to blame', async () => {
    const client = await opened(rollout);
    const answer = (await explore(client))!;
    expect(answer.findings.map(it => it.message)).toEqual([
      'A rollout of Deployment web never ends (maxSurge 1, maxUnavailable 0): no node has room for a new Pod while the old ones run',
    ]);
    expect(answer.holds).toContain('every drain of a node ends');
    const [problem] = (await found(client)).filter(it => it.code === CODE);
    expect(problem!.range).toEqual(answer.findings[0]!.place!.range);
    expect(problem!.message).toMatch(/no node has room for a new Pod while the old ones run\.$/);
    expect(rollout.split('\n')[problem!.range.start.line]).toContain('strategy');
  });

  it('offers fixes after which nothing is found', async () => {
    const client = await opened(rollout);
    await explore(client);
    const [problem] = (await found(client)).filter(it => it.code === CODE);
    const fixes = (await actionsAt(client, problem!.range.start)).filter(it => it.title.startsWith('Let '));
    expect(fixes.map(it => it.title)).toEqual([
      'Let Deployment web roll out with maxUnavailable: 1',
      'Let Deployment web roll out with the strategy Recreate',
    ]);
    for (const it of fixes) {
      client.change(uri, 2, after(rollout, it));
      expect((await explore(client))!.findings).toEqual([]);
      client.change(uri, 3, rollout);
    }
  });

  it('changes the files that were explored, and no other object of the same name', async () => {
    const client = await opened(rollout, { 'file:///ws/a/before.yaml': rollout });
    await explore(client);
    const [problem] = (await found(client)).filter(it => it.code === CODE);
    const fixes = (await actionsAt(client, problem!.range.start)).filter(it => it.title.startsWith('Let '));
    expect(fixes.flatMap(it => it.edit!.documentChanges.map(change => change.textDocument.uri))).toEqual([uri, uri]);
  });

  it('waits for the nodes of a folder that is being read', async () => {
    const documents = rollout.split(/^---$/m);
    const ofNodes = (it: string): boolean => /^kind: Node$/m.test(it);
    let finishReading: (text: string) => void = () => undefined;
    const nodes = new Promise<string>(done => {
      finishReading = done;
    });
    const client = await startClient({
      commands: [previewCommand, exploreCommand],
      files: { 'file:///ws/nodes.yaml': '' },
      world: { readText: () => nodes },
    });
    client.open(uri, documents.filter(it => !ofNodes(it)).join('---'));
    const answer = explore(client);
    await client.diagnostics(uri, () => true);
    finishReading(documents.filter(ofNodes).join('---'));
    expect((await answer)!.findings.map(it => it.message)).toEqual([expect.stringContaining('never ends')]);
  });

  it('is told until the text changes', async () => {
    const client = await opened(rollout);
    await explore(client);
    await found(client);
    const lenses = async (): Promise<readonly string[]> => {
      const all: readonly { readonly command?: { readonly title: string; readonly command: string } }[] =
        await client.connection.sendRequest('textDocument/codeLens', { textDocument });
      return all.flatMap(it => (it.command?.command === 'berth.explore' ? it.command.title : []));
    };
    expect(await lenses()).toEqual([expect.stringMatching(/^explored: 1 may go wrong, [2-9] hold$/)]);
    client.change(uri, 2, rollout.replace('replicas: 3', 'replicas: 2'));
    await client.diagnostics(uri, all => all.every(it => it.code !== CODE));
    expect(await lenses()).toEqual(['explore what could happen']);
  });

  it('says in the preview why a Pod fits nowhere after a step, and nothing of Pods that run', async () => {
    const client = await opened(rollout);
    await explore(client);
    const [problem] = (await found(client)).filter(it => it.code === CODE);
    const show = (await actionsAt(client, problem!.range.start)).find(it => it.command?.command === 'berth.preview')!;
    const [{ trail }] = show.command!.arguments as readonly [{ readonly trail: { readonly finding: string } }];
    const attempts = async (at: number): Promise<PreviewModel['attempts'][string][]> => {
      const whatIf = { changes: [], trail: { ...trail, at } };
      const { attempts: all } = await client.connection.sendRequest<PreviewModel>(previewRequest, {
        textDocument,
        whatIf,
      });
      return Object.values(all);
    };
    expect(await attempts(1)).toEqual([]);
    expect(await attempts(2)).toEqual([
      expect.objectContaining({ status: 'unschedulable', message: expect.stringContaining('0/3 nodes are available') }),
    ]);
  });

  it('leads to the preview, which shows the cluster after each step', async () => {
    const budget = 'spec: { minAvailable: 3, selector: { matchLabels: { app: web } } }';
    const drain = `${example('what-controllers-do/drain/drain.yaml')}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
${budget}
`;
    const client = await opened(drain);
    await explore(client);
    const [problem] = (await found(client)).filter(it => it.code === CODE);
    expect(drain.split('\n')[problem!.range.start.line]).toBe(budget);
    const show = (await actionsAt(client, problem!.range.start)).find(it => it.command?.command === 'berth.preview')!;
    const [{ trail }] = show.command!.arguments as readonly [{ readonly trail: { readonly finding: string } }];
    const shown = (at?: number): Promise<PreviewModel> =>
      client.connection.sendRequest(previewRequest, {
        textDocument,
        whatIf: { changes: [], trail: { ...trail, ...(at !== undefined && { at }) } },
      });
    const end = await shown();
    expect(end.trail?.at).toBe(end.trail?.steps.length);
    expect(end.nodes.some(it => it.unschedulable)).toBe(true);
    const start = await shown(0);
    expect(start.nodes.some(it => it.unschedulable)).toBe(false);
    // As before the way: what the scheduler placed is counted as placed.
    expect(new Set(start.pods.map(it => it.state))).toEqual(new Set(['placed']));
    expect(end.pods.some(it => it.state === 'placed')).toBe(true);
    expect(start.trail?.steps[0]).toMatch(/^drain: cordon /);
  });

  it('does not begin where nothing describes the nodes', async () => {
    const client = await opened(rollout.split('---').at(-1)!);
    expect(await explore(client)).toBeNull();
  });
});
