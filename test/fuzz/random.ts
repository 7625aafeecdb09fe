import { type Random, randomFrom } from '../conformance/mutate';

export { type Random, randomFrom };

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);

/** A random item of a non-empty list. */
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)] as T;

/** A random choice by weight. */
export function weighted<T>(random: Random, choices: readonly (readonly [weight: number, choice: T])[]): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = random() * total;
  for (const [weight, choice] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices.at(-1) as readonly [number, T])[1];
}
