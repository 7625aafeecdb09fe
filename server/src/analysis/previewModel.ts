/** The protocol of the preview: the model that the server sends, and its deltas. */

export type { ComparedStrategy, Strategy } from './placement/strategy';
export { changedBy, deltaOf } from './preview/delta';
export type {
  EvictionRecord,
  EvictionRounds,
  PreviewPolicy,
  PreviewReschedulers,
  PreviewVpa,
  PreviewVpaMode,
  Truncated,
} from './preview/evictionModel';
export type {
  ComparedPlacement,
  PreviewChoice,
  PreviewComparison,
  PreviewDelta,
  PreviewFit,
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewRefusal,
  PreviewResource,
  PreviewStep,
  PreviewWhy,
  PreviewWorkload,
  RefusedBy,
  WhatIf,
} from './preview/model';
export type { Rescheduler, ReschedulerKind } from './whatIf/eviction';
