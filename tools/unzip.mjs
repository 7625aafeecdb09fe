// Unpacks an archive: the toolchain of Go while building, the packed extension in tests.
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

/**
 * Writes the files of a zip into a folder. yauzl refuses names that lead out of it.
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} placeOf Where a file goes below the folder; undefined leaves it out.
 */
export async function unzip(archive, folder, placeOf = name => name) {
  const zip = await yauzl.openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      const place = entry.fileName.endsWith('/') ? undefined : placeOf(entry.fileName);
      if (place === undefined) continue;
      const file = join(folder, place);
      mkdirSync(dirname(file), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file));
    }
  } finally {
    zip.close();
  }
}
