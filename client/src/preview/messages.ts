import type {
  PreviewComparison,
  PreviewDelta,
  PreviewFit,
  PreviewModel,
  PreviewReschedulers,
  PreviewWhy,
  ReschedulerKind,
  WhatIf,
} from '../../../server/src/analysis/previewModel';
import { isObject, type UnknownObject } from '../../../server/src/base/json';

/** Messages of the extension to the preview's page. */
export type ToPreview =
  | { readonly type: 'model'; readonly model: PreviewModel }
  /** The next model, relative to the last one. */
  | { readonly type: 'change'; readonly delta: PreviewDelta }
  | { readonly type: 'empty'; readonly reason: string }
  /** What is tried was changed outside of the page. */
  | { readonly type: 'trying'; readonly whatIf: WhatIf }
  | { readonly type: 'why'; readonly why: PreviewWhy }
  | { readonly type: 'fit'; readonly fit: PreviewFit }
  | { readonly type: 'movers'; readonly movers: PreviewReschedulers }
  /** Show the tab of a rescheduler. */
  | { readonly type: 'look'; readonly at: ReschedulerKind }
  | { readonly type: 'comparison'; readonly comparison: PreviewComparison };

/** The formats in which the page exports the model. */
export type ExportFormat = 'svg' | 'png' | 'json' | 'md';

/** Messages of the page to the extension. */
export type FromPreview =
  | { readonly type: 'ready' }
  | { readonly type: 'choose'; readonly pod: string }
  | { readonly type: 'reveal'; readonly pod: string }
  /** Ask whether a Pod would fit on a node. */
  | { readonly type: 'tryOn'; readonly pod: string; readonly node: string }
  /** Try this from now on. */
  | { readonly type: 'try'; readonly whatIf: WhatIf }
  /** Ask the user for a context of the kubeconfig to try. */
  | { readonly type: 'askContext' }
  /** The suggestion of this index of the Pod's last `why`. */
  | { readonly type: 'apply'; readonly pod: string; readonly suggestion: number }
  /** Compare all strategies, until `stopComparing`. */
  | { readonly type: 'compare' }
  /** Compute what the descheduler or the VPAs would do. */
  | { readonly type: 'askMovers'; readonly kind: ReschedulerKind }
  | { readonly type: 'stopComparing' }
  /** Ask why the chosen Pod is where it is; sent where `whyIsSlow`. */
  | { readonly type: 'explain' }
  /** `content` is base64 for a PNG, else text. */
  | { readonly type: 'save'; readonly format: ExportFormat; readonly content: string };

const isText = (it: unknown): it is string => typeof it === 'string';
const among =
  <T>(all: readonly T[]) =>
  (it: unknown): it is T =>
    (all as readonly unknown[]).includes(it);

const isFormat = among<ExportFormat>(['svg', 'png', 'json', 'md']);
const isReschedulerKind = among<ReschedulerKind>(['descheduler', 'vpa']);

/** Checks types alone: whether what a change names exists is for the server to find out. */
function isWhatIf(it: unknown): boolean {
  if (!isObject(it) || !Array.isArray(it.changes)) return false;
  const { changes, mover, trail, order = [], ...others } = it;
  const isRescheduler = mover === undefined || (isObject(mover) && isReschedulerKind(mover.kind));
  return (
    isRescheduler &&
    (trail === undefined || isTrail(trail)) &&
    Array.isArray(order) &&
    order.every(isText) &&
    changes.every(change => isObject(change) && isText(change.do)) &&
    Object.values(others).every(isText)
  );
}

const isTrail = (it: unknown): boolean =>
  isObject(it) && isText(it.finding) && (it.at === undefined || (Number.isInteger(it.at) && (it.at as number) >= 0));

const always = (): boolean => true;

const CHECKS: Readonly<Record<FromPreview['type'], (message: UnknownObject) => boolean>> = {
  ready: always,
  askContext: always,
  compare: always,
  stopComparing: always,
  explain: always,
  choose: it => isText(it.pod),
  reveal: it => isText(it.pod),
  tryOn: it => isText(it.pod) && isText(it.node),
  try: it => isWhatIf(it.whatIf),
  apply: it => isText(it.pod) && Number.isInteger(it.suggestion),
  askMovers: it => isReschedulerKind(it.kind),
  save: it => isFormat(it.format) && isText(it.content),
};

/** Whether a message of the preview's page is one that it may send: the page draws what others wrote. */
export function isFromPreview(message: unknown): message is FromPreview {
  if (!isObject(message) || !isText(message.type) || !Object.hasOwn(CHECKS, message.type)) return false;
  return CHECKS[message.type as FromPreview['type']](message);
}
