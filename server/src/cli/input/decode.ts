export interface Decoded {
  readonly text: string;
  /** Why the text is not what the bytes say, when it is not. */
  readonly problem?: string;
}

/** Reads bytes as YAML does: UTF-16 when a byte order mark says so, else UTF-8. The mark is not part of the text. */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? { text, problem: 'The file is binary, neither YAML nor JSON.' } : { text };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    return { text, problem: `The file is not valid ${encoding.toUpperCase()}.` };
  }
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
