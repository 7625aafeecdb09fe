/** Comparing the placements of a preview in another thread. */

export type { Solve } from '../scheduler/optimum/optimum';
export { comparisonInWords, failureInWords } from './preview/comparedWords';
export { type ComparisonQuestion, comparisonFor } from './preview/comparison';
