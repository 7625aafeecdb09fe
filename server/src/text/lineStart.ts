/** The offset at which the line of an offset begins; only `\n` ends a line. */
export function lineStart(text: string, offset: number): number {
  // `lastIndexOf` takes a negative position for 0, and would find a break at the offset itself.
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset at which the line of an offset begins, if a lone `\r` ends a line, too. */
export function lineStartAfterAnyBreak(text: string, offset: number): number {
  return offset === 0 ? 0 : Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
