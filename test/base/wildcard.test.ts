import { describe, expect, it } from 'vitest';
import { matchesWildcard } from '../../server/src/base/wildcard';
import { randomFrom } from '../support/random';

const word = (random: (below: number) => number, letters: string, length: number): string =>
  Array.from({ length: random(length) }, () => letters[random(letters.length)]).join('');

describe('wildcards', () => {
  it('match as the regular expression they stand for', () => {
    const random = randomFrom(7);
    const wrong: unknown[] = [];
    for (let i = 0; i < 5000; i++) {
      const pattern = word(random, 'ab*?', 7);
      const text = word(random, 'ab', 9);
      const regex = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      if (matchesWildcard(pattern, text) !== regex.test(text)) wrong.push([pattern, text]);
    }
    expect(wrong).toEqual([]);
  });

  it('take polynomial time, unlike a backtracking matcher', () => {
    expect(matchesWildcard(`${'a*'.repeat(30)}b`, 'a'.repeat(5000))).toBe(false);
  });
});
