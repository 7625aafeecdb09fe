import type { CodeLens, Connection } from 'vscode-languageserver/node';
import { type MoverKind, stoppedWhen } from '../analysis/previewMovers';
import { type Asked, previewPlace } from './asked';
import { toRange } from './convert';
import { type PreviewMoversAnswer, type PreviewMoversParams, previewMoversRequest } from './protocol';

/** So long a person waits who looks at what moves Pods, and who sees a lens. */
const MOST_MILLISECONDS = 5_000;
const MOST_MILLISECONDS_OF_LENS = 2_000;

/** What a lens that is not resolved yet holds. */
interface LensData {
  readonly uri: string;
  readonly kind: MoverKind;
}

const isLensData = (it: unknown): it is LensData =>
  typeof it === 'object' && it !== null && 'uri' in it && typeof it.uri === 'string' && 'kind' in it;

/** What the descheduler and VPAs would do: asked by the preview when somebody looks there, and by lenses that come into sight. */
export function serveMovers(connection: Connection, asked: Asked): void {
  const { linesOf, placing } = asked;
  connection.onRequest(
    previewMoversRequest,
    async ({ kind, ...params }: PreviewMoversParams, token): Promise<PreviewMoversAnswer> => {
      const at = previewPlace(asked, params);
      if (at === undefined) return null;
      const found = await placing.worked(
        it => stoppedWhen(overAfter(MOST_MILLISECONDS), it.previewMovers({ ...at, kind, now: Date.now() })),
        () => !token.isCancellationRequested,
      );
      return found ?? null;
    },
  );

  connection.onCodeLensResolve(async (lens, token): Promise<CodeLens> => {
    const data: unknown = lens.data;
    // Some clients resolve every lens, also one that came with its command.
    if (!isLensData(data)) return lens;
    const { uri, kind } = data;
    const start = linesOf(uri)?.offset(lens.range.start);
    if (start === undefined) return { ...lens, command: { title: '', command: '' } };
    const place = { uri, kind, span: { start, end: start }, now: Date.now() };
    const title = await placing.worked(
      it => stoppedWhen(overAfter(MOST_MILLISECONDS_OF_LENS), it.moverTitle(place)),
      () => !token.isCancellationRequested,
    );
    return {
      ...lens,
      command: { title: title ?? '', command: title ? 'berth.preview' : '', arguments: [{ uri, look: kind }] },
    };
  });
}

/** Whether so much time has passed from now on, whatever becomes of the clock of the day meanwhile. */
function overAfter(milliseconds: number): () => boolean {
  const until = performance.now() + milliseconds;
  return () => performance.now() > until;
}

/** Lenses that are worked out when they come into sight. */
export function moverLenses({ analysis, linesOf }: Asked, uri: string): readonly CodeLens[] {
  return analysis()
    .moverPlaces(uri)
    .map(({ kind, span }) => ({ range: toRange(span, linesOf(uri)), data: { uri, kind } satisfies LensData }));
}
