import { describe, expect, it } from 'vitest';
import { matches } from '../../server/src/kube/cel/collections';
import { compileRegex } from '../../server/src/kube/cel/regex';
import { hasMatch } from '../../server/src/kube/cel/regexMatch';
import { inJavaScript } from '../../server/src/kube/cel/regexSyntax';
import { regexTree } from '../../server/src/kube/cel/regexTree';

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
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$', `${'a.b-c'.repeat(400)}`, true],
];

describe('Regular expressions of RE2', () => {
  it.each(HOSTILE)('%s ends in the time of its text', (pattern, text, expected) => {
    expect(matches(text, pattern)).toBe(expected);
  });

  it('of too many states for a text are left undecided', () => {
    expect(() => matches('a'.repeat(100_000), '^(a{1,500}b?){1,30}$')).toThrow(/could take too long here/);
  });

  it('find and replace nothing where that could take too long, and do where it cannot', () => {
    const finderOf = (pattern: string, text: string) => {
      const compiled = compileRegex(pattern, 'g');
      return 'regex' in compiled ? compiled.regex.finderFor(text) : undefined;
    };
    expect(finderOf('(a+)+$', 'aaa')).toBeUndefined();
    expect(finderOf('a*a*a*b', many)).toBeUndefined();
    expect(finderOf('^(.*/)?([^:@]+)(:[^@]+)?(@.*)?$', 'registry.example.org/team/app:1.2.3')).toBeInstanceOf(RegExp);
    expect(finderOf('[a-z]+', many)).toBeInstanceOf(RegExp);
  });

  const SAMPLES = ['', 'a', 'ab', 'ba', 'abc', 'aab-b', 'x.y', 'A b\nc', 'é😀', 'aaa', '12.5', '}{', 'a]b', '^$'];
  it.each([
    'a|b',
    '^a',
    'b$',
    '(?:a|bc)+',
    '(?P<x>a)b',
    'a{2}',
    'a{2,}',
    'a{1,2}b',
    '[^a-c]',
    '[]a]',
    '[[:digit:]]+\\.\\d',
    '\\bb\\b',
    '\\Bb',
    '.{2}$',
    '^.$',
    'a??b',
    '(|a)b',
    '\\x61b',
    '\\p{L}\\pL',
    '\\A\\w+\\z',
    '}',
    '\\^\\$',
    '(?i)B',
    '(?s)b.c',
    '(?m)^c$',
    '',
  ])('%s is matched as JavaScript does, whichever way it is gone', pattern => {
    const compiled = compileRegex(pattern);
    const lead = /^\(\?[ims]+\)/.exec(pattern)?.[0] ?? '';
    const made = inJavaScript(pattern.slice(lead.length));
    if (!('regex' in compiled) || !('source' in made)) throw new Error(`${pattern} does not compile`);
    const flags = `u${lead.replace(/[^ims]/g, '')}`;
    const tree = regexTree(made.source);
    for (const text of SAMPLES) {
      expect(tree && hasMatch(tree, flags, text), JSON.stringify(text)).toBe(new RegExp(made.source, flags).test(text));
    }
  });
});
