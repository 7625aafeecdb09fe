import { setFlagsFromString } from 'node:v8';
import { launch } from './launch';

/** How much the heap may grow beyond what was live, before V8 looks for garbage again. */
const GROWTH_PERCENT = 50;

// V8 takes what it kept under the same flags alone, so that all flags of the server are set before its code is read. `lsp/main`
// has garbage looked for once by the function that the second one makes.
setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
setFlagsFromString('--expose-gc');
launch(__dirname, 'serverMain', { purpose: 'lsp', over: 3_000 });
