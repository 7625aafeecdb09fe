import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../server/data/kubernetes');

/** Reads a generated pack of facts as the program's entries do. */
export const readPack = (name: string): Uint8Array => readFileSync(join(folder, name));
