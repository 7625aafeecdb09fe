import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import type { GraphQuestion } from '../analysis/analysis';
import { type LayOut, pictureFrom, type StateGraphModel, shapeInDot, shapeOf } from '../analysis/stateGraph';
import {
  type StateGraphAnswer,
  type StateGraphParams,
  type StateGraphTextAnswer,
  type StateGraphTextParams,
  stateGraphRequest,
  stateGraphTextRequest,
} from './protocol';
import type { RequestContext } from './requestContext';
import type { ServerWorld } from './world';

/** How many states are drawn, and how long laying them out may take: fewer where more take too long. */
const ATTEMPTS = [
  { most: 300, milliseconds: 5_000 },
  { most: 100, milliseconds: 3_000 },
  { most: 30, milliseconds: 3_000 },
] as const;

/** Of more states those near the way are shown first. */
const MOST_READABLE = 60;

/** Serves state graphs of systems. */
export function serveStateGraph(
  connection: Connection,
  context: RequestContext,
  { layOut }: Pick<ServerWorld, 'layOut'>,
): void {
  const { canonicalUri, placementWork } = context;
  const graphOf = (params: StateGraphParams, most: number, token: CancellationToken) =>
    placementWork.runInSlices(
      function* (it) {
        const graph = yield* it.stateGraph(questionOf(params, canonicalUri, most));
        if (params.within !== undefined || graph?.finding === undefined || graph.states.length <= MOST_READABLE) {
          return graph;
        }
        return yield* it.stateGraph({ ...questionOf(params, canonicalUri, most), within: 1 });
      },
      () => !token.isCancellationRequested,
    );

  connection.onRequest(stateGraphRequest, async (params: StateGraphParams, token): Promise<StateGraphAnswer> => {
    for (const { most, milliseconds } of ATTEMPTS) {
      const graph = await graphOf(params, most, token);
      if (graph === undefined || token.isCancellationRequested) return null;
      const pictured = layOut && (await withPicture(graph, layOut, milliseconds, token));
      if (pictured !== undefined) return pictured;
      if (layOut === undefined || most === ATTEMPTS.at(-1)?.most) return graph;
    }
    return null;
  });

  connection.onRequest(
    stateGraphTextRequest,
    async ({ format, ...params }: StateGraphTextParams, token): Promise<StateGraphTextAnswer> => {
      for (const { most, milliseconds } of ATTEMPTS) {
        const question = questionOf(params, canonicalUri, most);
        const text = await placementWork.runInSlices(
          it => it.stateGraphText({ ...question, format: format === 'mermaid' ? format : 'dot' }),
          () => !token.isCancellationRequested,
        );
        if (text === undefined) return null;
        if (format !== 'svg') return text;
        const picture = await layOut?.({ dot: text, format }, milliseconds, it => token.onCancellationRequested(it));
        if (picture !== undefined) return picture;
      }
      return null;
    },
  );
}

function questionOf(
  { textDocument, finding, within }: StateGraphParams,
  canonicalUri: (uri: string) => string,
  most: number,
): GraphQuestion & { readonly uri: string } {
  const uri = canonicalUri(textDocument.uri);
  return { uri, most, ...(finding !== undefined && { finding }), ...(typeof within === 'number' && { within }) };
}

/** undefined: laying it out takes too long, or was cancelled. */
async function withPicture(
  graph: StateGraphModel,
  layOut: LayOut,
  milliseconds: number,
  token: CancellationToken,
): Promise<StateGraphModel | undefined> {
  const dot = shapeInDot(shapeOf(graph));
  const laidOut = await layOut({ dot, format: 'json' }, milliseconds, it => token.onCancellationRequested(it));
  return laidOut === undefined ? undefined : { ...graph, picture: pictureFrom(laidOut) };
}
