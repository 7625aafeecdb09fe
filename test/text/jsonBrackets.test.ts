import { describe, expect, test } from 'vitest';
import { jsonBrackets } from '../../server/src/text/jsonBrackets';
import { randomFrom } from '../support/random';

const bracketsIn = (text: string): string => [...jsonBrackets(text)].map(it => `${it.bracket}${it.at}`).join(' ');

describe('brackets of JSON', () => {
  test('are those in no string; a string that its line does not close is none', () => {
    expect(bracketsIn('{"a": "}", "b": ["\\"]"]}')).toBe('{0 [16 ]22 }23');
    expect(bracketsIn('{"a}\n{"b": 1}')).toBe('{0 }3 {5 }12');
    expect(bracketsIn('{"\\"}" {"\\"[')).toBe('{0 {7 [11');
  });

  test('are those that a pattern finds which tries each quote', () => {
    const pattern = /"(?:[^"\\\n]|\\.)*"|[{}[\]]/g;
    const pick = randomFrom(7);
    const wrong: unknown[] = [];
    for (let i = 0; i < 5_000; i++) {
      const text = Array.from({ length: pick(12) }, () => '""\\\\{}[]a\n'[pick(10)]).join('');
      const wanted = [...text.matchAll(pattern)].filter(it => !it[0].startsWith('"')).map(it => `${it[0]}${it.index}`);
      const found = bracketsIn(text);
      if (found !== wanted.join(' ')) wrong.push({ text, found, wanted });
    }
    expect(wrong).toEqual([]);
  });
});
