import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  printable,
  printableJson,
  printablePath,
  printableSource,
  printableStrings,
} from '../../server/src/text/printable';
import { anyText } from '../support/texts';

/** Escape sequence, line breaks of every kind, an 8-bit control sequence, a bidirectional override and a tag character. */
const HOSTILE = 'a\u001b[2Jb\r\nc\u2028d\u009be\u202ef\u{e0041}g\u0007';
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

describe('printable', () => {
  it('shows each control character as an escape', () => {
    expect(printable(HOSTILE)).toBe('a\\u001b[2Jb\\r\\nc\\u2028d\\u009be\\u202ef\\udb40\\udc41g\\u0007');
    expect(printable('naïve 日本 🚀 – “x”')).toBe('naïve 日本 🚀 – “x”');
  });

  it('shows what a runner of GitHub or Azure would take for a command, wherever it is', () => {
    expect(printable('a ##[error]b ###vso[task.complete] # ## [c]')).toBe(
      'a \\u0023#[error]b #\\u0023#vso[task.complete] # ## [c]',
    );
    expect(printableSource('# ##[error]')).toBe('# \ufffd#[error]');
    expect(printableJson('##[error]')).toBe('"\\u0023#[error]"');
  });

  it('lets no control character through', () => {
    const texts = anyText(40);
    fc.assert(fc.property(texts, text => !STEERING.test(printable(text))));
    fc.assert(fc.property(texts, text => !STEERING.test(printableSource(text).replaceAll('\t', ''))));
    fc.assert(fc.property(fc.jsonValue(), value => !STEERING.test(printableJson(value))));
  });

  it('keeps the columns of a source line', () => {
    expect(printableSource('\ta: \u001b[31m"\u202e"')).toBe('\ta: \ufffd[31m"\ufffd"');
    fc.assert(fc.property(anyText(), text => printableSource(text).length === text.length));
  });

  it('writes JSON that is read back as the same value', () => {
    expect(JSON.parse(printableJson({ [HOSTILE]: [HOSTILE] }))).toEqual({ [HOSTILE]: [HOSTILE] });
    fc.assert(
      fc.property(
        fc.jsonValue(),
        it => void expect(JSON.parse(printableJson(it, 2))).toEqual(JSON.parse(JSON.stringify(it))),
      ),
    );
  });

  it('reaches every string of plain data', () => {
    expect(printableStrings({ a: ['x\n', { 'k\n': 'v\u001b' }], n: 1, none: null })).toEqual({
      a: ['x\\n', { 'k\\n': 'v\\u001b' }],
      n: 1,
      none: null,
    });
  });

  it('makes no command of a path', () => {
    expect([' ::a', '::a', 'a::b', 'a/::b'].map(printablePath)).toEqual(['./ ::a', './::a', 'a::b', 'a/::b']);
  });
});
