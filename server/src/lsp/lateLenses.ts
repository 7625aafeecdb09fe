import type { CodeLens, Command, Connection } from 'vscode-languageserver/node';
import { type Analysis, type OrderTitle, PENDING } from '../analysis/analysis';
import type { ReschedulerKind } from '../analysis/previewModel';
import type { Steps } from '../base/steps';
import type { ClientSession } from './clientSession';
import { openPreviewCommand } from './commands';
import { toRange } from './convert';
import type { LateAnswers } from './lateAnswers';
import type { RequestContext } from './requestContext';

/** The time limit of what one lens asks for. */
const MOST_MILLISECONDS = 2_000;
/** So many lenses of a file have titles before they are visible. */
const MOST_TITLED = 20;

/** The data of an unresolved lens. */
interface LensData {
  readonly uri: string;
  readonly kind: ReschedulerKind | 'orders';
}

const isLensData = (it: unknown): it is LensData =>
  typeof it === 'object' && it !== null && 'uri' in it && typeof it.uri === 'string' && 'kind' in it;

/** What lenses need besides the request context. */
export interface LensWorld {
  readonly session: ClientSession;
  readonly late: LateAnswers;
}

interface Clock {
  readonly now: () => number;
}

/** Titles by `keyOf`; undefined: there is nothing to say. */
type Titles = ReadonlyMap<string, OrderTitle | undefined>;

/** late: the client requests the lens again. undefined: there is nothing to say. */
type Title = OrderTitle | 'late' | undefined;

/** Titles of one state. */
interface Titled {
  readonly analysis: Analysis;
  readonly titles: Titles;
}

/** Lenses that ask for more than a placement. */
export interface LateLenses {
  /**
   * Those of a file. `placed`: the file is placed, so that lenses over Pods are known, too.
   *
   * A client that refreshes lenses gets them with their titles, or marked. It would ask for the titles of those without one, and
   * VS Code, where it gets other lenses before the answer, puts the commands of the old ones into the new ones; then it discards
   * these commands, so that a click fails (`CodeLensContribution`, `CodeLensWidget.updateCommands`). What comes after the first
   * ones has no title until it is visible, as nothing limits how many there are.
   */
  of(uri: string, state: 'placed' | 'unplaced'): Promise<readonly CodeLens[]>;
}

/** Makes these lenses, and serves their titles to clients that ask for them once the lenses become visible. */
export function serveLateLenses(
  connection: Connection,
  { analysis, linesOf, placementWork }: RequestContext,
  { session, late, now }: LensWorld & Clock,
): LateLenses {
  /** For clients that request a late answer again, and for lenses of one file that share an answer. */
  const found = new WeakMap<Analysis, Titles>();
  async function titlesOf(data: LensData, start: number, isWanted: () => boolean): Promise<Titled | undefined> {
    const done = await placementWork.runInSlices(function* (it) {
      return { analysis: it, titles: yield* titleSteps(it, data, start, now) };
    }, isWanted);
    if (done) found.set(done.analysis, new Map([...(found.get(done.analysis) ?? []), ...done.titles]));
    return done;
  }

  async function titleAt(data: LensData, start: number, isWanted: () => boolean): Promise<Title> {
    const key = keyOf(data, start);
    const current = analysis();
    const known = found.get(current);
    if (known?.has(key)) return known.get(key);
    const titled = session.abilities.refreshesLenses
      ? await late.soon(sharedKeyOf(data, start), () => titlesOf(data, start, () => true))
      : await titlesOf(data, start, isWanted);
    if (titled === 'late') return titled;
    // A lens of another text is requested anew.
    const isOther = (titled?.analysis ?? current) !== analysis();
    session.hasPendingLenses ||= isOther;
    return isOther ? 'late' : titled?.titles.get(key);
  }

  function titledLens(lens: CodeLens, data: LensData, title: Title): CodeLens | undefined {
    if (title === 'late') return { ...lens, command: { title: PENDING, command: '' } };
    return title && { ...lens, command: commandOf(title, data, session) };
  }

  connection.onCodeLensResolve(async (lens, token) => {
    const data: unknown = lens.data;
    // Some clients resolve every lens, even one with a command.
    if (!isLensData(data)) return lens;
    const start = linesOf(data.uri)?.offset(lens.range.start);
    const title = start === undefined ? undefined : await titleAt(data, start, () => !token.isCancellationRequested);
    return titledLens(lens, data, title) ?? { ...lens, command: NOTHING };
  });

  return {
    async of(uri, state) {
      const lines = linesOf(uri);
      const lensesAt = locationsIn(analysis(), uri, state).map(({ kind, span }) => ({
        start: span.start,
        data: { uri, kind } satisfies LensData,
        range: toRange(span, lines),
      }));
      const first = session.abilities.refreshesLenses ? lensesAt.slice(0, MOST_TITLED) : [];
      const titled = first.map(async ({ start, data, range }) => {
        const title = state === 'placed' ? await titleAt(data, start, () => true) : 'late';
        return titledLens({ range }, data, title) ?? [];
      });
      const untitled = lensesAt.slice(first.length).map(({ data, range }): CodeLens => ({ data, range }));
      return [...(await Promise.all(titled)).flat(), ...untitled];
    },
  };
}

const NOTHING: Command = { title: '', command: '' };

function* titleSteps(analysis: Analysis, { uri, kind }: LensData, start: number, now: () => number): Steps<Titles> {
  const begun = now();
  if (kind === 'orders') {
    const timeUsed = (): number => (now() - begun) / MOST_MILLISECONDS;
    const titles = yield* analysis.orderTitles({ uri, timeUsed });
    return new Map([...titles].map(([at, it]) => [keyOf({ uri, kind }, at), it]));
  }
  const span = { start, end: start };
  const isCancelled = (): boolean => now() > begun + MOST_MILLISECONDS;
  const title = yield* analysis.reschedulerTitle({ uri, kind, span, now: Date.now(), isCancelled });
  return new Map([[keyOf({ uri, kind }, start), title === undefined ? undefined : { title }]]);
}

function commandOf(
  { title, detail, order }: OrderTitle,
  { uri, kind }: LensData,
  { abilities }: ClientSession,
): Command {
  const subject = kind === 'orders' ? { uri, ...(order && { order }) } : { uri, look: kind };
  const command = openPreviewCommand(title, subject, abilities);
  return detail === undefined ? command : { ...command, tooltip: detail };
}

const keyOf = ({ uri, kind }: LensData, start: number): string => `${kind} ${start} ${uri}`;

/** All orders of a file are explored at once. */
const sharedKeyOf = (data: LensData, start: number): string => keyOf(data, data.kind === 'orders' ? 0 : start);

/** Those over Pods come first: they are few, and of the others any number may be in a file. */
function locationsIn(analysis: Analysis, uri: string, state: 'placed' | 'unplaced') {
  const orders = state === 'placed' ? analysis.orderLocations(uri) : [];
  return [...orders.map(span => ({ kind: 'orders' as const, span })), ...analysis.reschedulerLocations(uri)];
}
