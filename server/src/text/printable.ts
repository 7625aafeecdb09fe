/**
 * Characters that control a terminal, break a line or reorder it: C0 and C1 controls, Unicode's line separators, the
 * bidirectional controls of UAX #9, the byte order mark and the tag characters. Also the first `#` of `##[` and `##vso[`, which
 * begin a command of GitHub's or Azure's runner anywhere in a line of a log. Upstream: actions/runner, ActionCommand.TryParse.
 */
const CONTROL_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]|#(?=#(?:vso)?\[)/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text as one line for people: each control character as a visible escape, such as `\n` or `\u001b`. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, it => SHORT[it] ?? escaped(it));
}

/** A path at the beginning of a line, where GitHub takes what begins with `::` for a command. */
export const printablePath = (path: string): string => printable(path.replace(/^(?=\s*::)/, './'));

/** A line of source with as many UTF-16 units as before: tabs stay, other control characters become U+FFFD. */
export function printableSource(line: string): string {
  return line.replace(CONTROL_CHARACTERS, it => (it === '\t' ? it : '\ufffd'.repeat(it.length)));
}

/**
 * A value as JSON whose text is printable: control characters are written as `\uXXXX`, which JSON parsers decode.
 * JSON.stringify itself escapes C0 controls only.
 * @param indent spaces of each level; 0 gives one line
 */
export function printableJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent);
  // Line feeds occur only as indentation.
  return text.replace(CONTROL_CHARACTERS, it => (it === '\n' ? it : escaped(it)));
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map(i => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Plain data with each of its strings printable; for texts that are coloured later. */
export function printableStrings<T>(data: T): T {
  if (typeof data === 'string') return printable(data) as T & string;
  if (Array.isArray(data)) return data.map(printableStrings) as T & unknown[];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, it]) => [printable(key), printableStrings(it)])) as T;
}
