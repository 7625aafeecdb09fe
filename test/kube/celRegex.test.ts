import { Session } from 'node:inspector';
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

interface Hostile {
  readonly pattern: (size: number) => string;
  readonly text: (size: number) => string;
  readonly expected: boolean;
  /** A size for which a backtracking engine would take years. */
  readonly size: number;
}

/** Patterns and texts to search, of any size. */
const HOSTILE: readonly Hostile[] = [
  { pattern: () => '^(a+)+$', text: size => `${'a'.repeat(size)}!`, expected: false, size: 5_000 },
  { pattern: () => '^(a+)+$', text: size => 'a'.repeat(size), expected: true, size: 5_000 },
  { pattern: () => '^(a|aa)+$', text: size => `${'a'.repeat(size)}!`, expected: false, size: 5_000 },
  { pattern: size => `^(a?){${size}}a{${size}}$`, text: size => 'a'.repeat(size - 1), expected: false, size: 40 },
  { pattern: size => `^(a?){${size}}a{${size}}$`, text: size => 'a'.repeat(size + 1), expected: true, size: 40 },
  { pattern: size => `^(a|aa){1,${size}}[bc]$`, text: size => 'a'.repeat(size), expected: false, size: 60 },
  { pattern: () => '^a*a*a*a*a*a*[bc]$', text: size => 'a'.repeat(size), expected: false, size: 5_000 },
  { pattern: () => '(.*,){10}[xy]', text: size => 'a,'.repeat(size), expected: false, size: 1_000 },
  { pattern: () => '(.*,){10}[xy]', text: size => `${'a,'.repeat(size)}x`, expected: true, size: 1_000 },
  { pattern: () => '^(([a-z0-9]+)[.-]?)*$', text: size => `${'a'.repeat(size)}_`, expected: false, size: 5_000 },
  { pattern: () => '(x+x+)+[yz]', text: size => 'x'.repeat(size), expected: false, size: 1_000_000 },
];

/** Twice the size is twice the text, and for some twice the pattern, so that the work grows at most four times. */
const MOST_GROWTH = 5;

/**
 * How many functions of the library are called meanwhile, as counted by V8: a measure of work that does not depend on a
 * clock.
 */
function callsWhile(work: () => void): number {
  const session = new Session();
  session.connect();
  const counted: { calls: number } = { calls: 0 };
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  work();
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const ranges = result.filter(it => it.url.includes('/re2js/')).flatMap(it => it.functions.map(to => to.ranges[0]));
    counted.calls = ranges.reduce((sum, it) => sum + (it?.count ?? 0), 0);
  });
  session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  return counted.calls;
}

describe('a regular expression of Go', () => {
  // The answers of Go 1.26.
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

  it('with an apparent class inside another is refused, too', () => {
    expect(compileRegex('[[:]x[[:alpha:]]')).toHaveProperty('error');
  });

  it('finds all matches, but no empty one at the end of the previous match', () => {
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

  it('replaces no more than the limit', () => {
    expect(replaced('a', 'aaa', 'b', 2)).toBe('bba');
  });
});

describe('a malicious regular expression', () => {
  it.each(HOSTILE.map(it => ({ ...it, name: it.pattern(it.size) })))(
    '$name takes no more work than its text is long: $expected',
    ({ pattern, text, expected, size }) => {
      const worked = (some: number): number => {
        const regex = regexOf(pattern(some));
        return callsWhile(() => void regex.matches(text(some)));
      };
      const [less, more] = [worked(12), worked(24)];
      // A minimum, since an engine whose calls are not counted would seem to do nothing.
      expect(less).toBeGreaterThan(12);
      expect(more / less).toBeLessThan(MOST_GROWTH);
      expect(regexOf(pattern(size)).matches(text(size))).toBe(expected);
    },
  );

  it('is undecided if it has too many instructions for a text', () => {
    expect(regexOf('^(a{1,500}b?){1,2}$').matches('a'.repeat(100_000))).toBeUndefined();
    expect(regexOf('^(a{1,500}b?){1,2}$').matches('a'.repeat(5_000))).toBe(false);
  });

  it('is undecided if each match scans the whole text', () => {
    // Instructions that no text comes to count, too, and take no time here.
    const long = `[a-z]*!|a|#${'b'.repeat(500)}`;
    expect(regexOf(long).findAll('a'.repeat(2_000))).toBeUndefined();
    expect(regexOf(long).findAll('a'.repeat(200))).toHaveLength(200);
    expect(regexOf('[a-z]*!|a').findAll('a'.repeat(1_000))).toHaveLength(1_000);
    expect(regexOf('[a-z]+').findAll('a b '.repeat(3_000))).toHaveLength(6_000);
  });

  it('is undecided if the result would be too long', () => {
    expect(replaced('a', 'a'.repeat(10_000), '$0'.repeat(10_000))).toBeUndefined();
  });

  it('of too many characters is not compiled', () => {
    expect(compileRegex('\\pL|'.repeat(3_000))).toEqual({ unsupported: expect.stringContaining('10000 characters') });
  });

  it('costs as much as the text that it scans', () => {
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
