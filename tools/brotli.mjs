import { brotliCompressSync, constants } from 'node:zlib';

/** Compresses bytes with Brotli at a quality of 0 to 11, with the largest window that every decoder takes. */
export function brotli(bytes, quality) {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
