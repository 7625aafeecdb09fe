import { launch } from './launch';

const { checkHere } = launch(__dirname, 'cliMain', { purpose: 'check', over: 'never' }) as {
  readonly checkHere: () => void;
};
checkHere();
