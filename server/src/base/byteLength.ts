/** The length of a text in UTF-8 bytes, which is Go's `len` of a string. */
export function byteLength(value: string): number {
  let bytes = value.length;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x80) continue;
    // A pair of surrogates takes four bytes; a lone surrogate is written as U+FFFD, which takes three.
    const isPaired = unit >= 0xd800 && unit < 0xdc00 && (value.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPaired) i++;
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}
