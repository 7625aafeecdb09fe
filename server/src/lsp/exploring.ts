import { type Connection, ProgressType } from 'vscode-languageserver/node';
import type { ExplorationReport } from '../analysis/analysis';
import { type LinesByUri, toRange } from './convert';
import { type ExploreAnswer, type ExploreParams, exploreRequest } from './protocol';
import type { RequestContext } from './requestContext';

/** After this time what was not answered is left open. */
const MOST_MILLISECONDS = 20_000;

const SHARE = new ProgressType<number>();

export interface ExploringWorld {
  readonly now: () => number;
  /** Resolves when the folders are read, which may have nodes: what is found without them is of no use. */
  readonly started: Promise<void>;
  /** Called when these files may have other problems. */
  readonly explored: (uris: readonly string[]) => void;
}

/** Serves explorations that are asked for. */
export function serveExploring(
  connection: Connection,
  { canonicalUri, linesOf, placementWork }: RequestContext,
  { now, started, explored }: ExploringWorld,
): void {
  connection.onRequest(
    exploreRequest,
    async ({ textDocument, progressToken }: ExploreParams, token): Promise<ExploreAnswer | null> => {
      const uri = canonicalUri(textDocument.uri);
      await started;
      const onQuestion = (share: number): void => void connection.sendProgress(SHARE, progressToken, share);
      const report = await placementWork.runInSlices(
        it => {
          const begun = now();
          return it.exploring({ uri, timeUsed: () => (now() - begun) / MOST_MILLISECONDS, onQuestion });
        },
        () => !token.isCancellationRequested,
      );
      if (report === undefined) return null;
      explored([...new Set([uri, ...report.findings.flatMap(it => it.place?.uri ?? [])])]);
      return answerOf(report, linesOf);
    },
  );
}

function answerOf({ findings, holds, open }: ExplorationReport, linesOf: LinesByUri): ExploreAnswer {
  return {
    findings: findings.map(({ message, place }) => ({
      message,
      ...(place && { place: { uri: place.uri, range: toRange(place.span, linesOf(place.uri)) } }),
    })),
    holds,
    open,
  };
}
