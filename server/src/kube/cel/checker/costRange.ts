/** Ranges of sizes, saturated at the largest unsigned integer. Upstream: cel-go checker.SizeEstimate. */
export interface SizeRange {
  readonly min: number;
  readonly max: number;
}

/** The maximum of upstream's unsigned integers, as far as a number can hold it. */
const MOST = 2 ** 64;

export const stringFactor = 0.1;
export const regexFactor = 0.25;
export const listBase = 10;
export const mapBase = 30;
export const structBase = 40;

export const fixed = (count: number): SizeRange => ({ min: count, max: count });
export const unknownSize: SizeRange = { min: 0, max: MOST };
export const plus = (...counts: readonly number[]): number =>
  Math.min(
    counts.reduce((a, b) => a + b, 0),
    MOST,
  );
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.min(a * b, MOST));
/** Rounded up. Upstream: MultiplyByCostFactor. */
export const scaled = (count: number, factor: number): number => Math.ceil(times(count, factor));
export const sumOf = (a: SizeRange, b: SizeRange): SizeRange => ({ min: plus(a.min, b.min), max: plus(a.max, b.max) });
export const product = (a: SizeRange, b: SizeRange): SizeRange => ({
  min: times(a.min, b.min),
  max: times(a.max, b.max),
});
export const union = (a: SizeRange, b: SizeRange): SizeRange => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
