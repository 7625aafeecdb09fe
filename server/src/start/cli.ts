import { launch } from './launch';

const [, , verb = ''] = process.argv;
launch(__dirname, 'cliMain', { purpose: /^[a-z-]{1,20}$/.test(verb) ? verb : 'other' });
