import type { CancellationToken, CodeLens, Command, Connection } from 'vscode-languageserver/node';
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

/** The data of an unresolved lens. */
interface LensData {
  readonly uri: string;
  readonly kind: ReschedulerKind | 'orders';
}

const isLensData = (it: unknown): it is LensData =>
  typeof it === 'object' && it !== null && 'uri' in it && typeof it.uri === 'string' && 'kind' in it;

/**
 * Titles that a client waits for. VS Code shows the commands of the lenses whose titles it waits for, even if it gets other
 * lenses meanwhile; then it discards these commands, does not ask for the title of the other lens, which seems to have a
 * command now, and a click fails until the lenses are refreshed once more. So titles are answered before other lenses are.
 */
export interface AwaitedTitles {
  /** Keeps an answer until it is there, and returns it: the connection sends it before it tells `answered`. */
  readonly add: (title: Promise<CodeLens>) => Promise<CodeLens>;
  /** Resolves when the titles are answered that are awaited now. */
  readonly answered: () => Promise<unknown>;
}

export function createAwaitedTitles(): AwaitedTitles {
  const awaited = new Set<Promise<CodeLens>>();
  return {
    add(title) {
      awaited.add(title);
      const forget = (): unknown => awaited.delete(title);
      title.then(forget, forget);
      return title;
    },
    answered: () => Promise.allSettled(awaited),
  };
}

/** What lenses need besides the request context. */
export interface LensWorld {
  readonly session: ClientSession;
  readonly late: LateAnswers;
  readonly titles: AwaitedTitles;
}

interface Clock {
  readonly now: () => number;
}

/** Titles by `keyOf`; undefined: there is nothing to say. */
type Titles = ReadonlyMap<string, OrderTitle | undefined>;

/** Serves the titles of lenses that ask for more than a placement, once the lenses become visible. */
export function serveLateLenses(
  connection: Connection,
  { analysis, linesOf, placementWork }: RequestContext,
  { session, late, titles: awaited, now }: LensWorld & Clock,
): void {
  /** For clients that request a late answer again, and for lenses of one file that share an answer. */
  const found = new WeakMap<Analysis, Titles>();
  async function titlesOf(data: LensData, start: number, isWanted: () => boolean): Promise<Titles | undefined> {
    const done = await placementWork.runInSlices(function* (it) {
      return { analysis: it, titles: yield* titleSteps(it, data, start, now) };
    }, isWanted);
    if (done) found.set(done.analysis, new Map([...(found.get(done.analysis) ?? []), ...done.titles]));
    return done?.titles;
  }

  async function resolved(lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
    const data: unknown = lens.data;
    // Some clients resolve every lens, even one with a command.
    if (!isLensData(data)) return lens;
    const current = analysis();
    const start = linesOf(data.uri)?.offset(lens.range.start);
    if (start === undefined) return { ...lens, command: NOTHING };
    const key = keyOf(data, start);
    const known = found.get(current);
    const titles = known?.has(key)
      ? known
      : session.abilities.refreshesLenses
        ? // A lens of another text is requested anew.
          await late.soon(sharedKeyOf(data, start), () => titlesOf(data, start, () => analysis() === current))
        : await titlesOf(data, start, () => !token.isCancellationRequested);
    const isStale = titles === undefined && analysis() !== current;
    session.hasPendingLenses ||= isStale;
    if (titles === 'late' || isStale) return { ...lens, command: { title: PENDING, command: '' } };
    const title = titles?.get(key);
    return { ...lens, command: title === undefined ? NOTHING : commandOf(title, data, session) };
  }

  connection.onCodeLensResolve((lens, token) => awaited.add(resolved(lens, token)));
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

/** Lenses that are resolved when they become visible. `placed`: the file is placed, so that lenses over Pods are known, too. */
export function lateLenses(
  { analysis, linesOf }: RequestContext,
  uri: string,
  state: 'placed' | 'unplaced',
): readonly CodeLens[] {
  const current = analysis();
  const orders = state === 'placed' ? current.orderLocations(uri) : [];
  return [...current.reschedulerLocations(uri), ...orders.map(span => ({ kind: 'orders' as const, span }))].map(
    ({ kind, span }) => ({ range: toRange(span, linesOf(uri)), data: { uri, kind } satisfies LensData }),
  );
}
