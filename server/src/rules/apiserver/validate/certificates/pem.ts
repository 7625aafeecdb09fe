/** A block of PEM. `type` is what follows BEGIN. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BEGIN = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEADER = /^[^\n:]*:[^\n]*(?:\n|$)/;

/** The blocks that can be decoded; text around them does not count. Upstream: Go's encoding/pem.Decode, in a loop. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  const begin = new RegExp(BEGIN.source, BEGIN.flags);
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const type = found[1] ?? '';
    const start = begin.lastIndex;
    const end = endOf(text, type, start);
    const body = end === undefined ? undefined : bodyOf(text.slice(start, end.at));
    // A block that cannot be decoded ends where its first line does, and its last line may begin another.
    begin.lastIndex = body === undefined ? start - 1 : (end?.after ?? start);
    if (body !== undefined) blocks.push({ type, ...body });
  }
  return blocks;
}

/** Where the body ends, and where the text after the block begins. */
function endOf(text: string, type: string, from: number): { readonly at: number; readonly after: number } | undefined {
  const mark = text.indexOf('-----END ', from);
  if (mark < 0 || (mark > from && text[mark - 1] !== '\n')) return undefined;
  const close = `-----END ${type}-----`;
  if (!text.startsWith(close, mark)) return undefined;
  const line = /^[ \t\r]*(?:\n|$)/.exec(text.slice(mark + close.length));
  // The line break also begins the next block.
  return line === null ? undefined : { at: mark, after: mark + close.length + line[0].length - 1 };
}

function bodyOf(text: string): Omit<PemBlock, 'type'> | undefined {
  let rest = text;
  let hasHeaders = false;
  for (let header = HEADER.exec(rest); header !== null; header = HEADER.exec(rest)) {
    hasHeaders = true;
    rest = rest.slice(header[0].length);
  }
  const base64 = rest.replace(/[\s]/g, '');
  return BASE64.test(base64) ? { hasHeaders, bytes: new Uint8Array(Buffer.from(base64, 'base64')) } : undefined;
}
