import { describe, expect, it } from 'vitest';
import { compileRegex, expand, type Regex, replaceMatches } from '../../server/src/kube/cel/regex';

function regexOf(pattern: string, spend?: (microseconds: number) => void): Regex {
  const compiled = compileRegex(pattern, spend);
  if (!('regex' in compiled)) throw new Error(`${pattern} does not compile: ${JSON.stringify(compiled)}`);
  return compiled.regex;
}

const wholes = (pattern: string, text: string) =>
  regexOf(pattern)
    .findAll(text)
    ?.map(it => [it.index, it.whole]);
const replaced = (pattern: string, text: string, template: string, most?: number) =>
  replaceMatches(regexOf(pattern), text, template, expand, most);

const many = 'a'.repeat(5_000);

/** Patterns that an engine which tries one way after the other would not be done with in years. */
const HOSTILE: readonly (readonly [pattern: string, text: string, expected: boolean])[] = [
  ['^(a+)+$', `${many}!`, false],
  ['^(a+)+$', many, true],
  ['^(a|aa)+$', `${many}!`, false],
  ['^(a?){40}a{40}$', 'a'.repeat(39), false],
  ['^(a?){40}a{40}$', 'a'.repeat(41), true],
  ['^(a|aa){1,60}b$', 'a'.repeat(60), false],
  ['^a*a*a*a*a*a*b$', many, false],
  ['(.*,){10}x', 'a,'.repeat(1_000), false],
  ['(.*,){10}x', `${'a,'.repeat(1_000)}x`, true],
  ['^(([a-z0-9]+)[.-]?)*$', `${many}_`, false],
  ['(x+x+)+y', 'x'.repeat(1_000_000), false],
];

