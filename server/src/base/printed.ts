/**
 * A value of parsed JSON as text: a list or an object as JSON, anything else as `String` gives it. `String` itself is not safe
 * for objects: it calls their `toString`, and throws for an object that has a key of that name.
 */
export function printed(value: unknown): string {
  return typeof value === 'object' && value !== null ? jsonText(value) : String(value);
}

/** JSON as `JSON.stringify` gives it, with each bigint as a string: `JSON.stringify` throws at a bigint. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    // A replacer makes this several times slower, and few files hold such an integer.
    return JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? String(it) : it));
  }
}

/** A value as `Number` gives it, but NaN for a list or an object, whose own `valueOf` and `toString` are not called. */
export function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}
