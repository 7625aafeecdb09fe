import { join } from 'node:path';
import { transpile } from '../../tools/transpile.mjs';

const DONE = Symbol.for('berth.transpiled');

/**
 * Before the tests: the sources as modules that they import. Each of Vitest's projects loads this module and calls it, so
 * that the process keeps what the first of them did.
 */
export const setup = () => {
  globalThis[DONE] ??= transpile(join(import.meta.dirname, '../..'));
  return globalThis[DONE].then(() => undefined);
};
