import type { Span } from '../../text/span';

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export interface CodeLens {
  readonly span: Span;
  readonly title: string;
  /** NAMESPACE/NAME of the Pod (the first of its workload) that the preview shall choose. */
  readonly pod?: string;
  /** The lens stands over a policy, or over the rule of it at this path, and opens its `policyLocations`. */
  readonly policy?: { readonly rule?: string };
  /** The answer is still being worked out; the title ends with "…". */
  readonly isPending?: true;
}
