import type { Steps } from '../base/steps';
import type { MutationPreview } from '../policy/mutation';
import type { Fix, Problem } from '../rules/framework/problem';
import type { Span } from '../text/span';
import type { WorkspaceObject } from '../workspace/object';
import type { RenderJob } from '../workspace/rendered/jobs';
import type { RenderCapabilities } from '../workspace/rendered/render';
import type { ClusterRequest } from './clusters/request';
import type { Configuration } from './configuration/configuration';
import type { Settings } from './configuration/settings';
import type { Explanation } from './explain/explainPlacement';
import type { CodeLens, Hover } from './features/annotations';
import type { ClusterView } from './features/clusterTree';
import type { Completion, DescribedField } from './features/completion/item';
import type { ReschedulerLocation, TitleRequest } from './features/evictionLenses';
import type { InlayHint } from './features/inlayHints/inlayHints';
import type { Link, Location } from './features/navigation/place';
import type { Renaming, renamable } from './features/navigation/rename';
import type { FoldingRange } from './features/outline/folding';
import type { DocumentSymbol, WorkspaceSymbol } from './features/outline/symbols';
import type { SemanticToken } from './features/semanticTokens';
import type { PodAt } from './placement/podAt';
import type { ListedTests, WorkspaceRun } from './placementTests/inWorkspace';
import type { PolicyNotice } from './policies/job';
import type { ComparisonQuestion } from './preview/comparison';
import type { PreviewReschedulers } from './preview/evictionModel';
import type { MoversAsked } from './preview/evictions';
import type { PreviewModel, PreviewWhy, WhatIf } from './preview/model';
import type { WorkspaceChange } from './state/change';
import type { PodSuggestions } from './whatIf/suggestions';

export type { CodeLens } from './features/annotations';
export type { ClusterView, ViewedNode, ViewedPod, ViewedUse } from './features/clusterTree';
export { PENDING } from './features/codeLenses';
export type { Completion, CompletionItem, DescribedField } from './features/completion/item';
export type { InlayHint } from './features/inlayHints/inlayHints';
export type { FoldingRange } from './features/outline/folding';
export type { DocumentSymbol, WorkspaceSymbol } from './features/outline/symbols';
export type { PodAt } from './placement/podAt';
export type { WorkspaceChange, WorkspaceFolder } from './state/change';

