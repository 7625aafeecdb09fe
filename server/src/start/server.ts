import { launch } from './launch';

launch(__dirname, 'serverMain', { purpose: 'lsp', over: 3_000 });
