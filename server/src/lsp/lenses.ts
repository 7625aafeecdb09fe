import type { Command, Connection, CodeLens as LspCodeLens } from 'vscode-languageserver/node';
import type { CodeLens } from '../analysis/analysis';
import type { Asked } from './asked';
import { toRange } from './convert';
import { moverLenses } from './movers';
import { type PolicyPlacesAnswer, type PolicyPlacesParams, policyPlacesRequest } from './protocol';

/** Lenses over workloads and policies, and what a policy's lens opens. */
export function serveLenses(connection: Connection, asked: Asked): void {
  const { analysis, canonicalUri, linesOf, placing } = asked;
  connection.onCodeLens(async ({ textDocument }, token): Promise<LspCodeLens[] | null> => {
    const uri = canonicalUri(textDocument.uri);
    if (!(await placing.placed(uri, () => !token.isCancellationRequested))) return null;
    const lines = linesOf(uri);
    const told = analysis()
      .codeLenses(uri)
      .map((it): LspCodeLens => {
        const range = toRange(it.span, lines);
        return { range, command: commandOf(it, uri, range) };
      });
    return [...told, ...moverLenses(asked, uri)];
  });

  connection.onRequest(
    policyPlacesRequest,
    ({ textDocument, position, rule }: PolicyPlacesParams): PolicyPlacesAnswer => {
      const uri = canonicalUri(textDocument.uri);
      const offset = linesOf(uri)?.offset(position);
      if (offset === undefined) return [];
      const places = analysis().policyPlaces({ uri, offset, ...(rule !== undefined && { rule }) });
      return places.map(it => ({ uri: it.uri, range: toRange(it.span, linesOf(it.uri)) }));
    },
  );
}

/** A lens without a command only tells something. */
function commandOf({ title, pod, policy }: CodeLens, uri: string, { start: position }: LspCodeLens['range']): Command {
  if (pod !== undefined) return { title, command: 'berth.preview', arguments: [{ pod, uri }] };
  if (policy === undefined) return { title, command: '' };
  const asked: PolicyPlacesParams = { textDocument: { uri }, position, ...policy };
  return { title, command: 'berth.showPolicyPlaces', arguments: [asked] };
}
