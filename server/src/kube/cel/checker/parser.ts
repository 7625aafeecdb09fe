import { expandMacro, type Macros } from './macros';
import { CelSyntaxError, type Expr, type ListItem, type MapEntry, type StructField } from './nodes';
import { bytesValue, stringValue, type Token, type TokenKind, tokensOf } from './tokens';
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
  return parserOf(tokensOf(text), macros)();
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

const isPair = (text: string, i: number): boolean =>
  (text.charCodeAt(i - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(i) & 0xfc00) === 0xdc00;

function parserOf(tokens: readonly Token[], macros: Macros): () => Expr {
  let index = 0;
  let nesting = 0;
  const peek = (ahead = 0): Token => tokens[Math.min(index + ahead, tokens.length - 1)]!;
  const next = (): Token => tokens[Math.min(index++, tokens.length - 1)]!;
  const sees = (text: string, ahead = 0): boolean => peek(ahead).kind === 'op' && peek(ahead).text === text;
  const isKind = (kind: TokenKind, ahead = 0): boolean => peek(ahead).kind === kind;
  const isWord = (word: string): boolean => isKind('ident') && peek().text === word;

  function fail(expecting: string): never {
    const { text, at } = peek();
    throw new CelSyntaxError(at, `Syntax error: mismatched input '${text}' expecting ${expecting}`);
  }

  function expect(text: string): Token {
    if (sees(text)) return next();
    if (!isKind('end')) return fail(`'${text}'`);
    throw new CelSyntaxError(peek().at, `Syntax error: missing '${text}' at '<EOF>'`);
  }

  function take(text: string): boolean {
    if (!sees(text)) return false;
    index++;
    return true;
  }

  const counted = (node: Expr, ...parts: readonly Part[]): Part => limited(node, 1, parts);
  const uncounted = (node: Expr, ...parts: readonly Part[]): Part => limited(node, 0, parts);

  function limited(node: Expr, own: number, parts: readonly Part[]): Part {
    const depth = parts.reduce((most, it) => Math.max(most, it.depth), 0) + own;
    if (depth > DEEPEST) throw new CelSyntaxError(-1, 'max recursion depth exceeded');
    return { node, depth };
  }

  function whole(): Expr {
    const { node } = expression();
    if (isKind('end')) return node;
    const { text, at } = peek();
    const what = isKind('end', 1)
      ? `extraneous input '${text}' expecting <EOF>`
      : `mismatched input '${text}' expecting <EOF>`;
    throw new CelSyntaxError(at, `Syntax error: ${what}`);
  }

  function expression(): Part {
    if (++nesting > DEEPEST) throw new CelSyntaxError(-1, `expression recursion limit exceeded: ${DEEPEST}`);
    const first = logical('||', () => logical('&&', relation));
    if (!sees('?')) {
      nesting--;
      return first;
    }
    const { at } = next();
    const yes = logical('||', () => logical('&&', relation));
    expect(':');
    const no = expression();
    nesting--;
    return counted(call(at, '_?_:_', first, yes, no), first, yes, no);
  }

  const call = (at: number, name: string, ...args: readonly Part[]): Expr => ({
    kind: 'call',
    name,
    args: args.map(it => it.node),
    at,
  });

  function logical(operator: '||' | '&&', operand: () => Part): Part {
    const parts = [operand()];
    const { at } = peek();
    while (take(operator)) parts.push(operand());
    return parts.length === 1 ? parts[0]! : uncounted(call(at, `_${operator}_`, ...parts), ...parts);
  }

  function binary(operand: () => Part, isOperator: () => boolean): Part {
    let left = operand();
    while (isOperator()) {
      const { at, text } = next();
      const right = operand();
      left = counted(call(at, text === 'in' ? '@in' : `_${text}_`, left, right), left, right);
    }
    return left;
  }

  const relation = (): Part => binary(sum, () => (isKind('op') || isWord('in')) && RELATIONS.has(peek().text));
  const sum = (): Part => binary(product, () => sees('+') || sees('-'));
  const product = (): Part => binary(unary, () => sees('*') || sees('/') || sees('%'));

  function unary(): Part {
    const { at, text } = peek();
    if (text !== '!' && text !== '-') return member();
    if (text === '-' && (isKind('int', 1) || isKind('float', 1))) return member();
    let count = 0;
    while (sees(text)) {
      if (text === '-' && count > 0 && (isKind('int', 1) || isKind('float', 1))) break;
      index++;
      count++;
    }
    const target = member();
    return count % 2 === 0 ? target : uncounted(call(at, text === '!' ? '!_' : '-_', target), target);
  }

  function member(): Part {
    let part = primary();
    for (;;) {
      if (sees('.')) part = selection(part);
      else if (sees('[')) {
        const { at } = next();
        const name = take('?') ? '_[?_]' : '_[_]';
        const inner = expression();
        expect(']');
        part = counted(call(at, name, part, inner), part, inner);
      } else return part;
    }
  }

  function selection(operand: Part): Part {
    const { at } = next();
    const use = take('?') ? 'optional' : 'value';
    const field = identifier('IDENTIFIER');
    if (use === 'value' && sees('(')) {
      const { at: open } = next();
      const args = argumentsUpTo(')');
      const node = expandMacro(
        macros,
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
  function identifier(expecting: string): string {
    const { kind, text, at } = peek();
    if (kind === 'escaped') return next().text.slice(1, -1);
    if (kind === 'ident' && !['true', 'false', 'null', 'in'].includes(text)) return next().text;
    if (kind === 'op') throw new CelSyntaxError(at, `Syntax error: no viable alternative at input '.${text}'`);
    return fail(expecting);
  }

  function argumentsUpTo(end: string): readonly Part[] {
    const args: Part[] = [];
    if (take(end)) return args;
    do args.push(expression());
    while (take(','));
    expect(end);
    return args;
  }

  function primary(): Part {
    const token = peek();
    switch (token.kind) {
      case 'string':
        return leaf({ kind: 'literal', type: STRING, value: stringValue(next().text), at: token.at });
      case 'bytes':
        return bytes(next());
      case 'uint':
        return number(UINT, token.at);
      case 'int':
        return number(INT, token.at);
      case 'float':
        return number(DOUBLE, token.at);
      case 'ident':
        return named(token.at, '');
      case 'op':
        return punctuated(token);
      default:
        return fail(EXPECTED);
    }
  }

  const leaf = (node: Expr): Part => ({ node, depth: 0 });

  function bytes({ text, at }: Token): Part {
    const value = bytesValue(text);
    if (value === undefined) throw new CelSyntaxError(at, 'unable to unescape string');
    return leaf({ kind: 'literal', type: BYTES, value, at });
  }

  function number(type: Type, at: number): Part {
    const sign = take('-') ? '-' : '';
    const { text } = next();
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

  function punctuated({ text, at }: Token): Part {
    if (text === '-') return number(isKind('int', 1) ? INT : DOUBLE, at);
    if (take('(')) {
      const inner = expression();
      expect(')');
      return inner;
    }
    if (take('[')) return list(at);
    if (take('{')) return map(at);
    if (text === '.' && isKind('ident', 1)) {
      next();
      return named(peek().at, '.');
    }
    if (text !== '.') return fail(EXPECTED);
    throw new CelSyntaxError(
      at,
      `Syntax error: no viable alternative at input '.${isKind('end', 1) ? '' : peek(1).text}'`,
    );
  }

  /** A name: a literal, a variable, a call, or the type of a message. */
  function named(at: number, dot: '' | '.'): Part {
    const { text } = peek();
    if (dot === '' && (text === 'true' || text === 'false' || text === 'null')) {
      next();
      if (text === 'null') return leaf({ kind: 'literal', type: NULL, value: null, at });
      return leaf({ kind: 'literal', type: BOOL, value: text === 'true', at });
    }
    const message = messageName();
    if (message !== undefined) return struct(`${dot}${message}`);
    next();
    if (text === 'in') fail(EXPECTED);
    if (RESERVED.has(text)) throw new CelSyntaxError(at - dot.length, `reserved identifier: ${text}`);
    if (!sees('(')) return { node: { kind: 'ident', name: `${dot}${text}`, at }, depth: 0 };
    const { at: open } = next();
    const args = argumentsUpTo(')');
    return uncounted(
      expandMacro(
        macros,
        open,
        `${dot}${text}`,
        undefined,
        args.map(it => it.node),
      ),
      ...args,
    );
  }

  /** The dotted name before a brace, which is then the next token. */
  function messageName(): string | undefined {
    let ahead = 1;
    while (sees('.', ahead) && isKind('ident', ahead + 1)) ahead += 2;
    if (!sees('{', ahead)) return undefined;
    const name = tokens.slice(index, index + ahead).map(it => it.text);
    index += ahead;
    return name.join('');
  }

  function list(at: number): Part {
    const items: ListItem[] = [];
    const parts = entriesUpTo(']', () => {
      const isOptional = take('?');
      const part = expression();
      items.push({ value: part.node, isOptional });
      return [part];
    });
    return uncounted({ kind: 'list', items, at }, ...parts);
  }

  function map(at: number): Part {
    const entries: MapEntry[] = [];
    const parts = entriesUpTo('}', () => {
      const isOptional = take('?');
      const key = expression();
      expect(':');
      const value = expression();
      entries.push({ key: key.node, value: value.node, isOptional });
      return [key, value];
    });
    return uncounted({ kind: 'map', entries, at }, ...parts);
  }

  function struct(name: string): Part {
    const { at } = expect('{');
    const fields: StructField[] = [];
    const parts = entriesUpTo('}', () => {
      const isOptional = take('?');
      const field = identifier("'}'");
      const colon = expect(':');
      const value = expression();
      fields.push({ name: field, value: value.node, isOptional, at: colon.at });
      return [value];
    });
    return uncounted({ kind: 'struct', name, fields, at }, ...parts);
  }

  /** Entries that are separated by commas; one may follow the last. */
  function entriesUpTo(end: string, entry: () => readonly Part[]): readonly Part[] {
    const parts: Part[] = [];
    if (sees(',') && sees(end, 1)) next();
    while (!sees(end)) {
      parts.push(...entry());
      if (!take(',')) break;
    }
    expect(end);
    return parts;
  }

  return whole;
}
