import { launch } from './launch';

const [, , verb = ''] = process.argv;
const purpose = /^[a-z-]{1,20}$/.test(verb) ? verb : 'other';
const { main } = launch(__dirname, 'cliMain', { purpose }) as { readonly main: () => void };
main();
