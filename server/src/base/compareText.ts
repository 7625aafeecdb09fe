/** Compares by code unit, which for ASCII names is the order of Go's string comparison. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
