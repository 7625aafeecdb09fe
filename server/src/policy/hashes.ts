/** Node's module, loaded with the first digest: loading it takes milliseconds of the start. */
const crypto = (): typeof import('node:crypto') => require('node:crypto');

/** The digest of the text's UTF-8 bytes, in lower-case hex. */
const digestBy =
  (algorithm: 'md5' | 'sha1' | 'sha256') =>
  (text: string): string =>
    crypto().createHash(algorithm).update(text, 'utf8').digest('hex');

export const md5 = digestBy('md5');
export const sha1 = digestBy('sha1');
export const sha256 = digestBy('sha256');
