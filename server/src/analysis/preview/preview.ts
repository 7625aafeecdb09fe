import { runToEnd, type Steps } from '../../base/steps';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { PodAt } from '../placement/podAt';
import { previewComparison, previewFit, previewSteps, previewWhy } from './build';
import type { ComparisonQuestion } from './comparison';
import { previewEnvironmentsIn } from './environments';
import type { PreviewReschedulers } from './evictionModel';
import { previewReschedulers, type ReschedulerQuestion } from './evictions';
import type { PreviewFit, PreviewModel, PreviewWhy, WhatIf } from './model';

type PreviewAt = PodAt & { readonly whatIf?: WhatIf };

/** The placement preview of a file's environment. */
export interface PreviewQuestions {
  /** The whole simulation of a file's environment; chooses `pod`, else the Pod at the offset, else the first pending one. */
  preview(at: PreviewAt): PreviewModel;
  /** The same, step by step. */
  previewing(at: PreviewAt): Steps<PreviewModel>;
  /** Why the preview's Pod is on its node or pending, and what would change it; undefined: no such Pod. */
  previewWhy(at: PreviewAt): PreviewWhy | undefined;
  /** Whether the preview's Pod would fit on a node, step by step; undefined: there is no such Pod or node. */
  previewFit(at: PreviewAt & { readonly node: string }): Steps<PreviewFit | undefined>;
  /** The inputs of a comparison, for another thread. */
  previewComparison(at: PreviewAt): Steps<ComparisonQuestion>;
  /** What the descheduler or VPAs of the preview's environment would do, step by step. */
  previewReschedulers(at: PreviewAt & ReschedulerQuestion): Steps<PreviewReschedulers>;
}

export function preview(context: AnalysisContext): PreviewQuestions {
  const environmentsFor = previewEnvironmentsIn(context);
  return {
    preview: at => runToEnd(previewSteps(environmentsFor(at.uri), at)),
    previewing: at => previewSteps(environmentsFor(at.uri), at),
    previewWhy: at => previewWhy(environmentsFor(at.uri), at),
    previewFit: at => previewFit(environmentsFor(at.uri), at),
    previewComparison: at => previewComparison(environmentsFor(at.uri), at),
    previewReschedulers: at => previewReschedulers(environmentsFor(at.uri), at),
  };
}
