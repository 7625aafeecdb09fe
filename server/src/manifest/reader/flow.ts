import { t } from '../../base/l10n';
import { collectionNode, scalarNode, type YamlNode } from './node';
import { endOfPlain, readFlowPlain } from './plain';
import { attach, onAlias, onProperty, type Properties, readAlias, readProperty } from './properties';
import { readQuoted } from './quoted';
import {
  atEnd,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOUBLE_QUOTE,
  endOfLine,
  enter,
  HASH,
  isBlankOrEnd,
  isBreakOrEnd,
  LAST_LISTED,
  OPEN_BRACE,
  OPEN_BRACKET,
  onDash,
  QUESTION,
  type ReaderState,
  report,
  SINGLE_QUOTE,
  skipBlank,
  trimmedEnd,
} from './reading';

/** Where a collection may count as unclosed: at a line that is not indented deeper than `indent`. */
interface Cutoff {
  readonly indent: number;
}
const NO_CUTOFF: Cutoff = { indent: -1 };

/**
 * Reads a collection in brackets or braces. If that finds an error, it is read once more as ending before the first
 * line that looks like a key or list item of the enclosing block, so that an unclosed bracket does not swallow it.
 */
export function readFlow(r: ReaderState, indent: number): YamlNode {
  const { at, lineStart, first, tab, depth } = r;
  const problems = r.problems.length;
  const last = r.problems.slice(-LAST_LISTED);
  const comments = r.comments.length;
  const node = readCollection(r, NO_CUTOFF);
  if (r.problems.length === problems || indent < 0) return node;
  Object.assign(r, { at, lineStart, first, tab, depth });
  // Earlier problems may now count others, so they are restored, too.
  r.problems.length = problems - last.length;
  for (const it of last) r.problems.push(it);
  r.comments.length = comments;
  return readCollection(r, { indent });
}

function readCollection(r: ReaderState, cutoff: Cutoff): YamlNode {
  return r.text.charCodeAt(r.at) === OPEN_BRACE ? readFlowMap(r, cutoff) : readFlowSequence(r, cutoff);
}

/** Whether the collection counts as unclosed at the current offset. */
function isCut(r: ReaderState, cutoff: Cutoff): boolean {
  if (atEnd(r)) return true;
  if (cutoff.indent < 0 || r.at !== r.first || r.at - r.lineStart > cutoff.indent) return false;
  return onDash(r) || r.text.charCodeAt(endOfPlain(r.text, r.at)) === COLON;
}

function reportUnclosed(r: ReaderState, node: YamlNode): void {
  const open = r.text[node.start]!;
  const close = open === '{' ? '}' : ']';
  const message = (): string => t`This ${open} is never closed: add ${close} where the value ends.`;
  report(r, 'syntax/unclosed', message, node.start, node.start + 1);
}

function close(r: ReaderState, node: YamlNode, end: number): YamlNode {
  node.end = end;
  r.depth--;
  return node;
}

