import { launch } from './launch';

const [, , verb = ''] = process.argv;
const purpose = /^[a-z-]{1,20}$/.test(verb) ? verb : 'other';
const { cli } = launch(__dirname, 'main', { purpose }) as { readonly cli: () => { readonly main: () => void } };
cli().main();
