import { expect, it } from 'vitest';
import { lineStart, lineStartAfterAnyBreak } from '../../server/src/text/lineStart';

it('is where the line of an offset begins, even before a break at offset 0', () => {
  const text = '\na\r\nb\rc';
  expect([0, 1, 2, 4, 5, 7].map(it => lineStart(text, it))).toEqual([0, 1, 1, 4, 4, 4]);
  expect([0, 1, 2, 4, 5, 7].map(it => lineStartAfterAnyBreak(text, it))).toEqual([0, 1, 1, 4, 4, 6]);
});
