import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangementsOf } from '../../../server/src/explore/orders/permutations';

/** By the definition: each different item first, and then all arrangements of the others. */
function* defined(items: readonly number[]): Iterable<readonly number[]> {
  if (items.length === 0) yield [];
  for (const it of new Set(items)) {
    for (const rest of defined(items.toSpliced(items.indexOf(it), 1))) yield [it, ...rest];
  }
}

describe('the arrangements of some items', () => {
  it('are those of the definition, in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }), items => {
        expect([...arrangementsOf(items)]).toEqual([...defined(items)]);
      }),
    );
  });

  it('are made one by one of ten thousand items', () => {
    const items = Array.from({ length: 10_000 }, (_, i) => i % 3);
    const [first, second] = arrangementsOf(items);
    expect(first).toEqual(items);
    expect(second).not.toEqual(items);
  });
});
