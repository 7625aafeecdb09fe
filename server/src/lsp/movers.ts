import type { CancellationToken, CodeLens, Connection } from 'vscode-languageserver/node';
import type { MoverKind, Steps } from '../analysis/previewMovers';
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

/** What the descheduler and VPAs would do: asked by the preview when somebody looks there, and by lenses that come into sight. */
export function serveMovers(connection: Connection, asked: Asked, breathe: () => Promise<void>): void {
  const { analysis, linesOf } = asked;
  connection.onRequest(
    previewMoversRequest,
    async ({ kind, ...params }: PreviewMoversParams, token): Promise<PreviewMoversAnswer> => {
      const at = previewPlace(asked, params);
      if (at === undefined) return null;
      const steps = analysis().previewMovers({ ...at, kind, now: Date.now() });
      return (await inTurns(steps, { breathe, token, milliseconds: MOST_MILLISECONDS })) ?? null;
    },
  );

  connection.onCodeLensResolve(async (lens, token): Promise<CodeLens> => {
    const { uri, kind } = lens.data as LensData;
    const start = linesOf(uri)?.offset(lens.range.start);
    if (start === undefined) return { ...lens, command: { title: '', command: '' } };
    const steps = analysis().moverTitle({ uri, kind, span: { start, end: start }, now: Date.now() });
    const title = await inTurns(steps, { breathe, token, milliseconds: MOST_MILLISECONDS_OF_LENS });
    return {
      ...lens,
      command: { title: title ?? '', command: title ? 'berth.preview' : '', arguments: [{ uri, look: kind }] },
    };
  });
}

/** Lenses that are worked out when they come into sight. */
export function moverLenses({ analysis, linesOf }: Asked, uri: string): readonly CodeLens[] {
  return analysis()
    .moverPlaces(uri)
    .map(({ kind, span }) => ({ range: toRange(span, linesOf(uri)), data: { uri, kind } satisfies LensData }));
}

interface Pace {
  readonly breathe: () => Promise<void>;
  readonly token: CancellationToken;
  readonly milliseconds: number;
}

/** Goes through steps with everything else that is asked in between; undefined when nobody wants the answer any more. */
async function inTurns<T>(steps: Steps<T>, { breathe, token, milliseconds }: Pace): Promise<T | undefined> {
  const until = Date.now() + milliseconds;
  await breathe();
  if (token.isCancellationRequested) return undefined;
  let step = steps.next();
  while (!step.done) {
    await breathe();
    if (token.isCancellationRequested) return undefined;
    step = steps.next(Date.now() > until ? 'stop' : undefined);
  }
  return step.value;
}
