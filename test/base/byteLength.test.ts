import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byteLength } from '../../server/src/base/byteLength';
import { anyText } from '../support/texts';

it('counts UTF-8 bytes of any text', () => {
  fc.assert(
    fc.property(anyText(), text => {
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
    }),
  );
  expect(['a', 'ü', '€', '😀', '\ud83d', '\ude00x'].map(byteLength)).toEqual([1, 2, 3, 4, 3, 4]);
});
