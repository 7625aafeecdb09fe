import {
  changedBy,
  type PreviewComparison,
  type PreviewDelta,
  type PreviewFit,
  type PreviewModel,
  type PreviewReschedulers,
  type PreviewWhy,
  type ReschedulerKind,
  type WhatIf,
} from '../../../../server/src/analysis/previewModel';
import type { ToPreview } from '../../preview/messages';
import { podGroups } from './selectors';
import { triedIn } from './whatIf';

/** What the webview shows. */
export type Screen =
  | { readonly kind: 'waiting'; readonly openedTab?: OpenedTab }
  | { readonly kind: 'empty'; readonly reason: string; readonly openedTab?: OpenedTab }
  | {
      readonly kind: 'model';
      readonly model: PreviewModel;
      readonly chosen: string | undefined;
      /** What is tried now; the model may still be that of an earlier one. */
      readonly tried: WhatIf;
      /** Comes after the model. */
      readonly why?: PreviewWhy;
      /** The answer for the last Pod that was tried on a node; gone with the next model of other Pods or nodes. */
      readonly fit?: PreviewFit;
      readonly comparison?: PreviewComparison;
      /** The last complete one, shown until there is a newer one, so that nothing jumps. */
      readonly before?: PreviewComparison;
      /** What the descheduler or VPAs would do; kept until there is a newer answer. */
      readonly movers?: PreviewReschedulers;
      readonly openedTab?: OpenedTab;
    };

/** The tab that was opened from outside of the page, maybe before there was a model; a new object each time. */
export interface OpenedTab {
  readonly at: ReschedulerKind;
}

/**
 * The screen after a message. The chosen Pod follows the model only when the model's own choice changed: a model that
 * was under way while the user chose another Pod must not take that choice back.
 */
export function receive(screen: Screen, message: ToPreview): Screen {
  if (message.type === 'trying') return tryWhatIf(screen, message.whatIf);
  if (message.type === 'look') return { ...screen, openedTab: { at: message.at } };
  if (message.type === 'empty') return empty(screen, message.reason);
  if (message.type === 'why') return screen.kind === 'model' ? { ...screen, why: message.why } : screen;
  if (message.type === 'fit') return screen.kind === 'model' ? { ...screen, fit: message.fit } : screen;
  if (message.type === 'comparison') return screen.kind === 'model' ? compared(screen, message.comparison) : screen;
  if (message.type === 'movers') return screen.kind === 'model' ? { ...screen, movers: message.movers } : screen;
  const model = message.type === 'model' ? message.model : nextModel(screen, message.delta);
  if (!model) return screen;
  const last: Partial<Shown> = screen.kind === 'model' ? screen : {};
  const { comparison, before, movers } = last;
  const { openedTab } = screen;
  // A model for another chosen Pod may have been under way when a Pod was tried on a node.
  const isSame = model.comparedAs !== undefined && last.model?.comparedAs === model.comparedAs;
  const fit = isSame ? last.fit : undefined;
  return {
    kind: 'model',
    model,
    chosen: follow(screen, model),
    tried: screen.kind === 'model' ? screen.tried : triedIn(model),
    ...(comparison && { comparison }),
    ...(before && { before }),
    ...(movers && { movers }),
    ...(openedTab && { openedTab }),
    ...(fit && { fit }),
  };
}

/** A tab that a model has shown is forgotten: the next one begins with the first tab. */
const empty = (screen: Screen, reason: string): Screen => ({
  kind: 'empty',
  reason,
  ...(screen.kind !== 'model' && screen.openedTab && { openedTab: screen.openedTab }),
});

/** undefined where the page does not have the previous model: then the whole one follows. */
const nextModel = (screen: Screen, delta: PreviewDelta): PreviewModel | undefined =>
  screen.kind === 'model' && screen.model.revision === delta.since ? changedBy(screen.model, delta) : undefined;

type Shown = Extract<Screen, { readonly kind: 'model' }>;

function compared(screen: Shown, comparison: PreviewComparison): Screen {
  const before = screen.comparison?.optimum ? screen.comparison : screen.before;
  return { ...screen, comparison, ...(before && { before }) };
}

/** Whether the comparison is complete and belongs to the model. */
export const isCompared = (model: PreviewModel, comparison: PreviewComparison | undefined): boolean =>
  comparison?.optimum !== undefined && comparison.comparedAs === model.comparedAs;

/** The screen after a comparison is requested again: the last one is outdated. */
export function withOutdatedComparison(screen: Screen): Screen {
  if (screen.kind !== 'model') return screen;
  const { comparison, ...rest } = screen;
  return comparison?.optimum ? { ...rest, before: comparison } : rest;
}

/** The screen after the user chose a Pod. */
export function choose(screen: Screen, pod: string): Screen {
  return screen.kind === 'model' ? { ...screen, chosen: pod } : screen;
}

/** The screen after the answer about a node is closed. */
export function withoutFit(screen: Screen): Screen {
  if (screen.kind !== 'model') return screen;
  const { fit: _, ...rest } = screen;
  return rest;
}

/** The screen after the user tries something. */
export function tryWhatIf(screen: Screen, whatIf: WhatIf): Screen {
  return screen.kind === 'model' ? { ...screen, tried: whatIf } : screen;
}

function follow(screen: Screen, model: PreviewModel): string | undefined {
  const ids = new Set([...model.pods, ...model.refused].map(it => it.id));
  const isNews = screen.kind !== 'model' || screen.model.chosen !== model.chosen;
  const mine = screen.kind === 'model' ? screen.chosen : undefined;
  const candidates = isNews ? [model.chosen, mine] : [mine, model.chosen];
  return (
    candidates.find(id => id !== undefined && ids.has(id)) ?? podGroups(model)[0]?.pods[0]?.id ?? model.refused[0]?.id
  );
}
