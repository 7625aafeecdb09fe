import type { JsonValue } from '../../base/json';
import type { Span } from '../../text/span';

/** A key of a TOML file with its value; keys of a table have its name before them. */
export interface TomlEntry {
  readonly key: readonly string[];
  readonly keySpan: Span;
  readonly value: JsonValue;
  readonly span: Span;
}

export interface TomlFile {
  readonly entries: readonly TomlEntry[];
  /** Where the text is no TOML; nothing behind it was read. */
  readonly error?: { readonly message: string; readonly span: Span };
}

class NotToml extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** Reads TOML 1.0. Dates and times are given as they are written. Never throws. */
export function parseToml(text: string): TomlFile {
  const entries: TomlEntry[] = [];
  const reader = readerOf(text);
  let table: readonly string[] = [];
  try {
    for (reader.skipLines(); !reader.isAtEnd(); reader.skipLines()) {
      const header = reader.take(/\[\[?/y);
      if (header === undefined) entries.push(entryIn(table, reader));
      else {
        table = keyAt(reader).key;
        reader.expect(header === '[' ? /[ \t]*\]/y : /[ \t]*\]\]/y, 'a table ends with `]`');
      }
      reader.expect(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y, 'one key stands on one line');
    }
    return { entries };
  } catch (error) {
    if (!(error instanceof NotToml)) throw error;
    const start = Math.min(error.at, Math.max(0, text.length - 1));
    return { entries, error: { message: error.message, span: { start, end: start + 1 } } };
  }
}

/** Lists and tables within each other beyond this are no settings of anybody. */
const MAX_DEPTH = 100;

interface Reader {
  readonly at: () => number;
  readonly isAtEnd: () => boolean;
  /** What a sticky pattern matches here, which is passed by; its first group where it has one. */
  readonly take: (pattern: RegExp) => string | undefined;
  readonly expect: (pattern: RegExp, rule: string) => string;
  readonly skipLines: () => void;
}

function readerOf(text: string): Reader {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found[1] ?? found[0];
  };
  return {
    at: () => at,
    isAtEnd: () => at >= text.length,
    take,
    expect(pattern, rule) {
      const found = take(pattern);
      if (found === undefined) throw new NotToml(`This is no TOML: ${rule}.`, at);
      return found;
    },
    skipLines: () => take(/(?:[\s\uFEFF]|#[^\n]*)*/y),
  };
}

function entryIn(table: readonly string[], reader: Reader, depth = 0): TomlEntry {
  const { key, keySpan } = keyAt(reader);
  reader.expect(/[ \t]*=[ \t]*/y, 'a key is followed by `=` and a value');
  const start = reader.at();
  const value = valueAt(reader, depth);
  return { key: [...table, ...key], keySpan, value, span: { start, end: reader.at() } };
}

function keyAt(reader: Reader): { readonly key: readonly string[]; readonly keySpan: Span } {
  const key: string[] = [];
  reader.take(/[ \t]*/y);
  const start = reader.at();
  do {
    const quoted = basicString(reader) ?? reader.take(/'([^'\n]*)'/y);
    key.push(quoted ?? reader.expect(/[A-Za-z0-9_-]+/y, 'a key is of letters, digits, `_` and `-`, or in quotes'));
  } while (reader.take(/[ \t]*\.[ \t]*/y) !== undefined);
  return { key, keySpan: { start, end: reader.at() } };
}

const DATE = /\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?/y;
const NUMBER = /0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|[+-]?(?:inf|nan|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)/y;

function valueAt(reader: Reader, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new NotToml('Lists and tables are nested too deep here.', reader.at());
  const text =
    reader.take(/'''\r?\n?([\s\S]*?)'''/y) ??
    longString(reader) ??
    reader.take(/'([^'\n]*)'/y) ??
    basicString(reader) ??
    reader.take(DATE);
  if (text !== undefined) return text;
  const flag = reader.take(/true|false/y);
  if (flag !== undefined) return flag === 'true';
  const number = reader.take(NUMBER);
  if (number !== undefined) return numberOf(number.replaceAll('_', ''));
  if (reader.take(/\[/y) !== undefined) return listAt(reader, depth + 1);
  reader.expect(/\{/y, 'a value is a text in quotes, a number, true, false, a date, a list or a table');
  return tableAt(reader, depth + 1);
}

function numberOf(text: string): number {
  const special = /^([+-]?)(inf|nan)$/.exec(text);
  if (special === null) return Number(text);
  if (special[2] === 'nan') return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function listAt(reader: Reader, depth: number): JsonValue {
  const list: JsonValue[] = [];
  for (reader.skipLines(); reader.take(/\]/y) === undefined; reader.skipLines()) {
    list.push(valueAt(reader, depth));
    reader.skipLines();
    if (reader.take(/,/y) === undefined) {
      reader.expect(/\]/y, 'a list ends with `]`, with commas between its values');
      return list;
    }
  }
  return list;
}

function tableAt(reader: Reader, depth: number): JsonValue {
  const table: Record<string, JsonValue> = {};
  for (reader.skipLines(); reader.take(/\}/y) === undefined; reader.skipLines()) {
    const { key, value } = entryIn([], reader, depth);
    table[key.join('.')] = value;
    if (reader.take(/[ \t]*,/y) === undefined) {
      reader.expect(/[ \t]*\}/y, 'a table in a line ends with `}`, with commas between its keys');
      return table;
    }
  }
  return table;
}

const basicString = (reader: Reader): string | undefined => unescaped(reader, /"((?:[^"\\\n]|\\.)*)"/y);

const longString = (reader: Reader): string | undefined =>
  unescaped(reader, /"""\r?\n?((?:[^"\\]|\\[\s\S]|""?(?!"))*)"""/y);

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' };

function unescaped(reader: Reader, pattern: RegExp): string | undefined {
  const start = reader.at();
  return reader
    .take(pattern)
    ?.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|[ \t]*\r?\n\s*|(.))/g, (all, ...found) => {
      const [short, long, letter] = found as readonly (string | undefined)[];
      const code = Number.parseInt(short ?? long ?? '', 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      if (letter === undefined) return /^\\\s/.test(all) ? '' : all;
      const meant = ESCAPES[letter];
      if (meant === undefined) throw new NotToml(`This is no TOML: \`\\${letter}\` means nothing in a text.`, start);
      return meant;
    });
}
