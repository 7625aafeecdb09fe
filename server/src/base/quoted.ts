/** A name in double quotes, as Go's %q prints it. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
