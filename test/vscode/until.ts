/** Polls until the condition gives something; the only way in which these tests wait. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  milliseconds = 120_000,
): Promise<NonNullable<T>> {
  for (const start = Date.now(); Date.now() - start < milliseconds; ) {
    const value = await condition();
    if (value) return value;
    await new Promise(done => setTimeout(done, 100));
  }
  throw new Error(`${what}: not within ${milliseconds} ms`);
}
