import type { Command, Connection, CodeLens as LspCodeLens } from 'vscode-languageserver/node';
import type { CodeLens } from '../analysis/analysis';
import type { RequestContext } from './asked';
import { canOpenPlaces, policyPlacesOf, previewing } from './commands';
import { toRange } from './convert';
import { type LensWorld, moverLenses } from './movers';
import { type PolicyPlacesAnswer, type PolicyPlacesParams, policyPlacesCommand, policyPlacesRequest } from './protocol';
import type { ClientAbilities } from './telling';

/** Lenses over workloads and policies, and what a policy's lens opens. */
export function serveLenses(connection: Connection, asked: RequestContext, { session, late }: LensWorld): void {
  const { analysis, canonicalUri, linesOf, placing } = asked;
  connection.onCodeLens(async ({ textDocument }, token): Promise<LspCodeLens[] | null> => {
    const uri = canonicalUri(textDocument.uri);
    const isWanted = (): boolean => !token.isCancellationRequested;
    // A client that can be told to ask again need not wait, and shows no lenses of before meanwhile.
    const placed = session.abilities.refreshesLenses
      ? await late.soon(`placed ${uri}`, () => placing.placed(uri, () => true))
      : await placing.placed(uri, isWanted);
    if (!placed || !isWanted()) return null;
    const lines = linesOf(uri);
    const lenses = analysis().codeLenses(uri, placed === 'late' ? 'unplaced' : 'placed');
    session.hasPendingLenses ||= lenses.some(it => it.isPending);
    const told = lenses.map((it): LspCodeLens => {
      const range = toRange(it.span, lines);
      return { range, command: commandOf(it, uri, range, session.abilities) };
    });
    return [...told, ...moverLenses(asked, uri)];
  });

  connection.onRequest(
    policyPlacesRequest,
    (params: PolicyPlacesParams): PolicyPlacesAnswer => policyPlacesOf(asked, params),
  );
}

/** A lens without a command only tells something. */
function commandOf(
  { title, pod, policy }: CodeLens,
  uri: string,
  { start: position }: LspCodeLens['range'],
  abilities: ClientAbilities,
): Command {
  if (pod !== undefined) return previewing(title, { pod, uri }, abilities);
  if (policy === undefined || !canOpenPlaces(abilities)) return { title, command: '' };
  const asked: PolicyPlacesParams = { textDocument: { uri }, position, ...policy };
  return { title, command: policyPlacesCommand, arguments: [asked] };
}
