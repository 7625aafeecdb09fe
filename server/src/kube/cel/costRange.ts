import type { CelType } from './library';

/** Ranges of sizes and costs. Upstream: cel-go checker.SizeEstimate and CostEstimate. */

export interface CostRange {
  readonly min: number;
  readonly max: number;
}

export interface CostEntries {
  readonly key: CostRange;
  readonly value: CostRange;
}

export interface Estimate {
  readonly cost: CostRange;
  readonly type: CelType | undefined;
  readonly size: CostRange | undefined;
  readonly path: readonly string[];
  readonly entries: CostEntries | undefined;
  /** The size of a list's items, where it is not computed from the expression. */
  readonly items?: CostRange;
}

export const stringFactor = 0.1;
export const regexFactor = 0.25;
export const listBase = 10;
export const mapBase = 30;

export const fixed = (count: number): CostRange => ({ min: count, max: count });
export const unknownSize: CostRange = { min: 0, max: Number.POSITIVE_INFINITY };
export const sum = (...ranges: readonly CostRange[]): CostRange =>
  ranges.reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), fixed(0));
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
export const product = (a: CostRange, b: CostRange): CostRange => ({
  min: times(a.min, b.min),
  max: times(a.max, b.max),
});
export const scaled = (a: CostRange, factor: number): CostRange => ({
  min: Math.ceil(times(a.min, factor)),
  max: Math.ceil(times(a.max, factor)),
});
export const union = (a: CostRange, b: CostRange): CostRange => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
export const sizeOf = (it: Estimate | undefined): CostRange => it?.size ?? unknownSize;
export const costs = (all: readonly Estimate[]): CostRange => sum(...all.map(it => it.cost));
