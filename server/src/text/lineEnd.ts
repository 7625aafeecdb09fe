/** The offset at which the line of an offset ends, before its break; only `\n` ends a line. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
