import type { Analysis } from '../analysis/analysis';
import type { LinesOf } from './convert';

/** What answers to requests are made from. */
export interface Asked {
  readonly analysis: () => Analysis;
  readonly canonicalUri: (uri: string) => string;
  readonly linesOf: LinesOf;
}
