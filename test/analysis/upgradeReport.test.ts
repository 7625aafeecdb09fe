import { expect, test } from 'vitest';
import { markInWords } from '../../server/src/analysis/upgradeReport';

test.each([
  [undefined, 'After the upgrade to 1.37: it panics (since 1.35)'],
  ['1.36', 'On the way to 1.37: it panics (from 1.35 until 1.36)'],
])('a change that ends with %s is a problem of the editor in words', (until, words) => {
  const change = { change: 'known-issue', since: '1.35', message: 'it panics', ...(until && { until }) } as const;
  expect(markInWords(change, '1.37')).toBe(words);
});
