import type { ClusterChange } from '../../cluster/changes';
import type { ClusterQuestion } from '../../explore/cluster/answer';
import type { Span } from '../../text/span';

/** The content of a file `*.placement-test.yaml`: what is deployed where, and what is expected of it. */
export interface PlacementTestFile {
  readonly uri: string;
  /** `auto`, `default`, `kind:FILE`, `snapshot:FILE`; files from the folder of this one. Absent: the Nodes of the manifests. */
  readonly cluster?: string;
  /** Files and folders from the folder of this one; that folder itself when there is none. */
  readonly manifests: readonly string[];
  readonly kubernetesVersion?: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly tests: readonly PlacementTest[];
  readonly problems: readonly FormatProblem[];
}

export interface PlacementTest {
  readonly name: string;
  /** The location of its name. */
  readonly span: Span;
  /** What happens to the cluster first, one after the other. */
  readonly changes: readonly ClusterChange[];
  readonly expect: readonly Expected[];
}

export interface Expected {
  readonly expectation: Expectation;
  readonly span: Span;
}

/** Something in a file that cannot be followed. */
export interface FormatProblem {
  /** One clause that names the place. */
  readonly clause: string;
  readonly span: Span;
}

export type Expectation =
  /** Each of these Pods has a node. */
  | { readonly kind: 'scheduled'; readonly pods: PodSelector }
  /** None of these Pods has one. */
  | { readonly kind: 'pending'; readonly pods: PodSelector }
  | { readonly kind: 'spread'; readonly pods: PodSelector; readonly over: string; readonly bounds: SpreadBounds }
  /** Each of these Pods that has a node has one with these labels. (`on` would be `true` in YAML.) */
  | { readonly kind: 'landOn'; readonly pods: PodSelector; readonly nodes: Readonly<Record<string, string>> }
  /** So many of these Pods are evicted at most. */
  | { readonly kind: 'victims'; readonly pods: PodSelector; readonly atMost: number }
  /** Each of these Pods has a node, whichever node is down, or in whatever order the Pods come. */
  | { readonly kind: 'fits'; readonly pods: PodSelector; readonly even: 'withAnyNodeDown' | 'inAnyOrder' }
  /** Each of these Pods has a node in everything that could happen; `holds`: this CEL is true in all of it. */
  | { readonly kind: 'whatever'; readonly pods: PodSelector; readonly happens: Happening; readonly holds?: string }
  /** The API server refuses an object. */
  | { readonly kind: 'refused'; readonly object: string; readonly because: Because }
  /** Every Pod is where it was when that was last accepted. */
  | { readonly kind: 'unmoved' }
  /** CEL over `pods`, `nodes` and `evicted` that must be true. */
  | { readonly kind: 'holds'; readonly expression: string };

/**
 * order: the Pods arrive in any order, and each tie is broken in any way; ties: they are in the queue at once; oneNodeDown, drain: the
 * same after any one node is down or drained. The others are questions about controllers.
 */
export type Happening = 'order' | 'ties' | 'oneNodeDown' | ClusterQuestion;

/** What is absent leaves nothing out. */
export interface PodSelector {
  /** `Deployment/web`, or the name of a Pod. */
  readonly workload?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Over the domains of a topology: nodes with the same value of a label. */
export interface SpreadBounds {
  /** At least one Pod in this number of domains. */
  readonly atLeast?: number;
  readonly maxPerDomain?: number;
  /** Between the fullest domain and the emptiest, empty ones of the cluster counted. */
  readonly maxSkew?: number;
}

/** What a refusal must say; what is absent may be anything. */
export interface Because {
  readonly field?: string;
  readonly message?: string;
  readonly code?: string;
}

/** The name under which a test accepts and finds its placement. */
export const isPlacementTest = (uri: string): boolean => /\.placement-test\.ya?ml$/i.test(uri);
