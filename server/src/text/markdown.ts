import { printable } from './printable';

/** What Markdown (CommonMark with GitHub's tables and autolinks) reads as more than the character itself. */
const MEANINGFUL = /[\\`*_[\]<>#|!~&]|:(?=\/\/)|(?<=\bwww)\.|@/g;

/** A text that Markdown shows as it is: no emphasis, code, table cell, HTML, image or link comes of it. Lines stay. */
export function plainMarkdown(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map(printable);
  return lines.join('\n').replace(MEANINGFUL, '\\$&');
}

/** A text on one line as inline code, whatever backticks it has (CommonMark, section 6.1). */
export function codeSpan(text: string): string {
  const shown = printable(text);
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^`|`$|^ .* $/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Lines as a fenced code block that no line of theirs can end. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const lines = text.split('\n').map(printable);
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, it) => Math.max(longest, it.length), 0);
}
