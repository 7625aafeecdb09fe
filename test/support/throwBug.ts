/** For `onBug` of an analysis: what it would log and go on after fails a test. */
export function throwBug(code: string, error: unknown): never {
  throw new Error(`${code}: ${String(error)}`);
}
