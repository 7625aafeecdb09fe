import { printable } from './printable';

/** Characters with a meaning in Markdown (CommonMark with GitHub's tables and autolinks). */
const MEANINGFUL = /[\\`*_[\]<>#|!~&]|:(?=\/\/)|(?<=\bwww)\.|@/g;

/**
 * A text that Markdown shows literally, without emphasis, code, table cells, HTML, images or links. Line breaks stay.
 */
export function plainMarkdown(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map(printable);
  return lines.join('\n').replace(MEANINGFUL, '\\$&');
}

/** The same as a cell of a table: a line break would end the row. */
export const cellText = (text: string): string => plainMarkdown(text.replace(/(?<!\s)\s*[\r\n]\s*/g, ' '));

/** A text on one line as inline code, with any backticks (CommonMark, section 6.1). */
export function codeSpan(text: string): string {
  const shown = printable(text);
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Lines as a fenced code block whose fence does not occur in them. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const lines = text.split('\n').map(printable);
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, it) => Math.max(longest, it.length), 0);
}
