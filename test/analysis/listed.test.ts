import { describe, expect, test } from 'vitest';
import { countOf, listedInEditor, listedProblems } from '../../server/src/analysis/diagnostics/listed';
import type { Problem } from '../../server/src/rules/framework/problem';

const problem = (code: string, at: number, fields: Partial<Problem> = {}): Problem => ({
  code,
  category: 'apiserver',
  severity: 'error',
  message: `${code} ${at}`,
  uri: 'file:///a.yaml',
  span: { start: at, end: at + 1 },
  related: [],
  fixes: [],
  ...fields,
});
const many = (code: string, count: number, fields: Partial<Problem> = {}): readonly Problem[] =>
  Array.from({ length: count }, (_, i) => problem(code, i, fields));
const shown = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ message, more }) => (more === undefined ? message : `${message} +${more}`));

describe('listed problems', () => {
  test('are the first of each code, and the last of them counts the others', () => {
    expect(shown(listedProblems([...many('a', 5), ...many('b', 2), ...many('a', 1)], 2))).toEqual([
      'a 0',
      'a 1 +4',
      'b 0',
      'b 1',
    ]);
  });

  test('are counted separately by later filters', () => {
    const all = [
      ...many('a', 2),
      ...many('a', 3, { severity: 'warning' }),
      ...many('a', 4, { follows: true }),
      ...many('a', 5, { suppressed: { by: 'comment', reason: 'x' } }),
    ];
    expect(listedProblems(all, 1).map(it => it.more)).toEqual([1, 2, 3, 4]);
  });

  test('include earlier counts', () => {
    const listed = listedProblems([...many('a', 2), problem('a', 2, { more: 40 })], 1);
    expect([shown(listed), countOf(listed)]).toEqual([['a 0 +42'], 43]);
  });

  test('are at most 10,000 per file, unless more of a code are asked for, and all are counted', () => {
    const all = Array.from({ length: 30 }, (_, i) => many(`code-${i}`, 400)).flat();
    const listed = listedProblems(all, 1_000);
    expect([listed.length, new Set(listed.map(it => it.code)).size, countOf(listed)]).toEqual([6_000, 30, 12_000]);
    expect(listedProblems(all, 12_000)).toEqual(all);
  });

  test('are at most 1,000 per file in an editor, and all are counted', () => {
    const all = Array.from({ length: 30 }, (_, i) => many(`code-${i}`, 400)).flat();
    const listed = listedInEditor(all);
    expect(listed.length).toBeLessThanOrEqual(1_000);
    expect(new Set(listed.map(it => it.code)).size).toBe(30);
    expect(countOf(listed)).toBe(12_000);
  });
});
