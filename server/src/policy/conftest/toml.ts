import type { AST } from 'toml-eslint-parser';
import type { JsonObject, JsonValue } from '../../base/json';
import type { Span } from '../../text/span';

/** A key of a TOML file with its value. The name of its table comes before the key. */
export interface TomlEntry {
  readonly key: readonly string[];
  readonly keySpan: Span;
  readonly value: JsonValue;
  readonly span: Span;
}

export interface TomlFile {
  readonly entries: readonly TomlEntry[];
  /** The first syntax error. There are no entries then. */
  readonly error?: { readonly message: string; readonly span: Span };
}

/** The parser's module. Bundled with the rest, but run only when there is a TOML file. */
const tomlLibrary = (): typeof import('toml-eslint-parser') => require('toml-eslint-parser');

/**
 * Reads TOML 1.0, as go-toml does for Conftest; a byte order mark is skipped. Dates and times are returned as they are
 * written, infinite numbers and NaN as numbers. Never throws.
 */
export function parseToml(text: string): TomlFile {
  const { ParseError, parseTOML } = tomlLibrary();
  try {
    const { body } = parseTOML(text.replace(/^\uFEFF/, ' '), { tomlVersion: '1.0' }).body[0];
    const entries = body.flatMap(it =>
      it.type === 'TOMLKeyValue'
        ? [entryOf(it, [], text)]
        : it.body.map(entry => entryOf(entry, namesOf(it.key), text)),
    );
    return { entries };
  } catch (error) {
    if (error instanceof ParseError) return failedAt(error.index, `This is no TOML: ${clauseOf(error.message)}.`);
    // The library recurses into lists and tables.
    if (error instanceof RangeError) return failedAt(0, 'Lists and tables are nested too deep here.');
    throw error;
  }

  function failedAt(index: number, message: string): TomlFile {
    const start = Math.min(index, Math.max(0, text.length - 1));
    return { entries: [], error: { message, span: { start, end: start + 1 } } };
  }
}

/** Texts without quotes are the mistake that is made most often, and the library only names the character. */
const clauseOf = (message: string): string =>
  message === 'Unexpected character'
    ? 'unexpected character; a value is a text in quotes, a number, true, false, a date, a list or a table'
    : message.charAt(0).toLowerCase() + message.slice(1);

function entryOf({ key, value }: AST.TOMLKeyValue, table: readonly string[], text: string): TomlEntry {
  return {
    key: [...table, ...namesOf(key)],
    keySpan: spanOf(key),
    value: jsonOf(value, text),
    span: spanOf(value),
  };
}

const spanOf = ({ range: [start, end] }: AST.HasLocs): Span => ({ start, end });

const namesOf = ({ keys }: AST.TOMLKey): readonly string[] =>
  keys.map(it => (it.type === 'TOMLBare' ? it.name : it.value));

function jsonOf(node: AST.TOMLContentNode, text: string): JsonValue {
  if (node.type === 'TOMLArray') return node.elements.map(it => jsonOf(it, text));
  if (node.type === 'TOMLInlineTable') return tableOf(node, text);
  return node.value instanceof Date ? text.slice(...node.range) : node.value;
}

/** Dotted keys of an inline table stay dotted: no setting of Conftest is a table. */
const tableOf = ({ body }: AST.TOMLInlineTable, text: string): JsonObject =>
  Object.fromEntries(body.map(it => [namesOf(it.key).join('.'), jsonOf(it.value, text)]));
