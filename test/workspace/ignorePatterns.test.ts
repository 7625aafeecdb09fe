import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { ignorePatterns } from '../../server/src/workspace/ignorePatterns';
import { randomFrom } from '../support/random';
import { sizedFor } from '../support/thorough';

const verdict = (text: string, path: string, kind: 'file' | 'folder' = 'file') =>
  ignorePatterns(text).verdictOn(path, kind);

describe('patterns of ignore files', () => {
  test.each([
    ['a.yaml', 'b/a.yaml', 'ignored'],
    ['/a.yaml', 'b/a.yaml', undefined],
    ['b/a.yaml', 'b/a.yaml', 'ignored'],
    ['b/a.yaml', 'c/b/a.yaml', undefined],
    ['b/', 'b', undefined],
    ['b/', 'b/a.yaml', 'ignored'],
    ['B/', 'b/A.yaml', 'ignored'],
    ['*.yaml\n!a.yaml', 'a.yaml', 'included'],
    ['b\n!b/a.yaml', 'b/a.yaml', 'ignored'],
    ['b/*\n!b/a.yaml', 'b/a.yaml', 'included'],
    ['**/c/*.yaml', 'c/a.yaml', 'ignored'],
    ['b/**/a.yaml', 'b/a.yaml', 'ignored'],
    ['b/**/a.yaml', 'b/c/d/a.yaml', 'ignored'],
    ['b/**', 'b', undefined],
    ['b/**', 'b/c', 'ignored'],
    ['[a-c].[!x]aml', 'b.yaml', 'ignored'],
    ['[[:digit:]]?.yaml', '1a.yaml', 'ignored'],
    ['[a.yaml', '[a.yaml', undefined],
    ['\\!a.yaml', '!a.yaml', 'ignored'],
    ['\\#a.yaml  ', '#a.yaml', 'ignored'],
    ['# a.yaml', '# a.yaml', undefined],
  ] as const)('%j says of %s: %s', (text, path, wanted) => expect(verdict(text, path)).toBe(wanted));

  test('mean what a library makes of them', () => {
    const pick = randomFrom(11);
    const piece = (): string =>
      ['a', 'b', '*', '?', '/', '**/', '/**', '/**/', '[ab]', '[!a]', '[a-b]', '!', '\\*', '.'][pick(14)]!;
    const line = (): string => Array.from({ length: 1 + pick(5) }, piece).join('');
    const step = (): string => Array.from({ length: 1 + pick(2) }, () => 'abB.*'[pick(5)]).join('');
    const isStrange = (it: string): boolean => /^\.{1,2}$/.test(it);
    const others: unknown[] = [];
    for (let i = 0; i < sizedFor({ thorough: 20_000, quick: 4_000 }); i++) {
      const text = Array.from({ length: 1 + pick(3) }, line).join('\n');
      const steps = Array.from({ length: 1 + pick(4) }, step);
      // Paths without names, and patterns with empty steps, of which git and the library make something else.
      if (steps.some(isStrange) || /\/\/|^!?!|^!?\/*$/m.test(text)) continue;
      const path = steps.join('/');
      const kind = pick(2) === 0 ? 'file' : 'folder';
      const { ignored, unignored } = ignore()
        .add(text)
        .test(kind === 'folder' ? `${path}/` : path);
      const wanted = ignored ? 'ignored' : unignored ? 'included' : undefined;
      const found = verdict(text, path, kind);
      if (found !== wanted) others.push({ text, path, kind, found, wanted });
    }
    expect(others).toEqual([]);
  });

  test('of any length and number take no time', () => {
    const deep = `${'a/'.repeat(400)}c.yaml`;
    expect(verdict(`${'**/a/'.repeat(60)}b`, deep)).toBeUndefined();
    expect(verdict('*[ab]'.repeat(100), `${'a'.repeat(250)}.yaml`)).toBeUndefined();
    expect(verdict('*a'.repeat(500_000), 'a.yaml')).toBeUndefined();
    const many = ignorePatterns(Array.from({ length: 80_000 }, (_, i) => `pattern${i}\n`).join(''));
    const found = Array.from({ length: 20_000 }, (_, i) => many.verdictOn(`b/pattern${i}`, 'file'));
    expect(new Set(found)).toEqual(new Set(['ignored']));
  });
});
