import { describe, expect, test } from 'vitest';
import { problemChanges, problemsByPlace } from '../../server/src/analysis/upgrade/problemChanges';
import type { Problem } from '../../server/src/rules/framework/problem';

const problemOf = (message: string): Problem =>
  ({
    uri: 'a.yaml',
    document: 0,
    item: 0,
    code: 'apiserver/invalid',
    category: 'apiserver',
    severity: 'error',
    fieldPath: 'spec.rules[0]',
    span: { start: 10, end: 20 },
    message,
    fixes: [],
  }) as unknown as Problem;

/** What becomes of errors of one place and code, by the messages under each version. */
const changesOf = (...messages: readonly (readonly string[])[]): readonly string[] => {
  const steps = messages.map((it, index) => ({
    version: `1.${33 + index}`,
    problems: problemsByPlace(it.map(problemOf)),
    hidden: new Set<Problem>(),
  }));
  return problemChanges(steps).changes.map(it =>
    [it.change, it.since, ...(it.until === undefined ? [] : [`until ${it.until}`]), it.problem.message].join(' '),
  );
};

describe('several errors of one place and code', () => {
  test.each<readonly [string, readonly (readonly string[])[], readonly string[]]>([
    [
      'nothing where all stay',
      [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'b'],
      ],
      [],
    ],
    [
      'nothing where their order changes',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [],
    ],
    ['nothing where one is worded otherwise', [['a'], ['A']], []],
    ['nothing of an end where the one that stays is worded otherwise', [['a', 'b'], ['a', 'b'], ['A']], []],
    ['the one that ends, by its own words', [['a', 'b'], ['b']], ['ended 1.34 a']],
    ['the one that comes, by its own words', [['b'], ['b'], ['a', 'b']], ['refused-otherwise 1.35 a']],
    ['one that is met on the way', [[], ['a'], []], ['refused 1.34 until 1.35 a']],
    ['all that end, words for words', [['a', 'a', 'b'], ['a']], ['ended 1.34 b']],
    [
      'those in the order of the server',
      [['a'], ['b', 'c', 'a']],
      ['refused-otherwise 1.34 b', 'refused-otherwise 1.34 c'],
    ],
    ['all that end', [['a', 'b'], []], ['ended 1.34 a', 'ended 1.34 b']],
  ])('tell %s', (_, messages, wanted) => {
    expect(changesOf(...messages)).toEqual(wanted);
  });
});
