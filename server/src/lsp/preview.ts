import { type Connection, ProgressType } from 'vscode-languageserver/node';
import type { ComparisonQuestion } from '../analysis/previewComparison';
import { deltaOf, type PreviewComparison, type PreviewDelta, type PreviewModel } from '../analysis/previewModel';
import type { Comparer } from './comparing/comparer';
import { toDocumentEdits } from './convert';
import {
  type PreviewComparisonParams,
  type PreviewParams,
  type PreviewUpdate,
  type PreviewWhyAnswer,
  previewClosedNotification,
  previewComparisonRequest,
  previewRequest,
  previewWhyRequest,
} from './protocol';
import { previewTarget, type RequestContext } from './requestContext';

/** What the preview needs beside analysis. */
export interface PreviewWorld {
  /** Absent: nothing is compared. */
  readonly comparer?: Comparer;
  /** The source of clusters that is tried from now on. */
  readonly tryCluster: (source: string | undefined) => void;
  readonly hasKubeconfig: () => boolean;
}

const COMPARISON = new ProgressType<PreviewComparison>();

/** What the placement preview asks for. */
export function servePreview(
  connection: Connection,
  asked: RequestContext,
  { comparer, tryCluster, hasKubeconfig }: PreviewWorld,
): void {
  const { analysis, linesOf, placementWork } = asked;
  const placeOf = (params: PreviewParams) => previewTarget(asked, params);

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
    const told = { ...model, choices, ...(comparer && { comparedAs: comparedAs(question) }) };
    return params.known === undefined ? told : sent.next(told, params.known);
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

  connection.onRequest(previewComparisonRequest, async (params: PreviewComparisonParams, token): Promise<null> => {
    const at = placeOf(params);
    if (at === undefined || comparer === undefined) return null;
    const question = await placementWork.runInSlices(
      it => it.previewComparison(at),
      () => !token.isCancellationRequested,
    );
    if (question === undefined) return null;
    const name = comparedAs(question);
    const tell = (known: PreviewComparison): void =>
      void connection.sendProgress(COMPARISON, params.partialResultToken, { ...known, comparedAs: name });
    await comparer.compare(question, tell, token);
    return null;
  });
  connection.onShutdown(() => comparer?.close());
}

/**
 * A name for what is compared. Objects stay the same as long as nothing that they are made of changes; how they are scored
 * is compared itself.
 */
function createNaming(): (question: ComparisonQuestion) => string {
  const runs = new WeakMap<object, number>();
  const counted = { runs: 0 };
  const numberOf = (it: object): number => {
    const known = runs.get(it) ?? ++counted.runs;
    runs.set(it, known);
    return known;
  };
  return ({ inputs: { objects, schedulerConfiguration, policies }, changes }) =>
    JSON.stringify([numberOf(objects), changes, schedulerConfiguration, policies && numberOf(policies)]);
}

interface Sent {
  /** The model with a revision, in terms of the one that the client has where that is known here. */
  next(model: PreviewModel, known: number): PreviewModel | PreviewDelta;
  forget(): void;
}

/** The models that the client may have: the one that it last said to have, and the one that was sent since. */
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
