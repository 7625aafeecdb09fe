import { byteLength } from '../../../base/byteLength';
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

/** The number of bytes that a token of bytes stands for; undefined if it has an escape of a character. */
export function bytesSize(token: string): number | undefined {
  const isRaw = /^.[rR]/.test(token);
  const text = stringValue(`r${token.slice(isRaw ? 2 : 1)}`);
  const escapes = isRaw ? [] : (text.match(ESCAPES) ?? []);
  if (escapes.some(it => /^\\[uU]/.test(it))) return undefined;
  return byteLength(isRaw ? text : text.replace(ESCAPES, '')) + escapes.length;
}

const ESCAPES = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gs;

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
