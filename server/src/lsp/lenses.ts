import type { Command, Connection, CodeLens as LspCodeLens } from 'vscode-languageserver/node';
import type { CodeLens } from '../analysis/analysis';
import { canOpenLocations, exploreLens, openPreviewCommand, policyLocationsOf, showGraphLens } from './commands';
import { toRange } from './convert';
import type { LateLenses, LensWorld } from './lateLenses';
import type { ClientAbilities } from './notifications';
import {
  chooseClusterCommand,
  type PolicyLocationsAnswer,
  type PolicyLocationsParams,
  policyLocationsCommand,
  policyLocationsRequest,
} from './protocol';
import type { RequestContext } from './requestContext';

/** Serves lenses over workloads and policies, and the locations that a policy's lens opens. */
export function serveLenses(
  connection: Connection,
  context: RequestContext,
  { session, late, lateLenses }: LensWorld & { readonly lateLenses: LateLenses },
): void {
  const { analysis, canonicalUri, linesOf, placementWork } = context;
  connection.onCodeLens(async ({ textDocument }, token): Promise<LspCodeLens[] | null> => {
    const uri = canonicalUri(textDocument.uri);
    const isWanted = (): boolean => !token.isCancellationRequested;
    // A client that supports refresh need not wait, and shows no outdated lenses meanwhile.
    // Before all folders are read nobody knows which nodes there are.
    if (!session.abilities.refreshesLenses) await session.started;
    const placed = !session.hasStarted()
      ? 'late'
      : session.abilities.refreshesLenses
        ? await late.soon(`placed ${uri}`, () => placementWork.place(uri, () => true))
        : await placementWork.place(uri, isWanted);
    if (!placed || !isWanted()) return null;
    const lines = linesOf(uri);
    const state = placed === 'late' ? 'unplaced' : 'placed';
    const lenses = analysis()
      .codeLenses(uri, state)
      .filter(it => canRun(it, session.abilities));
    session.hasPendingLenses ||= lenses.some(it => it.isPending);
    const converted = lenses.map((it): LspCodeLens => {
      const range = toRange(it.span, lines);
      return { range, command: commandOf(it, uri, range, session.abilities) };
    });
    // Lenses of one line are shown in this order, and a placement may be wider than the editor.
    const own = showGraphLens(context, uri, session.abilities);
    const explored = state === 'placed' ? exploreLens(context, uri, session.abilities) : [];
    return [...own, ...(await lateLenses.of(uri, state)), ...converted, ...explored];
  });

  connection.onRequest(
    policyLocationsRequest,
    (params: PolicyLocationsParams): PolicyLocationsAnswer => policyLocationsOf(context, params),
  );
}

/** A lens that is nothing but a command is left out where the client cannot run it. */
function canRun({ chooses }: CodeLens, { commands }: ClientAbilities): boolean {
  return chooses === undefined || commands.includes(chooseClusterCommand);
}

/** The command of a lens. An empty one makes the lens plain text. */
function commandOf(
  { title, pod, source, policy, chooses }: CodeLens,
  uri: string,
  { start: position }: LspCodeLens['range'],
  abilities: ClientAbilities,
): Command {
  if (pod !== undefined) return openPreviewCommand(title, { pod, uri: source ?? uri }, abilities);
  if (chooses === 'cluster') return { title, command: chooseClusterCommand };
  if (policy === undefined || !canOpenLocations(abilities)) return { title, command: '' };
  const params: PolicyLocationsParams = { textDocument: { uri }, position, ...policy };
  return { title, command: policyLocationsCommand, arguments: [params] };
}
