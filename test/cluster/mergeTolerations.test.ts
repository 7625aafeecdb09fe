import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTolerations } from '../../server/src/cluster/admission/tolerations';
import type { Toleration } from '../../server/src/kube/types';

const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.constantFrom('', 'a', 'b'),
    operator: fc.constantFrom('', 'Equal', 'Exists', 'Lt'),
    value: fc.constantFrom('', 'x', 'y'),
    effect: fc.constantFrom('', 'NoSchedule', 'NoExecute'),
    tolerationSeconds: fc.constantFrom(0, 5, 9),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Toleration>;

const isEqual = (a: Toleration, b: Toleration): boolean =>
  (['key', 'operator', 'value', 'effect'] as const).every(it => (a[it] ?? '') === (b[it] ?? '')) &&
  a.tolerationSeconds === b.tolerationSeconds;

/** Of two alone the first one is dropped where the second one covers it. */
const covers = (wide: Toleration, narrow: Toleration): boolean =>
  isEqual(wide, narrow) || mergeTolerations([narrow], [wide])[0] === wide;

describe('tolerations that are put together', () => {
  it('are those that none kept before them covers, and no different one behind them', () => {
    fc.assert(
      fc.property(fc.array(toleration, { maxLength: 6 }), fc.array(toleration, { maxLength: 6 }), (first, second) => {
        const all = [...first, ...second];
        const kept: Toleration[] = [];
        for (const [i, one] of all.entries()) {
          const behind = all.slice(i + 1).filter(it => !isEqual(it, one));
          if (![...kept, ...behind].some(it => covers(it, one))) kept.push(one);
        }
        expect(mergeTolerations(first, second)).toEqual(kept);
      }),
    );
  });
});
