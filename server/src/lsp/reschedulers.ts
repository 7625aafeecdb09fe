import type { CodeLens, Connection } from 'vscode-languageserver/node';
import { type Analysis, PENDING } from '../analysis/analysis';
import type { ReschedulerKind } from '../analysis/previewModel';
import type { ClientSession } from './clientSession';
import { openPreviewCommand } from './commands';
import { toRange } from './convert';
import type { LateAnswers } from './lateAnswers';
import { type PreviewReschedulersAnswer, type PreviewReschedulersParams, previewReschedulersRequest } from './protocol';
import { previewTarget, type RequestContext } from './requestContext';

/** Time limits of simulations for the preview and for a lens. */
const MOST_MILLISECONDS = 5_000;
const MOST_MILLISECONDS_OF_LENS = 2_000;

/** The data of an unresolved lens. */
interface LensData {
  readonly uri: string;
  readonly kind: ReschedulerKind;
}

const isLensData = (it: unknown): it is LensData =>
  typeof it === 'object' && it !== null && 'uri' in it && typeof it.uri === 'string' && 'kind' in it;

/** What lenses need besides the request context. */
export interface LensWorld {
  readonly session: ClientSession;
  readonly late: LateAnswers;
}

/** Serves what the descheduler and VPAs would do, for the preview and for lenses. */
export function serveReschedulers(connection: Connection, context: RequestContext, world: LensWorld & Clock): void {
  const { placementWork } = context;
  const overAfter = (milliseconds: number): (() => boolean) => {
    const until = world.now() + milliseconds;
    return () => world.now() > until;
  };
  connection.onRequest(
    previewReschedulersRequest,
    async ({ kind, ...params }: PreviewReschedulersParams, token): Promise<PreviewReschedulersAnswer> => {
      const at = previewTarget(context, params);
      if (at === undefined) return null;
      const found = await placementWork.runInSlices(
        it => it.previewReschedulers({ ...at, kind, now: Date.now(), isCancelled: overAfter(MOST_MILLISECONDS) }),
        () => !token.isCancellationRequested,
      );
      return found ?? null;
    },
  );

  serveReschedulerLenses(connection, context, { ...world, overAfter });
}

interface Clock {
  readonly now: () => number;
}

interface LensTimes extends LensWorld {
  /** A function that tells whether this time has passed since now. */
  readonly overAfter: (milliseconds: number) => () => boolean;
}

function serveReschedulerLenses(
  connection: Connection,
  { analysis, linesOf, placementWork }: RequestContext,
  { session, late, overAfter }: LensTimes,
): void {
  /** Titles for clients that request a late answer again. */
  const found = new WeakMap<Analysis, Map<string, string | undefined>>();
  async function titleOf({ uri, kind }: LensData, start: number, isWanted: () => boolean): Promise<string | undefined> {
    const place = { uri, kind, span: { start, end: start }, now: Date.now() };
    const done = await placementWork.runInSlices(function* (it) {
      const title = yield* it.reschedulerTitle({ ...place, isCancelled: overAfter(MOST_MILLISECONDS_OF_LENS) });
      return { analysis: it, title };
    }, isWanted);
    if (done) found.set(done.analysis, new Map(found.get(done.analysis)).set(keyOf({ uri, kind }, start), done.title));
    return done?.title;
  }

  connection.onCodeLensResolve(async (lens, token): Promise<CodeLens> => {
    const data: unknown = lens.data;
    // Some clients resolve every lens, even one with a command.
    if (!isLensData(data)) return lens;
    const { uri, kind } = data;
    const start = linesOf(uri)?.offset(lens.range.start);
    if (start === undefined) return { ...lens, command: { title: '', command: '' } };
    const key = keyOf(data, start);
    const known = found.get(analysis());
    const title = known?.has(key)
      ? known.get(key)
      : session.abilities.refreshesLenses
        ? await late.soon(key, () => titleOf(data, start, () => true))
        : await titleOf(data, start, () => !token.isCancellationRequested);
    if (title === 'late') return { ...lens, command: { title: PENDING, command: '' } };
    if (!title) return { ...lens, command: { title: '', command: '' } };
    return { ...lens, command: openPreviewCommand(title, { uri, look: kind }, session.abilities) };
  });
}

const keyOf = ({ uri, kind }: LensData, start: number): string => `${kind} ${start} ${uri}`;

/** Lenses that are resolved when they become visible. */
export function reschedulerLenses({ analysis, linesOf }: RequestContext, uri: string): readonly CodeLens[] {
  return analysis()
    .reschedulerLocations(uri)
    .map(({ kind, span }) => ({ range: toRange(span, linesOf(uri)), data: { uri, kind } satisfies LensData }));
}
