/** Converts an offset in code points, as CEL counts them, to UTF-16 units. */
export function codePointOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let i = 0; i < codePoints && offset < text.length; i++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/**
 * The range to underline for a CEL position: a name or a number with the dot before it, or an operator. CEL reports
 * calls at their parenthesis, so for a parenthesis it is the name of the function.
 */
export function wordAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const called = text[offset] === '(' ? (/\w+$/.exec(text.slice(0, offset))?.[0].length ?? 0) : 0;
  const length = /^(?:\.?\??\w+|[=!<>]=|&&|\|\|)/.exec(text.slice(offset))?.[0].length ?? 1;
  return called > 0 ? { start: offset - called, end: offset } : { start: offset, end: offset + length };
}
