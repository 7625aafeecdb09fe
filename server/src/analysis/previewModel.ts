/** The protocol of the preview: the model that the server sends, its deltas, and the messages of the webview. */

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
  ExportFormat,
  FromPreview,
  PreviewChoice,
  PreviewComparison,
  PreviewDelta,
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewResource,
  PreviewStep,
  PreviewWhy,
  PreviewWorkload,
  ToPreview,
  WhatIf,
} from './preview/model';
export type { Rescheduler, ReschedulerKind } from './whatIf/eviction';
