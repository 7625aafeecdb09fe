const MEMORY_SECTION = 5;
const PAGE = 65536;

/**
 * Gives a WebAssembly module's memory a maximum. Go's linker writes none, so that a policy could take 4 GiB; with one, the
 * memory fails to grow, Go ends the program, and the worker is started again. It has `initial` bytes from the start: what
 * was never written takes no memory, and each growth takes V8 some milliseconds. Throws for a module of another shape.
 */
export function limitMemory(wasm, { initial, maximum }) {
  for (let at = 8; at < wasm.length; ) {
    const [size, body] = readNumber(wasm, at + 1);
    if (wasm[at] === MEMORY_SECTION) {
      const [count, limits] = readNumber(wasm, body);
      const [minimum] = readNumber(wasm, limits + 1);
      if (count !== 1 || wasm[limits] !== 0) throw new Error("the module's memory already has a maximum");
      const pages = Math.max(minimum, initial / PAGE);
      const section = [1, 1, ...writtenNumber(pages), ...writtenNumber(maximum / PAGE)];
      const bytes = Buffer.from([MEMORY_SECTION, ...writtenNumber(section.length), ...section]);
      return Buffer.concat([wasm.subarray(0, at), bytes, wasm.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error('the module has no memory');
}

/** A number of WebAssembly's own form (LEB128), and where the next thing starts. */
function readNumber(bytes, start) {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    value |= (bytes[at] & 0x7f) << shift;
    if ((bytes[at] & 0x80) === 0) return [value >>> 0, at + 1];
  }
}

function writtenNumber(number) {
  const bytes = [];
  let rest = number;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}
