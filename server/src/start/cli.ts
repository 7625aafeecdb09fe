import { setFlagsFromString } from 'node:v8';
import { launch } from './launch';
import { purposeOf } from './purposes';

/** From here on V8 gives new objects up to 128 MB, four times as much as before. */
const GENEROUS_V8 = 13;

const purpose = purposeOf(process.argv[2]);
// A check of 1 MB would fill that. With what new objects have at the start it holds half as much, and takes a tenth longer.
// V8 accepts a code cache only under the same flags, so this comes before its code is read.
if (purpose === 'check' && Number.parseInt(process.versions.v8, 10) >= GENEROUS_V8)
  setFlagsFromString('--semi-space-growth-factor=1');
const { cli } = launch(__dirname, 'main', { purpose }) as { readonly cli: () => { readonly main: () => void } };
cli().main();
