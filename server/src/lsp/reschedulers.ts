import type { Connection } from 'vscode-languageserver/node';
import { type PreviewReschedulersAnswer, type PreviewReschedulersParams, previewReschedulersRequest } from './protocol';
import { previewTarget, type RequestContext } from './requestContext';

/** The time limit of a simulation for the preview. */
const MOST_MILLISECONDS = 5_000;

/** Serves what the descheduler and VPAs would do, for the preview. */
export function serveReschedulers(connection: Connection, context: RequestContext, { now }: Clock): void {
  const { placementWork } = context;
  connection.onRequest(
    previewReschedulersRequest,
    async ({ kind, ...params }: PreviewReschedulersParams, token): Promise<PreviewReschedulersAnswer> => {
      const at = previewTarget(context, params);
      if (at === undefined) return null;
      const until = now() + MOST_MILLISECONDS;
      const found = await placementWork.runInSlices(
        it => it.previewReschedulers({ ...at, kind, now: Date.now(), isCancelled: () => now() > until }),
        () => !token.isCancellationRequested,
      );
      return found ?? null;
    },
  );
}

interface Clock {
  readonly now: () => number;
}
