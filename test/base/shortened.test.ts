import { expect, it } from 'vitest';
import { elided, shortened } from '../../server/src/base/shortened';

it.each([
  ['a text that is short enough', 'abcd', 4, 'abcd'],
  ['a longer text', 'abcde', 4, 'abc…'],
  ['a text whose last kept character is a surrogate pair', 'ab😀cd', 5, 'ab😀…'],
  ['a text that would be cut within a surrogate pair', 'ab😀cd', 4, 'ab…'],
  ['no text', '', 4, ''],
])('%s is elided', (_, text, most, expected) => {
  expect(elided(text, most)).toBe(expected);
});

it('a long message tells how many characters are left out, and holds no half of a surrogate pair', () => {
  expect(shortened(`${'x'.repeat(3_999)}😀${'y'.repeat(2_000)}`)).toBe(`${'x'.repeat(3_999)}… (2,002 more characters)`);
});
