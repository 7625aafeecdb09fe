import { launch } from './launch';

// The server's own process keeps the compiled code; this thread reads it.
const { comparing } = launch(__dirname, 'main', { purpose: 'lsp', over: 'never' }) as {
  readonly comparing: () => void;
};
comparing();
