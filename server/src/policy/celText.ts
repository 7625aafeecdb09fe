/** The offset in UTF-16 units of an offset that counts code points, as CEL's positions do. */
export function codePointOffset(text: string, codePoints: number): number {
  let offset = 0;
  for (let i = 0; i < codePoints && offset < text.length; i++)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  return offset;
}

/** How much of a text to underline from an offset on: a name or a number with what leads to it, else one character. */
export function wordAt(text: string, offset: number): number {
  return /^\.?\w+/.exec(text.slice(offset))?.[0].length ?? 1;
}
