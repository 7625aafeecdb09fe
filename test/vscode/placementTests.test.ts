import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BerthApi } from '../../client/src/extension';
import { type RunTestsAnswer, runTestsRequest } from '../../server/src/lsp/protocol';
import { until } from './until';

const TEST = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [web.yaml, cluster.yaml]
tests:
  - name: everything has a node
    expect: [{ scheduled: all }]
  - name: nothing has one
    expect: [{ pending: all }]
`;

describe('placement tests in the editor', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const uri = vscode.Uri.joinPath(folder, 'shop.placement-test.yaml');

  after(() => vscode.workspace.fs.delete(uri));

  it('are listed once another program writes their file, and run on what the workspace holds', async () => {
    const { client, tests } = await vscode.extensions.getExtension<BerthApi>('berth.berth')!.activate();
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(TEST));
    const file = await until('the tests of the file', () => tests.items.get(uri.toString()));
    assert.deepEqual(
      [...file.children].map(([, it]) => it.label),
      ['everything has a node', 'nothing has one'],
    );
    const answer = await (await client).sendRequest<RunTestsAnswer>(runTestsRequest, {
      textDocument: { uri: uri.toString() },
    });
    assert.equal(answer.problem, undefined);
    assert.deepEqual(
      answer.results.map(it => [it.name, it.failures.length]),
      [
        ['everything has a node', 0],
        ['nothing has one', 1],
      ],
    );
  });
});
