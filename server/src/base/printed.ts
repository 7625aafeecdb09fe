/**
 * What `String` gives for a text, a number, a boolean, null or undefined; a list or an object as JSON. For values that come
 * from JSON: `String` itself asks an object for its `toString`, and throws where somebody wrote a key of that name.
 */
export function printed(value: unknown): string {
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value);
}

/** What `JSON.stringify` gives, with integers that only a bigint holds as texts: it throws at them. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // Looking at each value takes several times as long, and few files hold such an integer.
    return JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? String(it) : it));
  }
}

/** What `Number` gives, and NaN for a list or an object, whose own `valueOf` and `toString` are not asked. */
export function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}
