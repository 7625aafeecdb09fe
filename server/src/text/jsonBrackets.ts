/** A bracket or brace in a text, and where it is. */
export interface Bracket {
  readonly bracket: string;
  readonly at: number;
}

const STRING_OR_BRACKET = /"(?:[^"\\\n]|\\.)*("?)|[{}[\]]/g;

/**
 * The brackets and braces of JSON from a place on that are in no string. A string that is not closed in its line is none: what
 * looks like strings behind its escaped quotes ends nowhere either, so that the line is read once.
 */
export function* jsonBrackets(text: string, from = 0): Generator<Bracket, void> {
  const tokens = new RegExp(STRING_OR_BRACKET.source, STRING_OR_BRACKET.flags);
  tokens.lastIndex = from;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [found, quote] = token;
    if (quote === '"') continue;
    for (const { 0: bracket, index } of found.matchAll(/[{}[\]]/g)) yield { bracket, at: token.index + index };
  }
}
