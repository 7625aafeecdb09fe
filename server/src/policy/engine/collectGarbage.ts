import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has V8 look for garbage in the whole heap now. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