function isClosing(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

/**
 * Moves to the next entry and returns whether there is one; if not, the collection is closed. `hadEntry`: offset of the
 * previous entry's end, -1 before the first and after a comma.
 */
function nextEntry(r: ReaderState, node: YamlNode, cutoff: Cutoff, hadEntry: { at: number }, closing: number): boolean {
  for (;;) {
    const before = r.at;
    skipBlank(r);
    if (isCut(r, cutoff)) {
      reportUnclosed(r, node);
      // The rest belongs to the enclosing block, whose reader needs its line break.
      close(r, node, trimmedEnd(r.text, node.start, before));
      return false;
    }
    const code = r.text.charCodeAt(r.at);
    if (code === COMMA) {
      if (hadEntry.at === -1)
        report(r, 'syntax/yaml', () => t('There is a comma too many: remove it.'), r.at, r.at + 1);
      hadEntry.at = -1;
      r.at++;
      continue;
    }
    if (isClosing(code)) {
      if (code !== closing) {
        const wanted = closing === CLOSE_BRACE ? '}' : ']';
        report(r, 'syntax/unclosed', () => t`Here a ${wanted} is expected, not ${r.text[r.at]}.`, r.at, r.at + 1);
      }
      r.at++;
      close(r, node, r.at);
      return false;
    }
    if (hadEntry.at !== -1) reportMissingComma(r, hadEntry.at);
    hadEntry.at = r.at;
    return true;
  }
}

function reportMissingComma(r: ReaderState, start: number): void {
  const end = Math.max(r.at + 1, endOfWord(r.text, r.at));
  const looksLikeTemplate = r.text.slice(Math.max(0, start - 2), start + 1).includes('{{');
  report(
    r,
    'syntax/yaml',
    () => (looksLikeTemplate ? template() : t('A comma is missing before this entry.')),
    r.at,
    end,
  );
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (!isBlankOrEnd(text.charCodeAt(at)) && text.charCodeAt(at) !== COMMA) at++;
  return at;
}

const template = (): string =>
  t(
    'This looks like a template ({{ … }}), which is no YAML before it is rendered: put the value in quotes, or check the rendered output.',
  );

function readFlowMap(r: ReaderState, cutoff: Cutoff): YamlNode {
  const node = collectionNode('map', r.at, -1);
  enter(r);
  r.at++;
  const had = { at: -1 };
  while (nextEntry(r, node, cutoff, had, CLOSE_BRACE)) {
    const before = r.at;
    if (isExplicitKey(r)) skipExplicitMark(r);
    const key = readFlowNode(r, cutoff);
    had.at = r.at;
    node.children.push(key, readFlowValue(r, cutoff) ?? emptyAt(key.end));
    if (key.kind === 'map' || key.kind === 'seq') reportCollectionKey(r, key);
    had.at = r.at;
    if (r.at === before) r.at++;
  }
  return node;
}

function reportCollectionKey(r: ReaderState, key: YamlNode): void {
  const message = (): string =>
    r.text.charCodeAt(key.start + 1) === OPEN_BRACE || r.text.charCodeAt(key.start - 1) === OPEN_BRACE
      ? template()
      : t('A key must be a text or a number, not a list or a mapping.');
  report(r, 'syntax/key', message, key.start, key.end);
}

function skipExplicitMark(r: ReaderState): void {
  r.at++;
  skipBlank(r);
}

function isExplicitKey(r: ReaderState): boolean {
  return r.text.charCodeAt(r.at) === QUESTION && isBlankOrEnd(r.text.charCodeAt(r.at + 1));
}

/** Reads `: value` at the current offset, if present. */
function readFlowValue(r: ReaderState, cutoff: Cutoff): YamlNode | undefined {
  const { at, lineStart, first, tab } = r;
  const comments = r.comments.length;
  skipBlank(r);
  if (r.text.charCodeAt(r.at) !== COLON || isCut(r, cutoff)) {
    Object.assign(r, { at, lineStart, first, tab });
    r.comments.length = comments;
    return undefined;
  }
  r.at++;
  const afterColon = r.at;
  const { lineStart: line, first: firstBefore, tab: tabBefore } = r;
  skipBlank(r);
  const code = r.text.charCodeAt(r.at);
  if (code === COMMA || isClosing(code) || isCut(r, cutoff)) {
    Object.assign(r, { at: afterColon, lineStart: line, first: firstBefore, tab: tabBefore });
    return emptyAt(afterColon);
  }
  return readFlowNode(r, cutoff);
}

function emptyAt(offset: number): YamlNode {
  return scalarNode(offset, offset, '', 'plain');
}

function readFlowSequence(r: ReaderState, cutoff: Cutoff): YamlNode {
  const node = collectionNode('seq', r.at, -1);
  enter(r);
  r.at++;
  const had = { at: -1 };
  while (nextEntry(r, node, cutoff, had, CLOSE_BRACKET)) {
    const before = r.at;
    if (isExplicitKey(r)) skipExplicitMark(r);
    const item = readFlowNode(r, cutoff);
    const value = readFlowValue(r, cutoff);
    node.children.push(value === undefined ? item : pairOf(item, value));
    had.at = r.at;
    if (r.at === before) r.at++;
  }
  return node;
}

/** `[key: value]` is a list with a mapping of one entry. */
function pairOf(key: YamlNode, value: YamlNode): YamlNode {
  const pair = collectionNode('map', key.start, -1);
  pair.children.push(key, value);
  pair.end = value.end;
  return pair;
}

function readFlowNode(r: ReaderState, cutoff: Cutoff): YamlNode {
  const properties: Properties = { anchor: '', tag: '' };
  while (onProperty(r)) {
    readProperty(r, properties);
    skipBlank(r);
  }
  if (isCut(r, cutoff)) return attach(r, emptyAt(r.at), properties);
  const code = r.text.charCodeAt(r.at);
  if (code === COMMA || isClosing(code)) return attach(r, emptyAt(r.at), properties);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return readAnchored(r, cutoff, properties);
  return attach(r, readFlowScalar(r, code, cutoff), properties);
}

function readAnchored(r: ReaderState, cutoff: Cutoff, properties: Properties): YamlNode {
  const node = readCollection(r, cutoff);
  return attach(r, node, properties);
}

function readFlowScalar(r: ReaderState, code: number, cutoff: Cutoff): YamlNode {
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return readQuoted(r, mayFollowInFlow);
  if (onAlias(r)) return readAlias(r);
  if (code === COLON && isBlankOrEnd(r.text.charCodeAt(r.at + 1))) return emptyAt(r.at);
  if (onDash(r)) {
    report(
      r,
      'syntax/yaml',
      () => t('Inside brackets list items are separated by commas, without a dash.'),
      r.at,
      r.at + 1,
    );
    r.at++;
    skipBlank(r);
    return emptyAt(r.at);
  }
  reportBadStart(r, code);
  return readFlowPlain(r, cutoff.indent);
}

function mayFollowInFlow(code: number): boolean {
  return isBreakOrEnd(code) || code === COMMA || code === COLON || code === HASH || isClosing(code);
}

/** Reports a character that cannot begin plain text. */
export function reportBadStart(r: ReaderState, code: number): void {
  const char = r.text[r.at]!;
  const isBad = '@`%|>]},'.includes(char) || (code === QUESTION && isExplicitKey(r));
  if (!isBad) return;
  const end = trimmedEnd(r.text, r.at, endOfLine(r.text, r.at));
  report(r, 'syntax/yaml', () => t`A value can't begin with ${char}: put it in quotes.`, r.at, end);
}
