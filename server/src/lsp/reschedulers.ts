import type { CodeLens, Connection } from 'vscode-languageserver/node';
import { type Analysis, PENDING } from '../analysis/analysis';
import type { ReschedulerKind } from '../analysis/previewModel';
import type { ClientSession } from './clientSession';
import { openPreviewCommand } from './commands';
import { toRange } from './convert';
import type { LateAnswers } from './lateAnswers';
import { type PreviewReschedulersAnswer, type PreviewReschedulersParams, previewReschedulersRequest } from './protocol';
import { previewTarget, type RequestContext } from './requestContext';

/** So long a person waits who looks at what moves Pods, and who sees a lens. */
const MOST_MILLISECONDS = 5_000;
const MOST_MILLISECONDS_OF_LENS = 2_000;

/** What a lens that is not resolved yet holds. */
interface LensData {
  readonly uri: string;
  readonly kind: ReschedulerKind;
}

const isLensData = (it: unknown): it is LensData =>
  typeof it === 'object' && it !== null && 'uri' in it && typeof it.uri === 'string' && 'kind' in it;

/** The client that lenses are for, and the answers that it does not wait for. */
export interface LensWorld {
  readonly session: ClientSession;
  readonly late: LateAnswers;
}

/** What the descheduler and VPAs would do: asked by the preview when somebody looks there, and by lenses that come into sight. */
export function serveReschedulers(connection: Connection, asked: RequestContext, world: LensWorld & Clock): void {
  const { placementWork } = asked;
  const overAfter = (milliseconds: number): (() => boolean) => {
    const until = world.now() + milliseconds;
    return () => world.now() > until;
  };
  connection.onRequest(
    previewReschedulersRequest,
    async ({ kind, ...params }: PreviewReschedulersParams, token): Promise<PreviewReschedulersAnswer> => {
      const at = previewTarget(asked, params);
      if (at === undefined) return null;
      const found = await placementWork.runInSlices(
        it => it.previewReschedulers({ ...at, kind, now: Date.now(), isCancelled: overAfter(MOST_MILLISECONDS) }),
        () => !token.isCancellationRequested,
      );
      return found ?? null;
    },
  );

  serveReschedulerLenses(connection, asked, { ...world, overAfter });
}

interface Clock {
  readonly now: () => number;
}

interface LensTimes extends LensWorld {
  /** Whether so much time has passed from now on. */
  readonly overAfter: (milliseconds: number) => () => boolean;
}

function serveReschedulerLenses(
  connection: Connection,
  { analysis, linesOf, placementWork }: RequestContext,
  { session, late, overAfter }: LensTimes,
): void {
  /** What was found for a client that was told to ask again. */
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
    // Some clients resolve every lens, also one that came with its command.
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

/** Lenses that are worked out when they come into sight. */
export function reschedulerLenses({ analysis, linesOf }: RequestContext, uri: string): readonly CodeLens[] {
  return analysis()
    .reschedulerLocations(uri)
    .map(({ kind, span }) => ({ range: toRange(span, linesOf(uri)), data: { uri, kind } satisfies LensData }));
}