/** The one door: a frozen moment of the workspace with one function a feature, in offsets and plain data. */
export interface Analysis {
  /** Of the first folder; its environments may have others. */
  readonly settings: Settings;
  /** Everything that problems can be told of: manifests and configurations, without what is rendered from them. */
  readonly uris: readonly string[];
  /** Of all folders, as their files are. */
  readonly configurations: readonly Configuration[];
  /** The environments of berth.yaml that a file belongs to, by name. */
  environmentsOf(uri: string): readonly string[];
  /** Paths that kustomizations name and that are no manifests: somebody may look what stands there. */
  readonly wantedPaths: readonly string[];
  /** What somebody may render with the user's own tools. */
  readonly renderJobs: readonly RenderJob[];
  /** What they are rendered for. */
  readonly capabilities: RenderCapabilities;
  /** The clusters that somebody is to fetch, each once. */
  readonly clusterRequests: readonly ClusterRequest[];
  /** The clusters of all environments, for people to look at. */
  clusterView(): readonly ClusterView[];
  /** For the status item: where the nodes come from, and what of the settings could not be followed. */
  readonly status: { readonly cluster: string; readonly problems: readonly string[] };
  text(uri: string): string | undefined;
  /** How many documents a file has, empty ones counted. */
  documentCount(uri: string): number;
  /** Whether a file holds Kubernetes objects. */
  holdsObjects(uri: string): boolean;
  diagnostics(uri: string): readonly Problem[];
  /** The same without what the scheduler is asked for, so that whoever types need not wait for it. */
  quickDiagnostics(uri: string): readonly Problem[];
  /**
   * Forgets the problems and the positions of a file that nobody looks at. Every question has the same answer as before, and
   * the first one works it out anew.
   */
  release(uri: string): void;
  /** Whether `diagnostics` of a file may say more than `quickDiagnostics`. */
  asksScheduler(uri: string): boolean;
  hover(uri: string, offset: number): Hover | undefined;
  /** Of the problems at a place, and of a preference there that a placed Pod does not find; that is no problem. */
  fixes(uri: string, span: Span): readonly { readonly problem?: Problem; readonly fix: Fix }[];
  /** `typed` is the character that was just typed, when that is why an editor asks. */
  completion(uri: string, offset: number, typed?: string): Completion;
  /** The documentation of a field that a completion names, as Markdown. */
  completionDocs(field: DescribedField): string | undefined;
  /** unplaced: nothing is placed for them, and those of workloads are pending. */
  codeLenses(uri: string, as?: 'placed' | 'unplaced'): readonly CodeLens[];
  /** What the policy at a place, or one rule of it, rejects; everything that it looked at when it rejects nothing. */
  policyPlaces(at: { readonly uri: string; readonly offset: number; readonly rule?: string }): readonly Location[];
  /** None when the settings want none; of the objects that reach into `within`. */
  inlayHints(uri: string, within?: Span): readonly InlayHint[];
  documentSymbols(uri: string): readonly DocumentSymbol[];
  workspaceSymbols(query: string): readonly WorkspaceSymbol[];
  foldingRanges(uri: string): readonly FoldingRange[];
  /** The placement tests of the workspace, file by file. */
  placementTests(): readonly ListedTests[];
  /** Runs tests of one file, all when no names are given, on what the workspace holds now. */
  runPlacementTests(uri: string, only?: readonly string[]): Promise<WorkspaceRun>;
  /** What a grammar cannot know of a part of a text. */
  semanticTokens(uri: string, within: Span): readonly SemanticToken[];
  /** What a selection at an offset grows to, step by step. */
  selectionRanges(uri: string, offset: number): readonly Span[];
  /** Where the name at an offset is given. */
  definition(uri: string, offset: number): Link | undefined;
  references(uri: string, offset: number, wanted: 'uses' | 'usesAndDefinitions'): readonly Location[];
  renamable(uri: string, offset: number): ReturnType<typeof renamable>;
  rename(uri: string, offset: number, newName: string): Renaming;
  /** What mutating policies make of the objects of a file, as far as it is known. */
  mutations(uri: string): readonly (MutationPreview & { readonly object: WorkspaceObject })[];
  /** Names of a file that lead to other objects. */
  documentLinks(uri: string): readonly Link[];
  /** The whole simulation of a file's environment; chooses `pod`, else the Pod at the offset, else the first pending one. */
  preview(at: PodAt & { readonly whatIf?: WhatIf }): PreviewModel;
  /** The same turn by turn. */
  previewing(at: PodAt & { readonly whatIf?: WhatIf }): Steps<PreviewModel>;
  /** Places turn by turn what a file's lenses, hints and problems will ask for; nothing where it has no Pods. */
  placing(uri: string): Steps<undefined>;
  /** Why the preview's Pod is where it is, and what would change it; undefined: no such Pod. */
  previewWhy(at: PodAt & { readonly whatIf?: WhatIf }): PreviewWhy | undefined;
  /** What another thread is to place in several ways, so that the preview can set them side by side. */
  previewComparison(at: PodAt & { readonly whatIf?: WhatIf }): Steps<ComparisonQuestion>;
  /** What the descheduler or VPAs of the preview's environment would do. */
  previewMovers(at: PodAt & { readonly whatIf?: WhatIf } & MoversAsked): Steps<PreviewReschedulers>;
  /** Places of a file's policies and VPAs, to be told of when somebody looks. */
  reschedulerLocations(uri: string): readonly ReschedulerLocation[];
  /** One sentence about a policy or a VPA; undefined where there is none. */
  reschedulerTitle(request: TitleRequest): Steps<string | undefined>;
  /** The smallest changes that would give a Pod a node (or make it fit on `node`), each tried out; undefined: no such Pod. */
  counterfactuals(at: PodAt & { readonly node?: string }): PodSuggestions | undefined;
  /** Why a Pod is where it is, in sentences; undefined: no such Pod. */
  explanation(at: PodAt): Explanation | undefined;
}

/** Takes changes, hands out frozen moments. The only thing in the server that has a current state. */
export interface AnalysisHost {
  /** Gives the files whose problems may be others now: those that changed, and those that hang on what changed. */
  apply(change: WorkspaceChange): readonly string[];
  analysis(): Analysis;
  /**
   * Asks the policies of this moment about all objects, those of `first` files before others. `told` hears of files whose
   * problems may be others now, with `analysis` giving the new ones; `placed` when placements may be others, too, as mutating
   * policies are known now. Resolves when everything is judged.
   */
  evaluatePolicies(
    first: readonly string[],
    told: (uris: readonly string[]) => void,
    placed?: () => void,
  ): Promise<void>;
  /** Whether policies that users bring have a say, now that `judgePolicies` has looked. */
  hasPolicies(): boolean;
  /** Present when there are policies and nothing that could evaluate them. */
  policyNotice(): PolicyNotice | undefined;
}
