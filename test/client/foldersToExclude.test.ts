import { describe, expect, test } from 'vitest';
import { foldersToExclude, withIgnored } from '../../client/src/foldersToExclude';

describe('folders that one may want to exclude', () => {
  test('the outermost folder that is not deployed, else the first; most problems first', () => {
    const files = [
      ['web.yaml', 7],
      ['deploy/prod/web.yaml', 1],
      ['deploy/stage/web.yaml', 2],
      ['pkg/parser/testdata/a/bad.yaml', 40],
      ['pkg/parser/testdata/b/bad.yaml', 2],
      ['Examples/a.yaml', 3],
    ] as const;
    expect(foldersToExclude(files)).toEqual([
      { path: 'pkg/parser/testdata', problems: 42, isSuggested: true },
      { path: 'deploy', problems: 3, isSuggested: false },
      { path: 'Examples', problems: 3, isSuggested: true },
    ]);
  });

  test.each([
    ['', ['a'], '/a/\n'],
    ['/b/', ['a'], '/b/\n/a/\n'],
    ['/a/\n', ['a'], '/a/\n'],
    ['', ['a b/[c]'], '/a\\ b/\\[c\\]/\n'],
  ])('%j with %j is written as %j', (text, paths, expected) => {
    expect(withIgnored(text, paths)).toBe(expected);
  });
});
