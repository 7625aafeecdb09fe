/**
 * The longest end of a text whose characters all match. `/[ab]*$/` finds the same, but tries it from each character on, which
 * is quadratic where a long run is followed by something else.
 */
export function runAtEnd(text: string, character: RegExp): string {
  let start = text.length;
  while (start > 0 && character.test(text[start - 1]!)) start -= 1;
  return text.slice(start);
}
