/** A text in double quotes, as Go's `%q` prints a name. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
