import { setFlagsFromString } from 'node:v8';
import { launch } from './launch';
import { purposeOf } from './purposes';

/** V8 has 1 MB for new objects at first. By the usual factor it grows so slowly that a start collects garbage five times. */
const START_GROWTH = 8;
const USUAL_GROWTH = 2;

/** From here on V8 gives new objects up to 128 MB, four times as much as before. */
const GENEROUS_V8 = 13;

const purpose = purposeOf(process.argv[2]);
setGrowth(START_GROWTH);
const { cli } = launch(__dirname, 'main', { purpose }) as { readonly cli: () => { readonly main: () => void } };
// A check of 1 MB would fill what is generous. With what new objects have after the start it holds half as much.
const isBounded = purpose === 'check' && Number.parseInt(process.versions.v8, 10) >= GENEROUS_V8;
setGrowth(isBounded ? 1 : USUAL_GROWTH);
// V8 accepts a code cache only under the flags that it was created under.
process.prependOnceListener('exit', () => setGrowth(START_GROWTH));
cli().main();

/** The factor by which the room for new objects grows. */
function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
