import { describe, expect, test } from 'vitest';
import { movedThrough } from '../../server/src/text/moved';

/** The position of a word in the edited text; undefined if it is gone. */
function wordAfter(before: string, after: string, word: string): string | undefined {
  const start = before.indexOf(word);
  const span = movedThrough(before, after)({ start, end: start + word.length });
  return span && after.slice(span.start, span.end);
}

describe('spans move with the text around a change', () => {
  test.each([
    ['before it', 'one two three', 'one two and three', 'one', 'one'],
    ['behind it', 'one two three', 'one or two three', 'three', 'three'],
    ['behind a removal', 'one two three', 'one three', 'three', 'three'],
    ['inside it', 'one two three', 'one 2 three', 'two', undefined],
    ['where nothing changed', 'one two', 'one two', 'two', 'two'],
    ['where a line is doubled', 'a\na\nb', 'a\na\na\nb', 'b', 'b'],
    ['in a text that is gone', 'one', '', 'one', undefined],
  ])('%s', (_name, before, after, word, expected) => {
    expect(wordAfter(before, after, word)).toBe(expected);
  });
});
