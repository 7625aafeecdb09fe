import type { ClusterContent } from '../cluster/sources/content';
import type { Turns } from '../cluster/turns';
import type { ConftestSettings } from '../policy/conftest/settings';
import type { PolicyEngine } from '../policy/engine/engine';
import type { MutationPreview } from '../policy/mutation';
import type { PropertyRule } from '../policy/property/property';
import type { Category, Fix, Problem } from '../rules/problem';
import type { Preset } from '../rules/rule';
import type { PodSecurity } from '../rules/security/configuration';
import type { Span } from '../text/span';
import type { RenderJob } from '../workspace/rendered/jobs';
import type { Capabilities, Rendering } from '../workspace/rendered/render';
import type { WorkspaceObject } from '../workspace/workspace';
import type { ClusterView } from './clusterView';
import type { Completion, DescribedField } from './completion/item';
import type { Configuration } from './configuration';
import type { Link, Place } from './definition';
import type { ClusterWish } from './environments';
import type { Explanation } from './explain/explainPlacement';
import type { FoldingRange } from './folding';
import type { InlayHint } from './inlayHints';
import type { MoverPlace } from './moverLenses';
import type { ListedTests, WorkspaceRun } from './placementTests/inWorkspace';
import type { FoundPlace } from './places';
import type { PolicyNotice } from './policyJudging';
import type { PreviewModel, PreviewWhy, WhatIf } from './preview';
import type { ComparisonQuestion } from './previewComparison';
import type { PreviewMovers, Steps } from './previewMovers';
import type { Renaming, renamable } from './rename';
import type { SemanticToken } from './semanticTokens';
import type { DocumentSymbol, WorkspaceSymbol } from './symbols';
import type { PodAt } from './whatIf/ask';
import type { MoversAsked } from './whatIf/previewMovers';
import type { PodSuggestions } from './whatIf/suggestions';

export interface Settings {
  readonly kubernetesVersion: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** A source as `parseClusterSource` reads it. auto: Nodes in the workspace when there are any, else the embedded default. */
  readonly cluster: string;
  /** Whether "defined nowhere" may be reported as an error. */
  readonly completeSources: boolean;
  /**
   * Whether YAML in which nothing has an apiVersion or a kind is at least read for its syntax: an editor sees many files
   * that are none of our business. Such JSON is always skipped.
   */
  readonly foreignFiles: 'skip' | 'check';
  /** Only these categories are told; absent: all. */
  readonly only?: readonly Category[];
  /** Code → severity that replaces the rule's own; `off` silences it. */
  readonly severity: Readonly<Record<string, 'error' | 'warning' | 'info' | 'hint' | 'off'>>;
  /** Whether what the server and the scheduler make of Pods is shown beside their fields. */
  readonly inlayHints: boolean;
  /** Whether an editor renders kustomizations and charts of workspaces that are trusted. */
  readonly render: 'auto' | 'off';
  /** What the API server is told of Pod security; absent when it looks at the labels of Namespaces only. */
  readonly podSecurity?: PodSecurity;
  /** tell: problems that are silenced, or that a baseline knows, come marked; absent: they do not come. */
  readonly suppressed?: 'tell';
  /** What `berth baseline` wrote: its path from the folder of the configuration. */
  readonly baseline?: string;
  /** Sets of opinions that are asked for. */
  readonly presets: readonly Preset[];
  /** Assertions on objects that the configuration makes. */
  readonly rules: readonly PropertyRule[];
  /** The namespace of objects that are written without one; `default` when absent. */
  readonly namespace?: string;
  /** A KubeSchedulerConfiguration in place of the one among the files: its path from the folder of the configuration. */
  readonly schedulerConfig?: string;
  /** Which Rego Conftest would read; absent: folders that are called `policy`. Paths from the configuration's folder. */
  readonly conftest?: ConftestSettings;
}

export const defaultSettings: Settings = {
  kubernetesVersion: '1.37',
  featureGates: {},
  cluster: 'auto',
  completeSources: false,
  foreignFiles: 'check',
  severity: {},
  presets: [],
  rules: [],
  inlayHints: true,
  render: 'auto',
};

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export interface CodeLens {
  readonly span: Span;
  readonly title: string;
  /** NAMESPACE/NAME of the Pod (the first of its workload) that the preview shall choose. */
  readonly pod?: string;
  /** The lens stands over a policy, or over the rule of it at this path, and opens its `policyPlaces`. */
  readonly policy?: { readonly rule?: string };
  /** The answer is still being worked out; the title ends with "…". */
  readonly isPending?: true;
}

/** A folder whose files do not see those of other folders. */
export interface WorkspaceFolder {
  /** '' holds whatever is in no other folder. */
  readonly uri: string;
  /** The file that configures it, to be given among the files; absent: a berth.yaml at its root, when there is one. */
  readonly configuration?: string;
  /** Of its environments only this one counts; absent: all. */
  readonly environment?: string;
}

