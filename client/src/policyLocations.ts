import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  type PolicyLocationsAnswer,
  type PolicyLocationsParams,
  policyLocationsRequest,
} from '../../server/src/lsp/protocol';

/** Opens the positions of what a policy rejects, as references of its code lens. */
export async function showPolicyLocations(client: LanguageClient, params: PolicyLocationsParams): Promise<void> {
  const locations = await client.sendRequest<PolicyLocationsAnswer>(policyLocationsRequest, params);
  const { protocol2CodeConverter: to } = client;
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    to.asUri(params.textDocument.uri),
    to.asPosition(params.position),
    locations.map(it => new vscode.Location(to.asUri(it.uri), to.asRange(it.range))),
  );
}
