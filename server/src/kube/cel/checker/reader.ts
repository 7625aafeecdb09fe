import type { Macros } from './macros';
import { CelSyntaxError } from './nodes';
import type { Token, TokenKind } from './tokens';

/** The tokens of an expression, and how far they are read. */
export interface TokenReader {
  readonly tokens: readonly Token[];
  readonly macros: Macros;
  index: number;
  nesting: number;
}

export function peek(reader: TokenReader, ahead = 0): Token {
  return reader.tokens[Math.min(reader.index + ahead, reader.tokens.length - 1)]!;
}

export function next(reader: TokenReader): Token {
  return reader.tokens[Math.min(reader.index++, reader.tokens.length - 1)]!;
}

export function sees(reader: TokenReader, text: string, ahead = 0): boolean {
  return peek(reader, ahead).kind === 'op' && peek(reader, ahead).text === text;
}

export function isKind(reader: TokenReader, kind: TokenKind, ahead = 0): boolean {
  return peek(reader, ahead).kind === kind;
}

export function isWord(reader: TokenReader, word: string): boolean {
  return isKind(reader, 'ident') && peek(reader).text === word;
}

export function fail(reader: TokenReader, expecting: string): never {
  const { text, at } = peek(reader);
  throw new CelSyntaxError(at, `Syntax error: mismatched input '${text}' expecting ${expecting}`);
}

export function expect(reader: TokenReader, text: string): Token {
  if (sees(reader, text)) return next(reader);
  if (!isKind(reader, 'end')) return fail(reader, `'${text}'`);
  throw new CelSyntaxError(peek(reader).at, `Syntax error: missing '${text}' at '<EOF>'`);
}

export function take(reader: TokenReader, text: string): boolean {
  if (!sees(reader, text)) return false;
  reader.index++;
  return true;
}
