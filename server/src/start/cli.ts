import { launch } from './launch';
import { purposeOf } from './purposes';

const purpose = purposeOf(process.argv[2]);
const { cli } = launch(__dirname, 'main', { purpose }) as { readonly cli: () => { readonly main: () => void } };
cli().main();