describe('a regular expression of Go', () => {
  // The answers are those of Go 1.26.
  it.each([
    ['^a', 'ba', false],
    ['(?i)B', 'ab', true],
    ['(?i:B)c', 'bC', false],
    ['(?s)b.c', 'b\nc', true],
    ['(?-s).', '\n', false],
    ['(?m)^c$', 'b\nc\n', true],
    ['a$', 'a\n', false],
    ['\\Ab\\z', 'b', true],
    ['^..$', '\r"', true],
    ['^.$', '😀', true],
    ['\\bé', 'é', false],
    ['(?i)straſſe', 'STRASSE', true],
    ['(?i)k', '\u212a', true],
    ['\\Qa.b\\E+', 'a.bb', true],
    ['\\Qa.b\\E', 'axb', false],
    ['[[:^digit:]]', '1', false],
    ['[[:]', ':', true],
    ['[a[:]', '[', true],
    ['[\\S]', ' ', false],
    ['\\101', 'A', true],
    ['{[:A]_??^??', '{A', true],
    ['a{,2}', 'a{,2}', true],
    ['\\p{Any}', '\0', true],
    ['\\p{greek}', 'σ', true],
    ['\\P{^lowercase-letter}', 'a', true],
    ['\\pl', '1', false],
    ['[^\\p{Letter}]', 'x', false],
    ['(?P<x>a)(?<x>b)', 'ab', true],
    ['[(?P<x>][(?P<x_1>]', 'x>', true],
    ['((?:(?U)a+))b', 'aab', true],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(regexOf(pattern).matches(text)).toBe(expected);
  });

  it.each([
    ['(', 'missing closing ): `(`'],
    ['[a', 'missing closing ]: `[a`'],
    ['a)', 'unexpected ): `a)`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['*', 'missing argument to repetition operator: `*`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['(a{1000}){1000}', 'invalid repeat count: `{1000}`'],
    ['\\', 'trailing backslash at end of expression: ``'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?P<a-b>c)', 'invalid named capture: `(?P<a-b>`'],
    ['\\1', 'invalid escape sequence: `\\1`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['\\p{Greekish}', 'invalid character class range: `\\p{Greekish}`'],
    ['\\p{Emoji}', 'invalid character class range: `\\p{Emoji}`'],
    ['\\p{Old_Italic}', 'invalid character class range: `\\p{Old_Italic}`'],
    ['(?P<é1>a)', 'invalid named capture: `(?P<é1>`'],
  ])('%s is refused as Go does: %s', (pattern, error) => {
    expect(compileRegex(pattern)).toEqual({ error: `error parsing regexp: ${error}` });
  });

  it('with a class that only seems to begin within another is refused, too', () => {
    expect(compileRegex('[[:]x[[:alpha:]]')).toHaveProperty('error');
  });

  it('finds what is there, and nothing of no length where the match before ends', () => {
    expect(wholes('a*', 'baac')).toEqual([
      [0, ''],
      [1, 'aa'],
      [4, ''],
    ]);
    expect(wholes('a|ab', 'ab😀ab')).toEqual([
      [0, 'a'],
      [4, 'a'],
    ]);
    expect(wholes('(?:)', '😀')).toEqual([
      [0, ''],
      [2, ''],
    ]);
    expect(regexOf('b').findAll('bbb', 2)).toHaveLength(2);
    expect(regexOf('b').findAll('bbb', 0)).toEqual([]);
    expect(regexOf('(a)|(b)').findAll('b')?.[0]?.groups).toEqual(['b', undefined, 'b']);
  });

  it.each([
    ['(a)(b)?', 'ab-a', '[$2$1]', '[ba]-[a]'],
    ['(?P<x>a)|(?P<x>b)', 'ab', '<$x>', '<a><b>'],
    ['(?P<n>a)', 'a', '\x24{n}b$n-$nb-\x24{n', 'aba--\x24{n'],
    ['a', 'a', '$$0 $0 $1 $01 \x24{0} $é $- \x24{} $', '$0 a   a  $- \x24{} $'],
    ['b*', 'abc', '-', '-a-c-'],
    ['é', 'xé😀', '😀', 'x😀😀'],
  ])('%s in %j replaced by %j: %j', (pattern, text, template, expected) => {
    expect(replaced(pattern, text, template)).toBe(expected);
  });

  it('replaces no more than asked for', () => {
    expect(replaced('a', 'aaa', 'b', 2)).toBe('bba');
  });
});

describe('a regular expression that somebody made to be slow', () => {
  it.each(HOSTILE)('%s ends in the time of its text', (pattern, text, expected) => {
    expect(regexOf(pattern).matches(text)).toBe(expected);
  });

  it('is left undecided where its instructions are too many for a text', () => {
    expect(regexOf('^(a{1,500}b?){1,2}$').matches('a'.repeat(100_000))).toBeUndefined();
    expect(regexOf('^(a{1,500}b?){1,2}$').matches('a'.repeat(5_000))).toBe(false);
  });

  it('is left undecided where each match looks through the whole text', () => {
    expect(regexOf('[a-z]*!|a').findAll('a'.repeat(50_000))).toBeUndefined();
    expect(regexOf('[a-z]*!|a').findAll('a'.repeat(1_000))).toHaveLength(1_000);
    expect(regexOf('[a-z]+').findAll('a b '.repeat(20_000))).toHaveLength(40_000);
  });

  it('is left undecided where it would make too much text', () => {
    expect(replaced('a', 'a'.repeat(10_000), '$0'.repeat(10_000))).toBeUndefined();
  });

  it('of too many characters is not compiled', () => {
    expect(compileRegex('\\pL|'.repeat(3_000))).toEqual({ unsupported: expect.stringContaining('10000 characters') });
  });

  it('spends as much as there is to look through', () => {
    const spent = (text: string) => {
      let sum = 0;
      regexOf('^(a|b)+$', microseconds => (sum += microseconds)).matches(text);
      return sum;
    };
    expect(spent('a'.repeat(100_000)) / spent('a'.repeat(1_000))).toBeGreaterThan(20);
    expect(() =>
      regexOf('a', () => {
        throw new Error('out of steps');
      }),
    ).toThrow('out of steps');
  });

  it.each([
    ['[', 'error'],
    ['[:', 'error'],
    ['[[:', 'error'],
    ['\\p{', 'error'],
    ['(?P<x>', 'error'],
    ['[\\', 'error'],
    ['\\Q', 'regex'],
    ['(', 'error'],
  ])('is read to its end: %s again and again is told as %s', (piece, outcome) => {
    expect(compileRegex(piece.repeat(Math.floor(10_000 / piece.length)))).toHaveProperty(outcome);
  });
});
