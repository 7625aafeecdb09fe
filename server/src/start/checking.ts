import { launch } from './launch';

const { cli } = launch(__dirname, 'main', { purpose: 'check', over: 'never' }) as {
  readonly cli: () => { readonly checkHere: () => void };
};
cli().checkHere();
