import { join } from 'node:path';
import { transpile } from '../../tools/transpile.mjs';

/** Before the tests: the sources as modules that they import. */
export const setup = () => transpile(join(import.meta.dirname, '../..'));
