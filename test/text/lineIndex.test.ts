import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineIndex } from '../../server/src/text/lineIndex';

test('LF, CRLF and a lone CR end a line', () => {
  const index = lineIndex('a\r\nb\rc\n');
  expect(index.lineCount).toBe(4);
  expect([0, 1, 3, 5, 7].map(it => index.position(it))).toEqual([
    { line: 0, character: 0 },
    { line: 0, character: 1 },
    { line: 1, character: 0 },
    { line: 2, character: 0 },
    { line: 3, character: 0 },
  ]);
});

test('positions outside the text are moved to the nearest one', () => {
  const index = lineIndex('ab\r\ncd');
  expect(index.offset({ line: 0, character: 9 })).toBe(2);
  expect(index.offset({ line: 9, character: 0 })).toBe(6);
  expect(index.position(99)).toEqual({ line: 1, character: 2 });
});

test('an offset survives the round trip unless it is inside CRLF', () => {
  const texts = fc.array(fc.constantFrom('a', '\n', '\r\n', '\r', '😀')).map(it => it.join(''));
  fc.assert(
    fc.property(texts, fc.nat(30), (text, at) => {
      fc.pre(at <= text.length && !(text[at] === '\n' && text[at - 1] === '\r'));
      const index = lineIndex(text);
      expect(index.offset(index.position(at))).toBe(at);
    }),
  );
});
