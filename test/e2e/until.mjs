// The one way in which what drives the editor from outside waits for files and processes, which tell nobody of a change.

const LOOK_MILLISECONDS = 50;

/**
 * Looks again and again until a condition gives something, and resolves to that. Rejects when it gives nothing for too long.
 * @template T
 * @param {string} what What is waited for, as the error names it.
 * @param {() => T} condition
 */
export async function until(what, condition, milliseconds = 120_000) {
  for (const end = Date.now() + milliseconds; Date.now() < end; ) {
    const found = condition();
    if (found) return found;
    await new Promise(resolve => setTimeout(resolve, LOOK_MILLISECONDS));
  }
  throw new Error(`${what}: not within ${milliseconds} ms`);
}
