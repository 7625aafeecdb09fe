import { setFlagsFromString } from 'node:v8';
import { launch } from './launch';

/** How much the heap may grow beyond the live objects before the next garbage collection. */
const GROWTH_PERCENT = 50;

// V8 accepts a code cache only under the same flags, so all flags of the server are set before its code is read.
// `lsp/main` uses the function that the second flag creates to collect garbage once.
setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
setFlagsFromString('--expose-gc');
const { server } = launch(__dirname, 'main', { purpose: 'lsp', over: 3_000 }) as { readonly server: () => void };
server();
