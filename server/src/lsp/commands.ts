import {
  CodeAction,
  CodeActionKind,
  type CodeLens,
  type Command,
  type Connection,
  type ServerCapabilities,
} from 'vscode-languageserver/node';
import type { FollowedProblem, TracedFinding } from '../analysis/analysis';
import { t } from '../base/l10n';
import { type LinesByUri, toDiagnostic, toRange } from './convert';
import type { ClientAbilities } from './notifications';
import {
  type ExploreSubject,
  exploreCommand,
  type PolicyLocationsAnswer,
  type PolicyLocationsParams,
  type PreviewSubject,
  policyLocationsCommand,
  previewCommand,
  type StateGraphSubject,
  stateGraphCommand,
} from './protocol';
import type { RequestContext } from './requestContext';

/** The maximum number of locations to choose from. */
const MOST_LOCATIONS = 20;

/** Commands that the server runs for a client that cannot run them but can show documents. */
export function commandsFor({
  commands,
  showsDocuments,
}: ClientAbilities): Pick<ServerCapabilities, 'executeCommandProvider'> {
  if (!showsDocuments || commands.includes(policyLocationsCommand)) return {};
  return { executeCommandProvider: { commands: [policyLocationsCommand] } };
}

/** A command that opens the preview. For a client without a preview: a title without a command. */
export function openPreviewCommand(title: string, subject: PreviewSubject, { commands }: ClientAbilities): Command {
  if (!commands.includes(previewCommand)) return { title, command: '' };
  return { title, command: previewCommand, arguments: [subject] };
}

/** Over a system, where the client can draw its state graph. */
export function showGraphLens(
  { analysis, linesOf }: RequestContext,
  uri: string,
  { commands }: ClientAbilities,
): readonly CodeLens[] {
  const span = commands.includes(stateGraphCommand) ? analysis().systemLine(uri) : undefined;
  if (span === undefined) return [];
  const subject: StateGraphSubject = { uri };
  const command: Command = { title: t('Show the state graph'), command: stateGraphCommand, arguments: [subject] };
  return [{ range: toRange(span, linesOf(uri)), command }];
}

/** Over the first object that makes Pods, where the client can have it explored. */
export function exploreLens(
  { analysis, linesOf }: RequestContext,
  uri: string,
  { commands }: ClientAbilities,
): readonly CodeLens[] {
  const span = commands.includes(exploreCommand) ? analysis().explorationLine(uri) : undefined;
  if (span === undefined) return [];
  const found = analysis().exploration(uri);
  const title =
    found === undefined
      ? t('explore what could happen')
      : found.findings.length === 0
        ? t`explored: ${found.holds.length} hold, ${found.open.length} left open`
        : t`explored: ${found.findings.length} may go wrong, ${found.holds.length} hold`;
  const subject: ExploreSubject = { uri };
  return [{ range: toRange(span, linesOf(uri)), command: { title, command: exploreCommand, arguments: [subject] } }];
}

/** Opens the state graph at a finding, where the client can draw it. */
export function showGraphAction(
  { problem, finding }: TracedFinding,
  { commands }: ClientAbilities,
  linesOf: LinesByUri,
): readonly CodeAction[] {
  if (!commands.includes(stateGraphCommand)) return [];
  const title = t('Show the steps in the state graph');
  const subject: StateGraphSubject = { uri: problem.uri, finding: finding.key };
  const action = CodeAction.create(title, { title, command: stateGraphCommand, arguments: [subject] });
  return [{ ...action, kind: CodeActionKind.QuickFix, diagnostics: [toDiagnostic(problem, linesOf)] }];
}

/** Opens the preview at the way to a finding of an exploration, where the client has one. */
export function followAction(
  { problem, trail, order }: FollowedProblem,
  abilities: ClientAbilities,
  linesOf: LinesByUri,
): readonly CodeAction[] {
  if (!abilities.commands.includes(previewCommand)) return [];
  const title = order ? t('Show this order in the preview') : t('Show the steps in the preview');
  const subject: PreviewSubject = { uri: problem.uri, ...(order && { order }), ...(trail && { trail }) };
  const action = CodeAction.create(title, openPreviewCommand(title, subject, abilities));
  return [{ ...action, kind: CodeActionKind.QuickFix, diagnostics: [toDiagnostic(problem, linesOf)] }];
}

/** Whether the client, or the server for it, can run `policyLocationsCommand`. */
export const canOpenLocations = ({ commands, showsDocuments }: ClientAbilities): boolean =>
  showsDocuments || commands.includes(policyLocationsCommand);

export function serveCommands(connection: Connection, context: RequestContext): void {
  connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
    if (command !== policyLocationsCommand) return null;
    const place = await chosen(connection, policyLocationsOf(context, given[0] as PolicyLocationsParams));
    if (place !== undefined)
      await connection.window.showDocument({ uri: place.uri, selection: place.range, takeFocus: true });
    return null;
  });
}

/** Locations of the objects that a policy, or one rule of it, is about. */
export function policyLocationsOf(
  { analysis, canonicalUri, linesOf }: RequestContext,
  { textDocument, position, rule }: PolicyLocationsParams,
): PolicyLocationsAnswer {
  const uri = canonicalUri(textDocument.uri);
  const offset = linesOf(uri)?.offset(position);
  if (offset === undefined) return [];
  const places = analysis().policyLocations({ uri, offset, ...(rule !== undefined && { rule }) });
  return places.map(it => ({ uri: it.uri, range: toRange(it.span, linesOf(it.uri)) }));
}

/** The only location, or the one that the user chooses; undefined: none. */
async function chosen(
  { window }: Connection,
  places: PolicyLocationsAnswer,
): Promise<PolicyLocationsAnswer[number] | undefined> {
  if (places.length < 2) return places[0];
  const choices = places.slice(0, MOST_LOCATIONS).map(place => ({ title: titleOf(place), place }));
  const question =
    places.length > MOST_LOCATIONS
      ? t`Which of ${places.length} objects should be shown? These are the first ${MOST_LOCATIONS}.`
      : t`Which of ${places.length} objects should be shown?`;
  const answer = await window.showInformationMessage(question, ...choices.map(({ title }) => ({ title })));
  return choices.find(it => it.title === answer?.title)?.place;
}

const titleOf = ({ uri, range }: PolicyLocationsAnswer[number]): string =>
  `${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}:${range.start.line + 1}`;