/** A change of the world: files that are new or have new text, files that are gone, new settings, other folders. */
export interface Change {
  readonly files?: readonly { readonly uri: string; readonly text: string | undefined }[];
  readonly settings?: Settings;
  /** What goes above the settings and every configuration: the options of a command line. */
  readonly above?: (configured: Settings) => Settings;
  readonly folders?: readonly WorkspaceFolder[];
  /** What stands at `wantedPlaces`; it holds until it is told anew. */
  readonly places?: readonly FoundPlace[];
  /** What came of `renderJobs`; they hold until the next ones of the same source. */
  readonly rendered?: readonly Rendering[];
  /** Kustomizations and charts whose renderings count no more. */
  readonly unrendered?: readonly string[];
  /** What sources of clusters hold now, by the keys of `clusterWishes`; undefined: nobody asks any more. */
  readonly clusters?: readonly { readonly key: string; readonly content: ClusterContent | undefined }[];
}

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
  readonly wantedPlaces: readonly string[];
  /** What somebody may render with the user's own tools. */
  readonly renderJobs: readonly RenderJob[];
  /** What they are rendered for. */
  readonly capabilities: Capabilities;
  /** The clusters that somebody is to fetch, each once. */
  readonly clusterWishes: readonly ClusterWish[];
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
  policyPlaces(at: { readonly uri: string; readonly offset: number; readonly rule?: string }): readonly Place[];
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
  references(uri: string, offset: number, wanted: 'uses' | 'usesAndDefinitions'): readonly Place[];
  renamable(uri: string, offset: number): ReturnType<typeof renamable>;
  rename(uri: string, offset: number, newName: string): Renaming;
  /** What mutating policies make of the objects of a file, as far as it is known. */
  mutations(uri: string): readonly (MutationPreview & { readonly object: WorkspaceObject })[];
  /** Names of a file that lead to other objects. */
  documentLinks(uri: string): readonly Link[];
  /** The whole simulation of a file's environment; chooses `pod`, else the Pod at the offset, else the first pending one. */
  preview(at: PodAt & { readonly whatIf?: WhatIf }): PreviewModel;
  /** The same turn by turn. */
  previewing(at: PodAt & { readonly whatIf?: WhatIf }): Turns<PreviewModel>;
  /** Places turn by turn what a file's lenses, hints and problems will ask for; nothing where it has no Pods. */
  placing(uri: string): Turns<undefined>;
  /** Why the preview's Pod is where it is, and what would change it; undefined: no such Pod. */
  previewWhy(at: PodAt & { readonly whatIf?: WhatIf }): PreviewWhy | undefined;
  /** What another thread is to place in several ways, so that the preview can set them side by side. */
  previewComparison(at: PodAt & { readonly whatIf?: WhatIf }): Turns<ComparisonQuestion>;
  /** What the descheduler or VPAs of the preview's environment would do, in steps that somebody may stop. */
  previewMovers(at: PodAt & { readonly whatIf?: WhatIf } & MoversAsked): Steps<PreviewMovers>;
  /** Places of a file's policies and VPAs, to be told of when somebody looks. */
  moverPlaces(uri: string): readonly MoverPlace[];
  /** One sentence about a policy or a VPA, in steps; undefined where there is none. */
  moverTitle(place: MoverPlace & { readonly uri: string; readonly now: number }): Steps<string | undefined>;
  /** The smallest changes that would give a Pod a node (or make it fit on `node`), each tried out; undefined: no such Pod. */
  counterfactuals(at: PodAt & { readonly node?: string }): PodSuggestions | undefined;
  /** Why a Pod is where it is, in sentences; undefined: no such Pod. */
  explanation(at: PodAt): Explanation | undefined;
}

/** What the host may ask of the outside. */
export interface AnalysisWorld {
  /** Bytes of a file of server/data/kubernetes. Throws when it is missing: the build is broken then. */
  readonly readPack: (name: string) => Uint8Array;
  /** The full path of a file that has a relative one, as it stands in folders; absent: uris are full ones. */
  readonly absolute?: (uri: string) => string;
  /** Told of every exception inside a rule, with the rule's code. */
  readonly onBug: (code: string, error: unknown) => void;
  /** What evaluates the policies that users bring; without it they are not looked at. */
  readonly policyEngine?: PolicyEngine;
  /**
   * once: problems are asked for when everything is known, so that what they hang on is not kept. After a change all are found
   * anew, and `apply` does not tell whose may be others. Absent: what a change touches is known.
   */
  readonly problems?: 'once';
  /** Is told when a placement wants to know something of mutating policies that `judgePolicies` would find out. */
  readonly onPoliciesAsked?: () => void;
}

/** Takes changes, hands out frozen moments. The only thing in the server that has a current state. */
export interface AnalysisHost {
  /** Gives the files whose problems may be others now: those that changed, and those that hang on what changed. */
  apply(change: Change): readonly string[];
  analysis(): Analysis;
  /**
   * Asks the policies of this moment about all objects, those of `first` files before others. `told` hears of files whose
   * problems may be others now, with `analysis` giving the new ones; `placed` when placements may be others, too, as mutating
   * policies are known now. Resolves when everything is judged.
   */
  judgePolicies(first: readonly string[], told: (uris: readonly string[]) => void, placed?: () => void): Promise<void>;
  /** Whether policies that users bring have a say, now that `judgePolicies` has looked. */
  hasPolicies(): boolean;
  /** Present when there are policies and nothing that could evaluate them. */
  policyNotice(): PolicyNotice | undefined;
}
