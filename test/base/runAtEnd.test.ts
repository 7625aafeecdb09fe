import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runAtEnd } from '../../server/src/base/runAtEnd';

it('finds what an expression with $ at its end finds', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n')).map(it => it.join(''));
  fc.assert(
    fc.property(text, it => {
      expect(runAtEnd(it, /[ab]/)).toBe(/[ab]*$/.exec(it)![0]);
    }),
  );
});
