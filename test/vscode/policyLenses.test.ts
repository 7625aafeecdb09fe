import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BerthApi } from '../../client/src/extension';
import { until } from './until';

/** Kyverno's, as it needs no engine of its own. */
const POLICY = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: teams }
spec:
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [Secret] } }] }
      validate:
        failureAction: Enforce
        message: a team is needed
        pattern: { metadata: { labels: { team: "?*" } } }
`;
const SECRETS = `apiVersion: v1
kind: Secret
metadata: { name: named, labels: { team: web } }
---
apiVersion: v1
kind: Secret
metadata:
  name: nameless
`;

describe('the lens over a policy', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const policy = vscode.Uri.joinPath(folder, 'teams.yaml');
  const secrets = vscode.Uri.joinPath(folder, 'secrets.yaml');

  before(async () => {
    await vscode.extensions.getExtension<BerthApi>('berth.berth')!.activate();
    await vscode.workspace.fs.writeFile(secrets, new TextEncoder().encode(SECRETS));
    await vscode.workspace.fs.writeFile(policy, new TextEncoder().encode(POLICY));
    await vscode.window.showTextDocument(policy);
  });

  after(async () => {
    await vscode.commands.executeCommand('closeReferenceSearch');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const it of [policy, secrets]) await vscode.workspace.fs.delete(it);
  });

  it('says what it rejects, and a click shows that', async () => {
    const lens = await until('the lens', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        policy,
        10,
      );
      return lenses.find(it => it.command?.title === 'rejects 1 of 2 objects');
    });
    assert.equal(lens.range.start.line, 0);
    const { command, arguments: given = [] } = lens.command!;
    await vscode.commands.executeCommand(command, ...given);
    // The list of places shows the text of the first: nobody else has opened that file.
    await until('the text of the Secret', () =>
      vscode.workspace.textDocuments.find(it => it.uri.toString() === secrets.toString()),
    );
  });
});
