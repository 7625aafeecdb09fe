import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  type PolicyLocationsAnswer,
  type PolicyLocationsParams,
  policyLocationsRequest,
} from '../../server/src/lsp/protocol';

/** Opens what a policy rejects, where it is written, as references of the place of its lens. */
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
