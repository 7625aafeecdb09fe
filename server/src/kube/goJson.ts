/** JSON inside strings (annotations, Secrets), parsed with the errors of Go's encoding/json. */

import type { JsonObject, JsonValue } from '../base/json';
import { isQuantity } from './quantity';

/** A Go type. `go` is its name as Go prints it. */
export type GoShape =
  | { readonly kind: 'any' }
  | { readonly kind: 'string' | 'bool' | 'int32' | 'int64' | 'quantity' | 'time'; readonly go?: string }
  | { readonly kind: 'list'; readonly items: GoShape; readonly go: string }
  | { readonly kind: 'map'; readonly values?: GoShape; readonly go: string }
  | { readonly kind: 'struct'; readonly fields: Readonly<Record<string, GoShape>>; readonly go: string };

export type GoJson = { readonly value: JsonValue } | { readonly error: string };

/**
 * The value with its fields named as in the shape (Go ignores case) and without unknown ones, or Go's error. Upstream:
 * encoding/json.Unmarshal.
 */
export function unmarshal(text: string, shape: GoShape): GoJson {
  const error = syntaxError(text);
  if (error !== undefined) return { error };
  return convert(JSON.parse(text) as JsonValue, shape, { struct: '', fields: [] });
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[-+]\d\d:\d\d)$/;

interface GoLocation {
  readonly struct: string;
  readonly fields: readonly string[];
}

function convert(value: JsonValue, shape: GoShape, location: GoLocation): GoJson {
  if (value === null || shape.kind === 'any') return { value };
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' ? { value } : mismatch(value, shape.go ?? 'string', location);
    case 'bool':
      return typeof value === 'boolean' ? { value } : mismatch(value, 'bool', location);
    case 'int32':
      if (typeof value === 'number' && (value | 0) === value) return { value };
      return mismatch(value, 'int32', location);
    case 'int64':
      return typeof value === 'number' && Number.isInteger(value) ? { value } : mismatch(value, 'int64', location);
    case 'quantity':
      if (isQuantity(value)) return { value };
      return { error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" };
    case 'time':
      if (typeof value === 'string' && rfc3339.test(value)) return { value };
      return { error: `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00"` };
    case 'map':
      if (typeof value !== 'object' || Array.isArray(value)) return mismatch(value, shape.go, location);
      return convertEntries(value as JsonObject, shape.values ?? { kind: 'any' }, location);
    case 'list':
      if (!Array.isArray(value)) return mismatch(value, shape.go, location);
      return together((value as readonly JsonValue[]).map(it => convert(it, shape.items, location)));
    case 'struct': {
      if (typeof value !== 'object' || Array.isArray(value)) return mismatch(value, shape.go, location);
      return convertFields(value as JsonObject, shape, location);
    }
  }
}

function convertEntries(value: JsonObject, shape: GoShape, location: GoLocation): GoJson {
  const all = together(Object.values(value).map(it => convert(it ?? null, shape, location)));
  return 'error' in all ? all : { value };
}

function convertFields(value: JsonObject, shape: GoShape & { readonly kind: 'struct' }, location: GoLocation): GoJson {
  const names = Object.keys(shape.fields);
  const known = Object.entries(value).flatMap(([key, item]): [string, GoJson][] => {
    const name = names.find(it => it === key) ?? names.find(it => it.toLowerCase() === key.toLowerCase());
    const inner = name === undefined ? undefined : shape.fields[name];
    if (name === undefined || inner === undefined) return [];
    const within = { struct: shape.go.replace(/^.*\./, ''), fields: [...location.fields, name] };
    return [[name, convert(item ?? null, inner, within)]];
  });
  const all = together(known.map(([, it]) => it));
  if ('error' in all) return all;
  const values = all.value as readonly JsonValue[];
  return { value: Object.fromEntries(known.map(([name], i) => [name, values[i] ?? null])) };
}

function together(results: readonly GoJson[]): GoJson {
  const failed = results.find(it => 'error' in it);
  return failed ?? { value: results.flatMap(it => ('value' in it ? [it.value] : [])) };
}

/** Upstream: json.UnmarshalTypeError.Error. */
function mismatch(value: JsonValue, type: string, { struct, fields }: GoLocation): GoJson {
  const target =
    fields.length === 0 ? `value of type ${type}` : `struct field ${struct}.${fields.join('.')} of type ${type}`;
  return { error: `json: cannot unmarshal ${described(value, type)} into Go ${target}` };
}

/** Go prints a number only if an integer was expected. */
function described(value: JsonValue, type: string): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' && type.startsWith('int') ? `number ${value}` : typeof value;
}

