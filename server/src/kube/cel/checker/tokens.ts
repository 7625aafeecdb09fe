import { CelSyntaxError } from './nodes';

export type TokenKind = 'string' | 'bytes' | 'float' | 'uint' | 'int' | 'ident' | 'escaped' | 'op' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const STRING = [
  `[rR]"""[^]*?"""`,
  `[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
].join('|');
const SPACE = String.raw`[\t \r\n\f]+|//[^\n]*`;
const FLOAT = String.raw`\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?`;
const UINT = '0x[0-9a-fA-F]+[uU]|\\d+[uU]';
const INT = '0x[0-9a-fA-F]+|\\d+';
const IDENT = '[A-Za-z_][A-Za-z0-9_]*';
const ESCAPED = '`[A-Za-z0-9_.\\-/ ]+`';
const OP = String.raw`==|!=|<=|>=|&&|\|\||[\[\]{}().,\-!?:+*/%<>]`;
const GROUPS = [SPACE, `[bB](?:${STRING})`, STRING, FLOAT, UINT, INT, IDENT, ESCAPED, OP];
const KINDS: readonly TokenKind[] = ['bytes', 'string', 'float', 'uint', 'int', 'ident', 'escaped', 'op'];

/** The tokens of an expression, and one for its end. Upstream: cel-go's grammar CEL.g4. */
export function tokensOf(text: string): readonly Token[] {
  const pattern = new RegExp(GROUPS.map(it => `(${it})`).join('|'), 'y');
  const tokens: Token[] = [];
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const rest = letter === '"' || letter === "'" ? (/^[^\n\r]*/.exec(text.slice(at))?.[0] ?? letter) : letter;
      throw new CelSyntaxError(at, `Syntax error: token recognition error at: '${rest}'`);
    }
    if (found[1] !== undefined) continue;
    const kind = KINDS.find((_, i) => found[i + 2] !== undefined) ?? 'op';
    tokens.push({ kind, text: found[0], at });
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: text.length });
  return tokens;
}

const LETTERS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The value of a string token. Upstream: parser.unescape. */
export function stringValue(token: string): string {
  const isRaw = /^[rR]/.test(token);
  const quoted = isRaw ? token.slice(1) : token;
  const width = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(width, -width);
  if (isRaw || !inner.includes('\\')) return inner;
  return inner.replace(ESCAPES, (_, byte, short, long, octal, letter) => {
    const hex = byte ?? short ?? long;
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16));
    return octal === undefined ? (LETTERS[letter] ?? letter) : codePoint(Number.parseInt(octal, 8));
  });
}

/** The bytes that a token of bytes stands for; undefined if it has an escape of a character. */
export function bytesValue(token: string): Uint8Array | undefined {
  const isRaw = /^.[rR]/.test(token);
  const text = stringValue(`r${token.slice(isRaw ? 2 : 1)}`);
  if (isRaw) return Buffer.from(text);
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { 0: whole, 1: byte, 2: short, 3: long, 4: octal, 5: letter = '', index } of text.matchAll(ESCAPES)) {
    if (short !== undefined || long !== undefined) return undefined;
    const code = byte === undefined ? octal && Number.parseInt(octal, 8) : Number.parseInt(byte, 16);
    parts.push(Buffer.from(text.slice(end, index)));
    parts.push(typeof code === 'number' ? Buffer.of(code) : Buffer.from(LETTERS[letter] ?? letter));
    end = index + whole.length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(end))]);
}

const ESCAPES = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gs;

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
