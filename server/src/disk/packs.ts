import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads packs of facts from the build's folder of them. The build unpacks what every start reads, and has that alone. */
export function readPackIn(folder: string): (name: string) => Uint8Array {
  return name => {
    const unpacked = join(folder, name.replace(/\.br$/, ''));
    return readFileSync(existsSync(unpacked) ? unpacked : join(folder, name));
  };
}