const unexpectedEnd = 'unexpected end of JSON input';

/** Within a number, a word or an escape, Go treats the end of the text as a space, which it then reports. */
function unexpected(text: string, at: number, context: string): string {
  const character = text[at] ?? (context.startsWith('in ') || context.includes('numeric') ? ' ' : undefined);
  if (character === undefined) return unexpectedEnd;
  const quoted = character === "'" ? "\\'" : character === '"' ? '"' : JSON.stringify(character).slice(1, -1);
  return `invalid character '${quoted}' ${context}`;
}

const afterValue = { '{': 'after object key:value pair', '[': 'after array element' } as const;

/** Go's error for a text that is not JSON. Upstream: encoding/json.checkValid. */
export function syntaxError(text: string): string | undefined {
  const open: ('{' | '[')[] = [];
  let state: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'after' = 'value';
  let at = 0;
  for (;;) {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++;
    const character = text[at];
    const top = open.at(-1);
    const closes = (top === '{' && character === '}') || (top === '[' && character === ']');
    if (closes && (state === 'after' || state === 'keyOrEnd' || state === 'valueOrEnd')) {
      open.pop();
      state = 'after';
      at++;
    } else if (state === 'after') {
      if (top === undefined) return at >= text.length ? undefined : unexpected(text, at, 'after top-level value');
      if (character !== ',') return unexpected(text, at, afterValue[top]);
      state = top === '{' ? 'key' : 'value';
      at++;
    } else if (state === 'key' || state === 'keyOrEnd') {
      if (character !== '"') return unexpected(text, at, 'looking for beginning of object key string');
      const next = scalarEnd(text, at);
      if (typeof next === 'string') return next;
      at = next;
      while (/[ \t\r\n]/.test(text[at] ?? '')) at++;
      if (text[at] !== ':') return unexpected(text, at, 'after object key');
      state = 'value';
      at++;
    } else if (character === '{' || character === '[') {
      if (open.push(character) > 10_000) return 'exceeded max depth';
      state = character === '{' ? 'keyOrEnd' : 'valueOrEnd';
      at++;
    } else {
      const next = scalarEnd(text, at);
      if (typeof next === 'string') return next;
      at = next;
      state = 'after';
    }
  }
}

/** The position after the string, number or word at a position, or Go's error. */
function scalarEnd(text: string, at: number): number | string {
  const character = text[at] ?? '';
  if (character === '"') return stringEnd(text, at + 1);
  if (/[-0-9]/.test(character)) return numberEnd(text, at);
  const word = ['true', 'false', 'null'].find(it => it[0] === character);
  if (word === undefined) return unexpected(text, at, 'looking for beginning of value');
  const wrong = [...word].findIndex((it, i) => text[at + i] !== it);
  if (wrong < 0) return at + word.length;
  return unexpected(text, at + wrong, `in literal ${word} (expecting '${word[wrong]}')`);
}

function stringEnd(text: string, start: number): number | string {
  for (let at = start; ; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === undefined) return unexpectedEnd;
    if (character < ' ') return unexpected(text, at, 'in string literal');
    if (character !== '\\') continue;
    at++;
    if (!/["\\/bfnrtu]/.test(text[at] ?? '')) return unexpected(text, at, 'in string escape code');
    if (text[at] !== 'u') continue;
    const digits = /^[0-9a-fA-F]{0,4}/.exec(text.slice(at + 1, at + 5))?.[0].length ?? 0;
    if (digits < 4) return unexpected(text, at + 1 + digits, 'in \\u hexadecimal character escape');
    at += 4;
  }
}

function numberEnd(text: string, start: number): number | string {
  const digits = (at: number) => at + (/^[0-9]*/.exec(text.slice(at))?.[0].length ?? 0);
  const whole = text[start] === '-' ? start + 1 : start;
  const wholeEnd = text[whole] === '0' ? whole + 1 : digits(whole);
  if (wholeEnd === whole) return unexpected(text, whole, 'in numeric literal');
  const fractionEnd = text[wholeEnd] === '.' ? digits(wholeEnd + 1) : wholeEnd;
  if (fractionEnd === wholeEnd + 1) return unexpected(text, fractionEnd, 'after decimal point in numeric literal');
  if (!/[eE]/.test(text[fractionEnd] ?? '')) return fractionEnd;
  const exponent = fractionEnd + (/[-+]/.test(text[fractionEnd + 1] ?? '') ? 2 : 1);
  const end = digits(exponent);
  return end === exponent ? unexpected(text, end, 'in exponent of numeric literal') : end;
}
