/** The offset in UTF-16 units of an offset that counts code points, as CEL's positions do. */
export function codePointOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let i = 0; i < codePoints && offset < text.length; i++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/**
 * What to underline for a place that CEL names: a name or a number with the dot before it, an operator, and for a
 * parenthesis, which is where CEL sees calls, the name of what is called.
 */
export function wordAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const called = text[offset] === '(' ? (/\w+$/.exec(text.slice(0, offset))?.[0].length ?? 0) : 0;
  const length = /^(?:\.?\??\w+|[=!<>]=|&&|\|\|)/.exec(text.slice(offset))?.[0].length ?? 1;
  return called > 0 ? { start: offset - called, end: offset } : { start: offset, end: offset + length };
}
