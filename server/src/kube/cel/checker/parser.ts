import { expandMacro, type Macros } from './macros';
import { CelSyntaxError, type Expr, type ListItem, type MapEntry, type StructField } from './nodes';
import { expect, fail, isKind, isWord, next, peek, sees, type TokenReader, take } from './reader';
import { bytesValue, stringValue, type Token, tokensOf } from './tokens';
import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type, UINT } from './types';

/** Upstream: parser.ParserMaxRecursionDepth and ExpressionSizeCodePointLimit. */
const DEEPEST = 250;
const LONGEST = 100_000;

const RESERVED: ReadonlySet<string> = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace null return true var ' +
    'void while'
  ).split(' '),
);
const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);
const EXPECTED =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** A part of the tree, and how many nested parts count towards the limit of recursion. */
interface Part {
  readonly node: Expr;
  readonly depth: number;
}

/** The tree of an expression. Throws a CelSyntaxError. Upstream: cel-go's parser. */
export function parseExpression(text: string, macros: Macros): Expr {
  const size = text.length > LONGEST ? codePoints(text) : 0;
  if (size > LONGEST) {
    throw new CelSyntaxError(-1, `expression code point size exceeds limit: size: ${size}, limit ${LONGEST}`);
  }
  return whole({ tokens: tokensOf(text), macros, index: 0, nesting: 0 });
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

const isPair = (text: string, i: number): boolean =>
  (text.charCodeAt(i - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(i) & 0xfc00) === 0xdc00;

const counted = (node: Expr, ...parts: readonly Part[]): Part => limited(node, 1, parts);
const uncounted = (node: Expr, ...parts: readonly Part[]): Part => limited(node, 0, parts);

function limited(node: Expr, own: number, parts: readonly Part[]): Part {
  const depth = parts.reduce((most, it) => Math.max(most, it.depth), 0) + own;
  if (depth > DEEPEST) throw new CelSyntaxError(-1, 'max recursion depth exceeded');
  return { node, depth };
}

function whole(reader: TokenReader): Expr {
  const { node } = expression(reader);
  if (isKind(reader, 'end')) return node;
  const { text, at } = peek(reader);
  const what = isKind(reader, 'end', 1)
    ? `extraneous input '${text}' expecting <EOF>`
    : `mismatched input '${text}' expecting <EOF>`;
  throw new CelSyntaxError(at, `Syntax error: ${what}`);
}

function expression(reader: TokenReader): Part {
  if (++reader.nesting > DEEPEST) throw new CelSyntaxError(-1, `expression recursion limit exceeded: ${DEEPEST}`);
  const first = logical(reader, '||', conjunction);
  if (!sees(reader, '?')) {
    reader.nesting--;
    return first;
  }
  const { at } = next(reader);
  const yes = logical(reader, '||', conjunction);
  expect(reader, ':');
  const no = expression(reader);
  reader.nesting--;
  return counted(call(at, '_?_:_', first, yes, no), first, yes, no);
}

const call = (at: number, name: string, ...args: readonly Part[]): Expr => ({
  kind: 'call',
  name,
  args: args.map(it => it.node),
  at,
});

const conjunction = (reader: TokenReader): Part => logical(reader, '&&', relation);

function logical(reader: TokenReader, operator: '||' | '&&', operand: (reader: TokenReader) => Part): Part {
  const parts = [operand(reader)];
  const { at } = peek(reader);
  while (take(reader, operator)) parts.push(operand(reader));
  return parts.length === 1 ? parts[0]! : uncounted(call(at, `_${operator}_`, ...parts), ...parts);
}

function binary(reader: TokenReader, operand: (reader: TokenReader) => Part, isOperator: () => boolean): Part {
  let left = operand(reader);
  while (isOperator()) {
    const { at, text } = next(reader);
    const right = operand(reader);
    left = counted(call(at, text === 'in' ? '@in' : `_${text}_`, left, right), left, right);
  }
  return left;
}

function relation(reader: TokenReader): Part {
  return binary(reader, sum, () => (isKind(reader, 'op') || isWord(reader, 'in')) && RELATIONS.has(peek(reader).text));
}

function sum(reader: TokenReader): Part {
  return binary(reader, product, () => sees(reader, '+') || sees(reader, '-'));
}

function product(reader: TokenReader): Part {
  return binary(reader, unary, () => sees(reader, '*') || sees(reader, '/') || sees(reader, '%'));
}

function unary(reader: TokenReader): Part {
  const { at, text } = peek(reader);
  if (text !== '!' && text !== '-') return member(reader);
  if (text === '-' && (isKind(reader, 'int', 1) || isKind(reader, 'float', 1))) return member(reader);
  let count = 0;
  while (sees(reader, text)) {
    if (text === '-' && count > 0 && (isKind(reader, 'int', 1) || isKind(reader, 'float', 1))) break;
    reader.index++;
    count++;
  }
  const target = member(reader);
  return count % 2 === 0 ? target : uncounted(call(at, text === '!' ? '!_' : '-_', target), target);
}

function member(reader: TokenReader): Part {
  let part = primary(reader);
  for (;;) {
    if (sees(reader, '.')) part = selection(reader, part);
    else if (sees(reader, '[')) {
      const { at } = next(reader);
      const name = take(reader, '?') ? '_[?_]' : '_[_]';
      const inner = expression(reader);
      expect(reader, ']');
      part = counted(call(at, name, part, inner), part, inner);
    } else return part;
  }
}

function selection(reader: TokenReader, operand: Part): Part {
  const { at } = next(reader);
  const use = take(reader, '?') ? 'optional' : 'value';
  const field = identifier(reader, 'IDENTIFIER');
  if (use === 'value' && sees(reader, '(')) {
    const { at: open } = next(reader);
    const args = argumentsUpTo(reader, ')');
    const node = expandMacro(
      reader.macros,
      open,
      field,
      operand.node,
      args.map(it => it.node),
    );
    return counted(node, operand, ...args);
  }
  return counted({ kind: 'select', operand: operand.node, field, use, at }, operand);
}

/** A name; the words of literals are no names. */
function identifier(reader: TokenReader, expecting: string): string {
  const { kind, text, at } = peek(reader);
  if (kind === 'escaped') return next(reader).text.slice(1, -1);
  if (kind === 'ident' && !['true', 'false', 'null', 'in'].includes(text)) return next(reader).text;
  if (kind === 'op') throw new CelSyntaxError(at, `Syntax error: no viable alternative at input '.${text}'`);
  return fail(reader, expecting);
}

function argumentsUpTo(reader: TokenReader, end: string): readonly Part[] {
  const args: Part[] = [];
  if (take(reader, end)) return args;
  do args.push(expression(reader));
  while (take(reader, ','));
  expect(reader, end);
  return args;
}

function primary(reader: TokenReader): Part {
  const token = peek(reader);
  switch (token.kind) {
    case 'string':
      return leaf({ kind: 'literal', type: STRING, value: stringValue(next(reader).text), at: token.at });
    case 'bytes':
      return bytes(next(reader));
    case 'uint':
      return number(reader, UINT, token.at);
    case 'int':
      return number(reader, INT, token.at);
    case 'float':
      return number(reader, DOUBLE, token.at);
    case 'ident':
      return named(reader, token.at, '');
    case 'op':
      return punctuated(reader, token);
    default:
      return fail(reader, EXPECTED);
  }
}

const leaf = (node: Expr): Part => ({ node, depth: 0 });

function bytes({ text, at }: Token): Part {
  const value = bytesValue(text);
  if (value === undefined) throw new CelSyntaxError(at, 'unable to unescape string');
  return leaf({ kind: 'literal', type: BYTES, value, at });
}

function number(reader: TokenReader, type: Type, at: number): Part {
  const sign = take(reader, '-') ? '-' : '';
  const { text } = next(reader);
  if (type !== DOUBLE) {
    const value = BigInt(text.replace(/[uU]$/, '')) * (sign === '-' ? -1n : 1n);
    const isWhole = type === UINT ? BigInt.asUintN(64, value) === value : BigInt.asIntN(64, value) === value;
    if (!isWhole) throw new CelSyntaxError(at, `invalid ${type.name} literal`);
    return leaf({ kind: 'literal', type, value, at });
  }
  const value = Number(`${sign}${text}`);
  if (!Number.isFinite(value)) throw new CelSyntaxError(at, 'invalid double literal');
  return leaf({ kind: 'literal', type, value, at });
}

function punctuated(reader: TokenReader, { text, at }: Token): Part {
  if (text === '-') return number(reader, isKind(reader, 'int', 1) ? INT : DOUBLE, at);
  if (take(reader, '(')) {
    const inner = expression(reader);
    expect(reader, ')');
    return inner;
  }
  if (take(reader, '[')) return list(reader, at);
  if (take(reader, '{')) return map(reader, at);
  if (text === '.' && isKind(reader, 'ident', 1)) {
    next(reader);
    return named(reader, peek(reader).at, '.');
  }
  if (text !== '.') return fail(reader, EXPECTED);
  throw new CelSyntaxError(
    at,
    `Syntax error: no viable alternative at input '.${isKind(reader, 'end', 1) ? '' : peek(reader, 1).text}'`,
  );
}

/** A name: a literal, a variable, a call, or the type of a message. */
function named(reader: TokenReader, at: number, dot: '' | '.'): Part {
  const { text } = peek(reader);
  if (dot === '' && (text === 'true' || text === 'false' || text === 'null')) {
    next(reader);
    if (text === 'null') return leaf({ kind: 'literal', type: NULL, value: null, at });
    return leaf({ kind: 'literal', type: BOOL, value: text === 'true', at });
  }
  const message = messageName(reader);
  if (message !== undefined) return struct(reader, `${dot}${message}`);
  next(reader);
  if (text === 'in') fail(reader, EXPECTED);
  if (RESERVED.has(text)) throw new CelSyntaxError(at - dot.length, `reserved identifier: ${text}`);
  if (!sees(reader, '(')) return { node: { kind: 'ident', name: `${dot}${text}`, at }, depth: 0 };
  const { at: open } = next(reader);
  const args = argumentsUpTo(reader, ')');
  return uncounted(
    expandMacro(
      reader.macros,
      open,
      `${dot}${text}`,
      undefined,
      args.map(it => it.node),
    ),
    ...args,
  );
}

/** The dotted name before a brace, which is then the next token. */
function messageName(reader: TokenReader): string | undefined {
  let ahead = 1;
  while (sees(reader, '.', ahead) && isKind(reader, 'ident', ahead + 1)) ahead += 2;
  if (!sees(reader, '{', ahead)) return undefined;
  const name = reader.tokens.slice(reader.index, reader.index + ahead).map(it => it.text);
  reader.index += ahead;
  return name.join('');
}

function list(reader: TokenReader, at: number): Part {
  const items: ListItem[] = [];
  const parts = entriesUpTo(reader, ']', () => {
    const isOptional = take(reader, '?');
    const part = expression(reader);
    items.push({ value: part.node, isOptional });
    return [part];
  });
  return uncounted({ kind: 'list', items, at }, ...parts);
}

function map(reader: TokenReader, at: number): Part {
  const entries: MapEntry[] = [];
  const parts = entriesUpTo(reader, '}', () => {
    const isOptional = take(reader, '?');
    const key = expression(reader);
    expect(reader, ':');
    const value = expression(reader);
    entries.push({ key: key.node, value: value.node, isOptional });
    return [key, value];
  });
  return uncounted({ kind: 'map', entries, at }, ...parts);
}

function struct(reader: TokenReader, name: string): Part {
  const { at } = expect(reader, '{');
  const fields: StructField[] = [];
  const parts = entriesUpTo(reader, '}', () => {
    const isOptional = take(reader, '?');
    const field = identifier(reader, "'}'");
    const colon = expect(reader, ':');
    const value = expression(reader);
    fields.push({ name: field, value: value.node, isOptional, at: colon.at });
    return [value];
  });
  return uncounted({ kind: 'struct', name, fields, at }, ...parts);
}

/** Entries that are separated by commas; one may follow the last. */
function entriesUpTo(reader: TokenReader, end: string, entry: () => readonly Part[]): readonly Part[] {
  const parts: Part[] = [];
  if (sees(reader, ',') && sees(reader, end, 1)) next(reader);
  while (!sees(reader, end)) {
    parts.push(...entry());
    if (!take(reader, ',')) break;
  }
  expect(reader, end);
  return parts;
}
