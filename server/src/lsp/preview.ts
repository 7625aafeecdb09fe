import { type Connection, ProgressType } from 'vscode-languageserver/node';
import type { ComparisonQuestion } from '../analysis/previewComparison';
import { deltaOf, type PreviewComparison, type PreviewDelta, type PreviewModel } from '../analysis/previewModel';
import type { Comparer } from './comparing/comparer';
import { toDocumentEdits } from './convert';
import {
  type PreviewComparisonParams,
  type PreviewFitAnswer,
  type PreviewFitParams,
  type PreviewParams,
  type PreviewUpdate,
  type PreviewWhyAnswer,
  previewClosedNotification,
  previewComparisonRequest,
  previewFitRequest,
  previewRequest,
  previewWhyRequest,
} from './protocol';
import { previewTarget, type RequestContext } from './requestContext';

/** What the preview needs besides the request context. */
export interface PreviewWorld {
  /** Absent: nothing is compared. */
  readonly comparer?: Comparer;
  /** Sets the cluster source that the preview tries; undefined: none. */
  readonly tryCluster: (source: string | undefined) => void;
  readonly hasKubeconfig: () => boolean;
}

const COMPARISON = new ProgressType<PreviewComparison>();

/** Serves the requests of the placement preview. */
export function servePreview(
  connection: Connection,
  context: RequestContext,
  { comparer, tryCluster, hasKubeconfig }: PreviewWorld,
): void {
  const { analysis, linesOf, placementWork } = context;
  const placeOf = (params: PreviewParams) => previewTarget(context, params);

  const comparedAs = createNaming();
  const sent = createSent();

  connection.onRequest<PreviewUpdate, void>(previewRequest, async (params: PreviewParams, token) => {
    tryCluster(params.whatIf?.source);
    const at = placeOf(params);
    if (at === undefined) return null;
    const answer = await placementWork.runInSlices(
      function* (it) {
        const model = yield* it.previewing(at);
        return { model, question: yield* it.previewComparison(at) };
      },
      () => !token.isCancellationRequested,
    );
    if (answer === undefined) return null;
    const { model, question } = answer;
    const choices = hasKubeconfig() ? { ...model.choices, live: 'askable' as const } : model.choices;
    const complete = { ...model, choices, ...(comparer && { comparedAs: comparedAs(question) }) };
    return params.known === undefined ? complete : sent.next(complete, params.known);
  });
  connection.onNotification(previewClosedNotification, () => {
    sent.forget();
    tryCluster(undefined);
  });

  connection.onRequest(previewWhyRequest, (params: PreviewParams): PreviewWhyAnswer => {
    const at = placeOf(params);
    const why = at && analysis().previewWhy(at);
    if (!why) return null;
    const edits = why.suggestions.map(it => it.edits && { documentChanges: toDocumentEdits(it.edits, linesOf) });
    return { why, edits: edits.map(it => it ?? null) };
  });

  connection.onRequest<PreviewFitAnswer, void>(previewFitRequest, async (params: PreviewFitParams, token) => {
    const at = placeOf(params);
    if (at === undefined) return null;
    const fit = await placementWork.runInSlices(
      it => it.previewFit({ ...at, node: params.node }),
      () => !token.isCancellationRequested,
    );
    return fit ?? null;
  });

  connection.onRequest(previewComparisonRequest, async (params: PreviewComparisonParams, token): Promise<null> => {
    const at = placeOf(params);
    if (at === undefined || comparer === undefined) return null;
    const question = await placementWork.runInSlices(
      it => it.previewComparison(at),
      () => !token.isCancellationRequested,
    );
    if (question === undefined) return null;
    const name = comparedAs(question);
    const report = (comparison: PreviewComparison): void =>
      void connection.sendProgress(COMPARISON, params.partialResultToken, { ...comparison, comparedAs: name });
    await comparer.compare(question, report, token);
    return null;
  });
  connection.onShutdown(() => comparer?.close());
}

/**
 * A name for each distinct comparison. Objects and policies are compared by identity, because they stay the same objects
 * until their sources change; all else is compared by value.
 */
function createNaming(): (question: ComparisonQuestion) => string {
  const numbers = new WeakMap<object, number>();
  const state = { count: 0 };
  const numberOf = (it: object): number => {
    const number = numbers.get(it) ?? ++state.count;
    numbers.set(it, number);
    return number;
  };
  return ({ inputs: { objects, schedulerConfiguration, policies }, changes }) =>
    JSON.stringify([numberOf(objects), changes, schedulerConfiguration, policies && numberOf(policies)]);
}

interface Sent {
  /** The model with a new revision, as a delta to the client's model where that is still kept here. */
  next(model: PreviewModel, known: number): PreviewModel | PreviewDelta;
  forget(): void;
}

/** The models that the client may have: the last one that it acknowledged, and the one sent since. */
function createSent(): Sent {
  let kept: readonly PreviewModel[] = [];
  let revisions = 0;
  return {
    next(model, known) {
      const now = { ...model, revision: ++revisions };
      const base = kept.find(it => it.revision === known);
      kept = base ? [base, now] : [now];
      return base ? deltaOf(known, base, now) : now;
    },
    forget() {
      kept = [];
    },
  };
}
