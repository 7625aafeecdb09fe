/** Whether a text is padded base64. Checked without backtracking, which overflows the stack for megabytes of text. */
export function isPaddedBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding));
}
