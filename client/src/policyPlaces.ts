import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  type PolicyLocationsAnswer,
  type PolicyLocationsParams,
  policyLocationsRequest,
} from '../../server/src/lsp/protocol';

/** Opens what a policy rejects, where it is written, as references of the place of its lens. */
export async function showPolicyPlaces(client: LanguageClient, asked: PolicyLocationsParams): Promise<void> {
  const places = await client.sendRequest<PolicyLocationsAnswer>(policyLocationsRequest, asked);
  const { protocol2CodeConverter: to } = client;
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    to.asUri(asked.textDocument.uri),
    to.asPosition(asked.position),
    places.map(it => new vscode.Location(to.asUri(it.uri), to.asRange(it.range))),
  );
}
