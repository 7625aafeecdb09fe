import type { CelType } from './library';

/** Ranges of sizes and costs. Upstream: cel-go checker.SizeEstimate and CostEstimate. */

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface Entries {
  readonly key: Range;
  readonly value: Range;
}

export interface Estimate {
  readonly cost: Range;
  readonly type: CelType | undefined;
  readonly size: Range | undefined;
  readonly path: readonly string[];
  readonly entries: Entries | undefined;
}

export const stringFactor = 0.1;
export const regexFactor = 0.25;
export const listBase = 10;
export const mapBase = 30;

export const fixed = (count: number): Range => ({ min: count, max: count });
export const unknownSize: Range = { min: 0, max: Number.POSITIVE_INFINITY };
export const sum = (...ranges: readonly Range[]): Range =>
  ranges.reduce((a, b) => ({ min: a.min + b.min, max: a.max + b.max }), fixed(0));
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
export const product = (a: Range, b: Range): Range => ({ min: times(a.min, b.min), max: times(a.max, b.max) });
export const scaled = (a: Range, factor: number): Range => ({
  min: Math.ceil(times(a.min, factor)),
  max: Math.ceil(times(a.max, factor)),
});
export const union = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
export const sizeOf = (it: Estimate | undefined): Range => it?.size ?? unknownSize;
export const costs = (all: readonly Estimate[]): Range => sum(...all.map(it => it.cost));
