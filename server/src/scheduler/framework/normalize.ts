export const MAX_NODE_SCORE = 100;

/** Upstream: helper.DefaultNormalizeScore. Scales to 0…100; `highIsBad` inverts. Integer division, as in Go. */
export function defaultNormalize(scores: Float64Array, direction: 'highIsGood' | 'highIsBad'): void {
  const max = Math.max(0, highest(scores));
  if (max === 0) {
    scores.fill(direction === 'highIsBad' ? MAX_NODE_SCORE : 0);
    return;
  }
  for (let i = 0; i < scores.length; i++) {
    const scaled = Math.trunc((MAX_NODE_SCORE * scores[i]!) / max);
    scores[i] = direction === 'highIsBad' ? MAX_NODE_SCORE - scaled : scaled;
  }
}

/** -Infinity when there are none. */
export function highest(numbers: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > most) most = numbers[i]!;
  return most;
}

/** Infinity when there are none. */
export function lowest(numbers: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! < least) least = numbers[i]!;
  return least;
}

/** a × b / c as Go's int64 computes it: exact, truncated. */
export function mulDiv(a: number, b: number, c: number): number {
  const product = a * b;
  if (Number.isSafeInteger(product)) return Math.trunc(product / c);
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}
