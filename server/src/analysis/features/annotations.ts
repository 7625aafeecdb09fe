import type { Span } from '../../text/span';

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export interface CodeLens {
  readonly span: Span;
  readonly title: string;
  /** NAMESPACE/NAME of the Pod (the first of its workload) that the preview selects. */
  readonly pod?: string;
  /** The uri of the kustomization or chart that renders the Pod; absent: the Pod is written in the file of the lens. */
  readonly source?: string;
  /** The lens is over a policy, or over its rule at this path, and opens its `policyLocations`. */
  readonly policy?: { readonly rule?: string };
  /** The lens has another source of the cluster chosen. */
  readonly chooses?: 'cluster';
  /** The answer is not complete; the title ends with "…". */
  readonly isPending?: true;
}
