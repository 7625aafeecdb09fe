export function factorial(n: number): bigint {
  let product = 1n;
  for (let i = 2n; i <= BigInt(n); i++) product *= i;
  return product;
}

/** The number of different orders of items of some kinds, given how many there are of each. */
export function arrangements(counts: readonly number[]): bigint {
  const sum = counts.reduce((total, it) => total + it, 0);
  return counts.reduce((left, it) => left / factorial(it), factorial(sum));
}

/** The same items, neighbours far apart, so that any beginning is a fair sample. */
export function spread<T>(items: readonly T[]): readonly T[] {
  const { length } = items;
  if (length < 3) return items;
  let step = Math.max(1, Math.round(length * 0.618));
  while (greatestDivisor(step, length) > 1) step += 1;
  return items.map((_, i) => items[(i * step) % length]!);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
