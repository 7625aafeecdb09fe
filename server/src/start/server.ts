import { setFlagsFromString } from 'node:v8';
import { launch } from './launch';

// V8 takes only what it kept under the same flags, and these are the ones that the server sets while it runs (`lsp/main`).
setFlagsFromString('--heap-growing-percent=50');
setFlagsFromString('--expose-gc');
launch(__dirname, 'serverMain', { purpose: 'lsp', over: 3_000 });
