import { asObject, type JsonValue } from '../../base/json';
import { printed } from '../../base/printed';

/** block: lines of `key: value`; flow: one line in brackets and braces; json: as JSON. */
export type TextStyle = 'block' | 'flow' | 'json';

/** A value as text for a manifest; the lines of a block begin in the first column. */
export function written(value: JsonValue, style: TextStyle): string {
  if (style === 'json') return JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? Number(it) : it));
  return style === 'flow' ? flow(value) : block(value);
}

/**
 * Whether a value begins on the line below its key: objects and lists of objects do, a list of scalars is in brackets.
 */
export function isWrittenBelow(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts = Array.isArray(value) ? value : Object.keys(value);
  return parts.length > 0 && (!Array.isArray(value) || value.some(it => asObject(it) !== undefined));
}

function flow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  const object = asObject(value);
  if (object === undefined) return scalarText(value);
  const fields = Object.entries(object).map(([key, it]) => `${scalarText(key)}: ${flow(it)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function block(value: JsonValue): string {
  if (Array.isArray(value) && value.some(it => asObject(it) !== undefined)) {
    return value.map(it => `- ${block(it).replaceAll('\n', '\n  ')}`).join('\n');
  }
  const object = asObject(value);
  if (object === undefined || Object.keys(object).length === 0) return flow(value);
  return Object.entries(object)
    .map(([key, it]) => {
      const text = block(it);
      const isNested = text.includes('\n') || asObject(it) !== undefined || text.startsWith('- ');
      const isInline = !isNested || text === '{}';
      return `${scalarText(key)}:${isInline ? ` ${text}` : `\n  ${text.replaceAll('\n', '\n  ')}`}`;
    })
    .join('\n');
}

/** Text that YAML 1.1 and 1.2 read as the same string without quotes. */
const PLAIN = /^(?:[A-Za-z_/]|\.\.?\/)[\w./-]*$/;
/** To YAML a number with a suffix is a string; quantities are usually written so, without quotes. */
const QUANTITY = /^\d+(?:\.\d+)?(?:m|k|[KMGTPE]i|[MGTP])$/;
const WORDS = /^(true|false|yes|no|on|off|y|n|null|~)$/i;

/** A scalar, in quotes if it would otherwise be read as something else. */
export function scalarText(value: JsonValue): string {
  if (typeof value !== 'string') return printed(value);
  return (PLAIN.test(value) && !WORDS.test(value)) || QUANTITY.test(value) ? value : JSON.stringify(value);
}
