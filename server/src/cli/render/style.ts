export type Style = 'red' | 'yellow' | 'blue' | 'green' | 'dim' | 'bold';

/** Wraps a text in a terminal's colours, or leaves it alone. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, string>> = {
  red: '31',
  yellow: '33',
  blue: '34',
  green: '32',
  dim: '2',
  bold: '1',
};

export const colourful: Paint = (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m`;
export const plain: Paint = (_, text) => text;

/** "1 file", "2 files". */
export function counted(n: number, one: string, many: string = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** "and 4,812 more", of problems that are counted and not listed. */
export function andMore(more: number): string {
  return `and ${more.toLocaleString('en')} more`;
}

/** A message, and how many others like it are not listed. */
export function withMore(message: string, more: number | undefined): string {
  return more === undefined ? message : `${message} (${andMore(more)} in this file)`;
}

/** Why some files were not read, one sentence about the first of them; there is one at least. */
export function failureOf(unread: readonly { readonly path: string; readonly failure: string }[]): string {
  const [{ path, failure }] = unread as readonly [{ path: string; failure: string }];
  if (unread.length === 1) return `${path}: ${failure}`;
  return `${counted(unread.length, 'file')} could not be read; the first is ${path}: ${failure}`;
}
