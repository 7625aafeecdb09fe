/** `json`: positions as JSON; `svg`: a picture. */
export type LayoutFormat = 'json' | 'svg';

/** A graph in Graphviz's language, and what to make of it. */
export interface LayoutJob {
  readonly dot: string;
  readonly format: LayoutFormat;
}

/** The answer of the thread. */
export type LaidOutText = { readonly text: string } | { readonly failure: string };

/**
 * Lays a graph out in a thread of its own, which is ended when the time is over or the work is cancelled; undefined then.
 * Rejects where Graphviz fails.
 */
export type LayOut = (
  job: LayoutJob,
  milliseconds: number,
  onCancel?: (cancel: () => void) => void,
) => Promise<string | undefined>;
