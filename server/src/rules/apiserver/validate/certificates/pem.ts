/** A block of PEM. `type` is what follows BEGIN. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const BEGIN = /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t\r]*(?:\n|$)/g;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const OTHER = /[^A-Za-z0-9+/=\s]/;
const HEADER = /[^\n:]*:[^\n]*(?:\n|$)/y;

/** The blocks that can be decoded; text around them does not count. Upstream: Go's encoding/pem.Decode, in a loop. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  const begin = new RegExp(BEGIN.source, BEGIN.flags);
  const nextEnd = forwards(from => text.indexOf('-----END ', from));
  const nextBody = forwards(from => bodyStart(text, from));
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const type = found[1] ?? '';
    const start = begin.lastIndex;
    const end = endOf(text, type, start, nextEnd(start));
    const body = end === undefined ? undefined : bodyOf(text, start, Math.min(nextBody(start), end.at), end.at);
    // A block that cannot be decoded ends where its first line does, and its last line may begin another.
    begin.lastIndex = body === undefined ? start - 1 : (end?.after ?? start);
    if (body !== undefined) blocks.push({ type, ...body });
  }
  return blocks;
}

/**
 * A search that is asked from ever later places: as long as what was found last is not before a place, it is found from there,
 * too. Any number of blocks may look for the same end. -1: there is none, from there on either.
 */
function forwards(find: (from: number) => number): (from: number) => number {
  let last: number | undefined;
  return from => {
    last = last === undefined || (last !== -1 && last < from) ? find(from) : last;
    return last;
  };
}

/** Where the body ends, at a mark from a place on, and where the text after the block begins. */
function endOf(
  text: string,
  type: string,
  from: number,
  mark: number,
): { readonly at: number; readonly after: number } | undefined {
  if (mark < 0 || (mark > from && text[mark - 1] !== '\n')) return undefined;
  const close = `-----END ${type}-----`;
  if (!text.startsWith(close, mark)) return undefined;
  const line = /^[ \t\r]*(?:\n|$)/.exec(text.slice(mark + close.length));
  // The line break also begins the next block.
  return line === null ? undefined : { at: mark, after: mark + close.length + line[0].length - 1 };
}

/** Where the first line begins that is no header. */
function bodyStart(text: string, from: number): number {
  const header = new RegExp(HEADER.source, HEADER.flags);
  let at = from;
  for (header.lastIndex = at; header.test(text); header.lastIndex = at) at = header.lastIndex;
  return at;
}

function bodyOf(text: string, start: number, body: number, end: number): Omit<PemBlock, 'type'> | undefined {
  const rest = text.slice(body, end);
  // Many blocks may begin in one that cannot be decoded: this ends at the first character that is wrong.
  if (OTHER.test(rest)) return undefined;
  const base64 = rest.replace(/[\s]/g, '');
  return BASE64.test(base64)
    ? { hasHeaders: body > start, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }
    : undefined;
}
