import type { PolicyMutations } from './diagnostics/analysisContext';
import type { Diagnostics } from './diagnostics/diagnostics';
import type { Annotations } from './features/annotate';
import type { ExplorationFeatures } from './features/explorations';
import type { Navigation } from './features/navigation/navigation';
import type { OrderLenses } from './features/orderLenses';
import type { Outline } from './features/outline/outline';
import type { EvictionLenses } from './features/reschedulerLenses';
import type { StateGraphs } from './features/stateGraphs';
import type { WorkspaceFacts } from './features/workspaceFacts';
import type { WritingHelp } from './features/writingHelp';
import type { PlacementTests } from './placementTests/inWorkspace';
import type { PolicyNews, PolicyNotice } from './policies/policyEvaluation';
import type { PreviewQuestions } from './preview/preview';
import type { ChangedFile, WorkspaceChange } from './state/change';
import type { UpgradeReport } from './upgrade/change';
import type { UpgradeRequest } from './upgrade/walk';
import type { PlacementAnswers } from './whatIf/placementAnswers';

export type { Pace } from './diagnostics/environmentAnalysis';
export type { CodeLens } from './features/annotations';
export type { ClusterView, ViewedNode, ViewedPod, ViewedUse } from './features/clusterTree';
export { PENDING } from './features/codeLenses';
export type { Completion, CompletionItem, DescribedField } from './features/completion/item';
export type { ExplorationReport, ExploringRequest, FollowedProblem } from './features/explorations';
export type { Known } from './features/hover/hover';
export type { InlayHint } from './features/inlayHints/hint';
export type { OrderTitle } from './features/orderLenses';
export type { FoldingRange } from './features/outline/folding';
export type { DocumentSymbol, WorkspaceSymbol } from './features/outline/symbols';
export type { PodAt } from './placement/podAt';
export type { ChangedFile, WorkspaceChange, WorkspaceFolder } from './state/change';
export type { GraphQuestion } from './systems/stateGraph';
export type { TracedFinding } from './systems/systemProblems';

/** One immutable state of the workspace with a function for each feature, in offsets and plain data. */
export interface Analysis
  extends WorkspaceFacts,
    Diagnostics,
    WritingHelp,
    Annotations,
    Outline,
    Navigation,
    PolicyMutations,
    PlacementAnswers,
    PreviewQuestions,
    EvictionLenses,
    OrderLenses,
    ExplorationFeatures,
    StateGraphs,
    PlacementTests {}

/** Takes changes and gives out immutable states. The only thing in the server that has a current state. */
export interface AnalysisHost {
  /** Returns the files whose problems may differ now: those that changed, and those that depend on what changed. */
  apply(change: WorkspaceChange): readonly string[];
  /** A file that is not known yet with what parsing it gives, so that a change of many such files takes less time. */
  parsed(file: ChangedFile): ChangedFile;
  analysis(): Analysis;
  /**
   * Evaluates the policies of this state about all objects, those of `first` files before others. Yields the files whose
   * problems may differ now, after `analysis` has them. A new call overtakes earlier ones, whose iteration ends early.
   * Nothing happens before the first iteration, and a later call waits until the iteration has ended.
   * @param rests Resolves to whether nothing has changed for a while. What placements ask is found out then, for which all that is
   * placed is read; false ends the iteration. Absent: at once.
   */
  evaluatePolicies(first: readonly string[], rests?: () => Promise<boolean>): AsyncIterable<PolicyNews>;
  /** Whether policies that users bring apply, now that `evaluatePolicies` has looked. */
  hasPolicies(): boolean;
  /** What an upgrade of Kubernetes changes for files of this state; the state stays as it is. */
  upgrade(request: UpgradeRequest): Promise<UpgradeReport>;
  /** Present when there are policies and nothing that could evaluate them. */
  policyNotice(): PolicyNotice | undefined;
}
