import { t } from '../../../base/l10n';
import type { Span } from '../../../text/span';
import { type BinaryOperator, type Expression, ExpressionError, type NamedPart } from './ast';

interface Token extends Span {
  readonly kind: 'integer' | 'name' | 'sign' | 'end';
  readonly text: string;
}

const TOKEN = /\s*(?:(\d+)|([A-Za-z_][A-Za-z0-9_]*)|(&&|\|\||[<>=!]=|[-+*/%<>!?:()[\],]))/y;

/** The deepest nesting that is read, of brackets and of operators. */
const DEEPEST = 500;

/** The most words and signs that are read; each takes some 100 bytes. */
const MOST_TOKENS = 100_000;

/** From the loosest to the tightest, as in CEL's grammar: operators of one level are read from the left. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/', '%'],
];

interface TokenReader {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

/** Reads an expression: the part of CEL's syntax that systems have. Throws ExpressionError. */
export function parseExpression(text: string): Expression {
  const reader: TokenReader = { tokens: tokensOf(text), at: 0, depth: 0 };
  const expression = choice(reader);
  const next = peek(reader);
  if (next.kind !== 'end') throw unexpected(next);
  return expression;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [, integer, name, sign] = match;
    const end = TOKEN.lastIndex;
    if (tokens.length === MOST_TOKENS)
      throw new ExpressionError(t('an expression has at most 100,000 words and signs'), { start: end - 1, end });
    const token = integer ?? name ?? sign ?? '';
    tokens.push({
      kind: integer !== undefined ? 'integer' : name !== undefined ? 'name' : 'sign',
      text: token,
      start: end - token.length,
      end,
    });
  }
  const last = tokens.at(-1)?.end ?? 0;
  const rest = text.slice(last);
  const left = rest.trimStart();
  const at = last + rest.length - left.length;
  if (left !== '') throw new ExpressionError(t`"${left[0]}" has no meaning here`, { start: at, end: at + 1 });
  return [...tokens, { kind: 'end', text: '', start: last, end: text.length }];
}

const peek = ({ tokens, at }: TokenReader): Token => tokens[at]!;

function take(reader: TokenReader): Token {
  const token = peek(reader);
  if (token.kind !== 'end') reader.at++;
  return token;
}

function expectSign(reader: TokenReader, sign: string): Token {
  const token = peek(reader);
  if (token.text !== sign || token.kind !== 'sign') throw unexpected(token, `"${sign}"`);
  return take(reader);
}

const endsEarly = (wanted: string | undefined): string =>
  wanted === undefined ? t('the expression ends too early') : t`the expression ends where ${wanted} must be`;

const standsWrong = (text: string, wanted: string | undefined): string =>
  wanted === undefined ? t`"${text}" stands where it cannot` : t`"${text}" stands where ${wanted} must be`;

function unexpected({ kind, text, start, end }: Token, wanted?: string): ExpressionError {
  return new ExpressionError(kind === 'end' ? endsEarly(wanted) : standsWrong(text, wanted), { start, end });
}

function choice(reader: TokenReader): Expression {
  return deeper(reader, () => {
    const condition = binary(reader, 0);
    if (peek(reader).text !== '?') return condition;
    take(reader);
    const yes = choice(reader);
    expectSign(reader, ':');
    const no = choice(reader);
    return { kind: 'choice', condition, yes, no, start: condition.start, end: no.end };
  });
}

function deeper<T>(reader: TokenReader, read: () => T): T {
  if (++reader.depth > DEEPEST) {
    throw new ExpressionError(t`this is nested more than ${DEEPEST} levels deep`, peek(reader));
  }
  const result = read();
  reader.depth--;
  return result;
}

function binary(reader: TokenReader, level: number): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return unary(reader);
  let left = binary(reader, level + 1);
  for (let length = 0; ; length++) {
    const operator = operators.find(it => it === peek(reader).text);
    if (operator === undefined) return left;
    if (length > DEEPEST) throw new ExpressionError(t`more than ${DEEPEST} operators stand in a row`, peek(reader));
    take(reader);
    const right = binary(reader, level + 1);
    left = { kind: 'binary', operator, left, right, start: left.start, end: right.end };
  }
}

function unary(reader: TokenReader): Expression {
  const { text, start, kind } = peek(reader);
  if (kind !== 'sign' || (text !== '!' && text !== '-')) return primary(reader);
  take(reader);
  const next = peek(reader);
  // As in CEL, the sign belongs to a number, so that the least one can be written.
  if (text === '-' && next.kind === 'integer') return integer(take(reader), start, -1);
  const operand = deeper(reader, () => unary(reader));
  return { kind: 'unary', operator: text, operand, start, end: operand.end };
}

function primary(reader: TokenReader): Expression {
  const token = take(reader);
  if (token.kind === 'integer') return integer(token, token.start, 1);
  if (token.kind === 'name') return named(reader, token);
  if (token.text !== '(') throw unexpected(token, 'a value');
  const inner = choice(reader);
  const { end } = expectSign(reader, ')');
  return { ...inner, start: token.start, end };
}

function integer({ text, end }: Token, start: number, sign: 1 | -1): Expression {
  const value = sign * Number(text);
  if ((value | 0) !== value && value !== 0) {
    throw new ExpressionError(t`${`${sign < 0 ? '-' : ''}${text}`} is not within -2147483648 and 2147483647`, {
      start,
      end,
    });
  }
  return { kind: 'integer', value: value | 0, start, end };
}

function named(reader: TokenReader, token: Token): Expression {
  const { text, start, end } = token;
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' ? 1 : 0, start, end };
  if (text === 'at') return atCall(reader, token);
  if (peek(reader).text !== '[') return { kind: 'name', name: text, start, end };
  const { index, end: last } = bracketed(reader);
  return { kind: 'element', name: text, nameEnd: end, index, start, end: last };
}

function bracketed(reader: TokenReader): { readonly index: Expression; readonly end: number } {
  expectSign(reader, '[');
  const index = choice(reader);
  return { index, end: expectSign(reader, ']').end };
}

function atCall(reader: TokenReader, { start }: Token): Expression {
  expectSign(reader, '(');
  const process = namedPart(reader, t('the name of a process'));
  const index = peek(reader).text === '[' ? bracketed(reader).index : undefined;
  expectSign(reader, ',');
  const location = namedPart(reader, t('the name of a location'));
  const { end } = expectSign(reader, ')');
  return { kind: 'at', process, ...(index && { index }), location, start, end };
}

function namedPart(reader: TokenReader, wanted: string): NamedPart {
  const token = peek(reader);
  if (token.kind !== 'name') throw unexpected(token, wanted);
  take(reader);
  return { name: token.text, start: token.start, end: token.end };
}
