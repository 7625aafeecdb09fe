// Brotli's best quality for what is packed: a tenth smaller and some minutes slower than what a build for development
// takes, so what it made is kept in the user's cache folder by a hash of what went in.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync, constants } from 'node:zlib';
import { brotli } from './brotli.mjs';
import { cacheFolder } from './run.mjs';

/** Compresses a file of Brotli's once more, as small as can be, in its place. */
export function compressAgain(file) {
  const before = readFileSync(file);
  const folder = join(cacheFolder(), 'smallest');
  const kept = join(folder, `${createHash('sha256').update(before).digest('hex').slice(0, 24)}.br`);
  if (!existsSync(kept)) {
    console.log(`${basename(file)}: compressing for the package; the first time this takes some minutes`);
    mkdirSync(folder, { recursive: true });
    // Two builds may go on at once.
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, brotli(brotliDecompressSync(before), constants.BROTLI_MAX_QUALITY));
    renameSync(unfinished, kept);
  }
  copyFileSync(kept, file);
}
