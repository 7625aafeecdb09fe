import { describe, expect, test } from 'vitest';
import { editDistance, nearestNames, nearestOfFirst } from '../../server/src/base/nearest';
import { randomFrom } from '../support/random';

/** By the whole table, without a limit. */
function wholeDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      table[i]![j] = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swap ? table[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return table[a.length]![b.length]!;
}

describe('the distance of two texts', () => {
  test('is that of the whole table up to the limit, and one more beyond', () => {
    const pick = randomFrom(15);
    const word = (): string => Array.from({ length: pick(9) }, () => 'abc'[pick(3)]).join('');
    const wrong: unknown[] = [];
    for (let i = 0; i < 5_000; i++) {
      const [a, b, limit] = [word(), word(), 1 + pick(3)];
      const found = editDistance(a, b, limit);
      if (found !== Math.min(wholeDistance(a, b), limit + 1)) wrong.push({ a, b, limit, found });
    }
    expect(wrong).toEqual([]);
  });

  test('of texts with a million letters needs no whole table', () => {
    const text = 'ab'.repeat(500_000);
    expect(editDistance(`${text}a`, `b${text}`, 3)).toBe(2);
    expect(editDistance(text, `${text}cdef`, 3)).toBe(4);
  });
});

test('the nearest names come first, and those of equal distance by their letters', () => {
  expect(nearestNames('volumes', ['volume', 'vloumess', 'volumez', 'pod', 'volumes'])).toEqual([
    'volume',
    'volumez',
    'vloumess',
  ]);
  expect(nearestNames('Spec', ['spec'])).toEqual(['spec']);
});

test('of very many misspelt names the first alone are compared', () => {
  let listed = 0;
  const nearestOf = nearestOfFirst(() => {
    listed += 1;
    return ['volume'];
  });
  const found = Array.from({ length: 1_000 }, () => nearestOf('volumes'));
  expect(found.slice(0, 100)).toEqual(Array(100).fill('volume'));
  expect(found.slice(100)).toEqual(Array(900).fill(undefined));
  expect(listed).toBe(1);
});
