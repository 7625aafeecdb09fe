/** Code unit order, the order of Go's string comparison for ASCII names. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
