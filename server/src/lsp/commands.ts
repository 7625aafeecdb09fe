import { t } from '@vscode/l10n';
import type { Command, Connection, ServerCapabilities } from 'vscode-languageserver/node';
import type { RequestContext } from './asked';
import { toRange } from './convert';
import {
  type PolicyPlacesAnswer,
  type PolicyPlacesParams,
  type PreviewSubject,
  policyPlacesCommand,
  previewCommand,
} from './protocol';
import type { ClientAbilities } from './telling';

/** So many places a person is asked to choose from. */
const MOST_PLACES = 20;

/** The commands that the server runs for a client: those that it does not run itself, as far as it can show the outcome. */
export function commandsFor({
  commands,
  showsDocuments,
}: ClientAbilities): Pick<ServerCapabilities, 'executeCommandProvider'> {
  if (!showsDocuments || commands.includes(policyPlacesCommand)) return {};
  return { executeCommandProvider: { commands: [policyPlacesCommand] } };
}

/** Opens the preview; where the client has none, it only tells something. */
export function previewing(title: string, subject: PreviewSubject, { commands }: ClientAbilities): Command {
  if (!commands.includes(previewCommand)) return { title, command: '' };
  return { title, command: previewCommand, arguments: [subject] };
}

/** Whether the client, or the server for it, can run `policyPlacesCommand`. */
export const canOpenPlaces = ({ commands, showsDocuments }: ClientAbilities): boolean =>
  showsDocuments || commands.includes(policyPlacesCommand);

export function serveCommands(connection: Connection, asked: RequestContext): void {
  connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
    if (command !== policyPlacesCommand) return null;
    const place = await chosen(connection, policyPlacesOf(asked, given[0] as PolicyPlacesParams));
    if (place !== undefined)
      await connection.window.showDocument({ uri: place.uri, selection: place.range, takeFocus: true });
    return null;
  });
}

/** Where the objects stand that a policy, or a rule of it, is about. */
export function policyPlacesOf(
  { analysis, canonicalUri, linesOf }: RequestContext,
  { textDocument, position, rule }: PolicyPlacesParams,
): PolicyPlacesAnswer {
  const uri = canonicalUri(textDocument.uri);
  const offset = linesOf(uri)?.offset(position);
  if (offset === undefined) return [];
  const places = analysis().policyPlaces({ uri, offset, ...(rule !== undefined && { rule }) });
  return places.map(it => ({ uri: it.uri, range: toRange(it.span, linesOf(it.uri)) }));
}

/** The only place, or the one that the user names; undefined: none. */
async function chosen(
  { window }: Connection,
  places: PolicyPlacesAnswer,
): Promise<PolicyPlacesAnswer[number] | undefined> {
  if (places.length < 2) return places[0];
  const choices = places.slice(0, MOST_PLACES).map(place => ({ title: titleOf(place), place }));
  const question =
    places.length > MOST_PLACES
      ? t`Which of ${places.length} objects should be shown? These are the first ${MOST_PLACES}.`
      : t`Which of ${places.length} objects should be shown?`;
  const answer = await window.showInformationMessage(question, ...choices.map(({ title }) => ({ title })));
  return choices.find(it => it.title === answer?.title)?.place;
}

const titleOf = ({ uri, range }: PolicyPlacesAnswer[number]): string =>
  `${decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1))}:${range.start.line + 1}`;
