/**
 * Texts concatenated into one flat string. A string from `+` or a template refers to its parts in V8, which takes several times
 * as much memory for tens of thousands of keys.
 */
export function joined(...parts: readonly string[]): string {
  return parts.join('');
}
