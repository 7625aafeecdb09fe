import { t } from '../../base/l10n';
import { readBlockScalar } from './blockScalar';
import { readFlow, reportBadStart } from './flow';
import { collectionNode, scalarNode, type YamlNode } from './node';
import { endOfPlain, readPlain } from './plain';
import { attach, onAlias, onProperty, type Properties, readAlias, readProperty } from './properties';
import { endOfQuoted, readQuoted } from './quoted';
import {
  atEnd,
  COLON,
  column,
  DASH,
  DOUBLE_QUOTE,
  endOfLine,
  enter,
  GREATER,
  HASH,
  isBlankOrEnd,
  isBreakOrEnd,
  OPEN_BRACE,
  OPEN_BRACKET,
  onDash,
  PIPE,
  QUESTION,
  type ReaderState,
  report,
  SINGLE_QUOTE,
  SPACE,
  skipBlank,
  skipLine,
  TAB,
  trimmedEnd,
} from './reading';

/** What precedes a node: it decides whether a block may begin on the same line, and its minimum indentation. */
type After = 'colon' | 'dash' | 'start';

function emptyNode(offset: number): YamlNode {
  return scalarNode(offset, offset, '', 'plain');
}

/**
 * Reads the node after an indicator; its lines are indented deeper than `indent` (after a key's colon, a list may be at
 * `indent` itself). A missing node is an empty scalar.
 */
export function readNode(r: ReaderState, indent: number, after: After): YamlNode {
  const line = r.lineStart;
  const properties: Properties = { anchor: '', tag: '' };
  let emptyAt = r.at;
  let lineOfProperties = -1;
  skipBlank(r);
  for (;;) {
    if (atEnd(r)) return attach(r, emptyNode(emptyAt), properties);
    if (r.lineStart !== line && !belongs(r, indent, after)) return attach(r, emptyNode(emptyAt), properties);
    if (!onProperty(r)) break;
    // Properties on the line of a key belong to the key, not to the mapping that begins with it.
    if (mayBeBlock(r, line, after) && keyAfterProperties(r)) break;
    lineOfProperties = r.lineStart;
    readProperty(r, properties);
    emptyAt = r.at;
    skipBlank(r);
  }
  const mayBlock = mayBeBlock(r, line, after) && r.lineStart !== lineOfProperties;
  return attach(r, readContent(r, indent, mayBlock ? 'block' : 'inline'), properties);
}

function belongs(r: ReaderState, indent: number, after: After): boolean {
  const at = column(r);
  return at > indent || (after === 'colon' && at === indent && onDash(r));
}

function mayBeBlock(r: ReaderState, line: number, after: After): boolean {
  return after !== 'colon' || r.lineStart !== line;
}

function keyAfterProperties(r: ReaderState): boolean {
  let at = r.at;
  while (r.text[at] === '&' || r.text[at] === '!') {
    while (!isBlankOrEnd(r.text.charCodeAt(at))) at++;
    while (r.text.charCodeAt(at) === SPACE || r.text.charCodeAt(at) === TAB) at++;
  }
  return endOfKey(r.text, at) !== -1;
}

function readContent(r: ReaderState, indent: number, place: 'block' | 'inline'): YamlNode {
  const code = r.text.charCodeAt(r.at);
  if (code === DASH && onDash(r)) {
    if (place === 'inline') {
      report(r, 'syntax/yaml', () => t('A list must begin on a line of its own, below its key.'), r.at, r.at + 1);
    }
    return readSequence(r, column(r));
  }
  if (place === 'block' && (onExplicitKey(r) || endOfKey(r.text, r.at) !== -1)) return readMap(r, column(r));
  if (code === PIPE || code === GREATER) return readBlockScalar(r, indent);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return readFlow(r, indent);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return readQuoted(r, mayFollowInBlock);
  if (onAlias(r)) return readAlias(r);
  reportBadStart(r, code);
  return place === 'inline' ? readInlinePlain(r, indent) : readBlockPlain(r, indent);
}

function mayFollowInBlock(code: number): boolean {
  return isBreakOrEnd(code) || code === HASH || code === COLON;
}

/** A text on the line of its key; a second `: ` in it is an error, and the rest of the line counts as the text. */
function readInlinePlain(r: ReaderState, indent: number): YamlNode {
  const start = r.at;
  const node = readPlain(r, indent);
  const stop = endOfPlain(r.text, start);
  if (r.text.charCodeAt(stop) !== COLON) return node;
  const end = endOfText(r.text, start);
  const message = (): string =>
    t('A value can\'t hold ": " without quotes: quote the value, or begin a new line for the inner key.');
  report(r, 'syntax/yaml', message, stop, stop + 1);
  r.at = end;
  return scalarNode(start, end, r.text.slice(start, end), 'quoted');
}

function endOfText(text: string, from: number): number {
  const lineEnd = endOfLine(text, from);
  const comment = text.slice(from, lineEnd).search(/[ \t]#/);
  return trimmedEnd(text, from, comment === -1 ? lineEnd : from + comment);
}

/** A text on lines of its own. If keys or items follow in its column, it is a line that is still being typed. */
function readBlockPlain(r: ReaderState, indent: number): YamlNode {
  const at = column(r);
  const node = readPlain(r, indent);
  const { text } = r;
  if (!isNextLineEntry(text, r.at, at)) return node;
  reportNoColon(r, node.start, node.end);
  skipBlank(r);
  return onDash(r) ? readSequence(r, at) : readMap(r, at);
}

function isNextLineEntry(text: string, from: number, at: number): boolean {
  const rest = /(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))+( *)(?=[^\s#])/y;
  rest.lastIndex = from;
  const match = rest.exec(text);
  if (match === null || match[1]!.length !== at) return false;
  const start = rest.lastIndex;
  const isDash = text.charCodeAt(start) === DASH && isBlankOrEnd(text.charCodeAt(start + 1));
  return isDash || endOfKey(text, start) !== -1;
}

function reportNoColon(r: ReaderState, start: number, end: number): void {
  const word = r.text.slice(start, Math.min(end, start + 40)).split(/[\r\n]/)[0]!;
  report(r, 'syntax/missing-colon', () => t`A colon is missing after the key: write "${word}: …" here.`, start, end);
}

function onExplicitKey(r: ReaderState): boolean {
  return r.text.charCodeAt(r.at) === QUESTION && isBlankOrEnd(r.text.charCodeAt(r.at + 1));
}

/** Offset of the colon of the `key:` at an offset; -1 if there is no key. */
export function endOfKey(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
    const { end, multiline } = endOfQuoted(text, start);
    return end === -1 || multiline ? -1 : colonAt(text, end);
  }
  if (code === OPEN_BRACE || code === OPEN_BRACKET) {
    const line = text.slice(start, endOfLine(text, start));
    const match = /^[[{].*[\]}][ \t]*:(?=[ \t]|$)/.exec(line);
    return match === null || /[\]}][ \t]*[,\]}]/.test(line) ? -1 : start + match[0].length - 1;
  }
  const stop = endOfPlain(text, start);
  return text.charCodeAt(stop) === COLON ? stop : -1;
}

function colonAt(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at++;
  return text.charCodeAt(at) === COLON && isBlankOrEnd(text.charCodeAt(at + 1)) ? at : -1;
}

/** Reads the key at the current offset and stops after the colon; undefined if there is no key. */
function readKey(r: ReaderState): YamlNode | undefined {
  const properties: Properties = { anchor: '', tag: '' };
  while (onProperty(r)) {
    readProperty(r, properties);
    while (r.text.charCodeAt(r.at) === SPACE || r.text.charCodeAt(r.at) === TAB) r.at++;
  }
  const start = r.at;
  const colon = endOfKey(r.text, start);
  if (colon === -1) return undefined;
  const key = readKeyNode(r, start, colon);
  r.at = colon + 1;
  return attach(r, key, properties);
}

function readKeyNode(r: ReaderState, start: number, colon: number): YamlNode {
  const code = r.text.charCodeAt(start);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return readQuoted(r, mayFollowInBlock);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) {
    const key = readFlow(r, -1);
    report(r, 'syntax/key', () => t('A key must be a text or a number, not a list or a mapping.'), start, key.end);
    return key;
  }
  if (onAlias(r)) return readAlias(r);
  reportBadStart(r, code);
  const end = trimmedEnd(r.text, start, colon);
  return scalarNode(start, end, r.text.slice(start, end), 'plain');
}

/** Reads a block mapping whose keys are in column `at`. */
function readMap(r: ReaderState, at: number): YamlNode {
  const node = collectionNode('map', r.at, at);
  enter(r);
  readEntries(r, node, at);
  r.depth--;
  return node;
}

function readEntries(r: ReaderState, node: YamlNode, at: number): void {
  let entryColumn = at;
  for (;;) {
    readEntry(r, node, entryColumn);
    skipToNextLine(r);
    if (atEnd(r)) return;
    const next = column(r);
    if (next < at) return;
    if (next > at) reportIndentation(r, next, at);
    if (onDash(r)) {
      readStrayItems(r, node, next);
      if (atEnd(r) || column(r) < at) return;
    }
    entryColumn = Math.max(at, column(r));
  }
}

/** Reports list items where a key is expected and, below a key without a value, uses them as its value. */
function readStrayItems(r: ReaderState, node: YamlNode, at: number): void {
  const message = (): string =>
    t('This list item stands where a key is expected: indent it below the list it belongs to.');
  let itemColumn = at;
  do {
    report(r, 'syntax/indentation', message, r.at, trimmedEnd(r.text, r.at, endOfLine(r.text, r.at)));
    const items = readSequence(r, itemColumn);
    const last = node.children[node.children.length - 1];
    if (last !== undefined && last.start === last.end) node.children[node.children.length - 1] = items;
    skipToNextLine(r);
    itemColumn = atEnd(r) ? -1 : column(r);
  } while (!atEnd(r) && onDash(r) && itemColumn >= node.column);
}

function reportIndentation(r: ReaderState, is: number, wanted: number): void {
  const message = (): string =>
    t`This line is indented by ${is} spaces, the lines it belongs to by ${wanted}: line it up with them.`;
  if (r.problems.at(-1)?.code === 'syntax/tab') return;
  report(r, 'syntax/indentation', message, r.at, trimmedEnd(r.text, r.at, endOfLine(r.text, r.at)));
}

function readEntry(r: ReaderState, node: YamlNode, at: number): void {
  const start = r.at;
  if (onExplicitKey(r)) {
    readExplicitEntry(r, node, at);
    return;
  }
  const key = readKey(r);
  if (key === undefined) {
    r.at = start;
    const end = endOfText(r.text, start);
    if (/^["']/.test(r.text.slice(start, end)) && endOfQuoted(r.text, start).end === -1)
      readQuoted(r, mayFollowInBlock);
    else if (end > start) reportNoColon(r, start, end);
    skipLine(r);
    node.end = Math.max(node.end, end);
    return;
  }
  const value = readNode(r, at, 'colon');
  node.children.push(key, value);
  node.end = Math.max(value.end, r.text.charCodeAt(key.end) === COLON ? key.end + 1 : key.end);
}

function readExplicitEntry(r: ReaderState, node: YamlNode, at: number): void {
  r.at++;
  const key = readNode(r, at, 'dash');
  if (key.kind === 'map' || key.kind === 'seq') {
    report(r, 'syntax/key', () => t('A key must be a text or a number, not a list or a mapping.'), key.start, key.end);
  }
  skipBlank(r);
  const hasValue =
    !atEnd(r) && column(r) === at && r.text.charCodeAt(r.at) === COLON && isBlankOrEnd(r.text.charCodeAt(r.at + 1));
  if (!hasValue) {
    node.children.push(key, emptyNode(key.end));
    node.end = key.end;
    return;
  }
  r.at++;
  const value = readNode(r, at, 'dash');
  node.children.push(key, value);
  node.end = value.end;
}

/** Moves to the first token of a later line; the rest of the current line is reported. */
function skipToNextLine(r: ReaderState): void {
  skipBlank(r);
  while (!atEnd(r) && r.at !== r.first) {
    const end = trimmedEnd(r.text, r.at, endOfLine(r.text, r.at));
    const message = (): string =>
      "This can't follow the value on its line: quote the whole value, or begin a new line.";
    report(r, 'syntax/yaml', message, r.at, end);
    skipLine(r);
    skipBlank(r);
  }
}

/** Reads a block sequence whose dashes are in column `at`. */
function readSequence(r: ReaderState, at: number): YamlNode {
  const node = collectionNode('seq', r.at, at);
  enter(r);
  for (;;) {
    node.dashes.push(r.at);
    r.at++;
    const item = readNode(r, at, 'dash');
    node.children.push(item);
    node.end = Math.max(item.end, node.dashes.at(-1)! + 1);
    skipToNextLine(r);
    while (!atEnd(r) && column(r) > at) readLooseLines(r, node, column(r), at);
    if (atEnd(r) || column(r) !== at || !onDash(r)) break;
  }
  r.depth--;
  if (r.depth === 1) r.ends.set(node, atEnd(r) ? r.text.length : r.lineStart);
  return node;
}

/** Reads a block sequence that is the whole text; undefined if the text contains anything else. */
export function readItems(r: ReaderState): YamlNode | undefined {
  skipBlank(r);
  if (atEnd(r) || !onDash(r)) return undefined;
  r.first = r.at;
  const node = readSequence(r, column(r));
  return atEnd(r) ? node : undefined;
}

/** Reads entries of a block mapping that are the whole text; undefined if the text contains anything else. */
export function readEntriesOfMap(r: ReaderState): YamlNode | undefined {
  skipBlank(r);
  if (atEnd(r) || onDash(r) || onExplicitKey(r) || onProperty(r) || endOfKey(r.text, r.at) === -1) return undefined;
  r.first = r.at;
  const node = readMap(r, column(r));
  return atEnd(r) ? node : undefined;
}

/** Lines between the columns of a list's dashes and its items: keys are added to the last item, the rest is dropped. */
function readLooseLines(r: ReaderState, node: YamlNode, is: number, at: number): void {
  const last = node.children.at(-1)!;
  reportIndentation(r, is, last.kind === 'map' && last.column >= 0 ? last.column : at);
  if (onDash(r)) {
    readSequence(r, is);
    return;
  }
  if (last.kind === 'map' && last.column >= 0) {
    readEntries(r, last, is);
    node.end = Math.max(node.end, last.end);
    return;
  }
  if (onExplicitKey(r) || endOfKey(r.text, r.at) !== -1) {
    const map = readMap(r, is);
    if (last.start === last.end) node.children[node.children.length - 1] = map;
    return;
  }
  skipLine(r);
  skipToNextLine(r);
}

/** Reads the root of a document; parts that do not fit together are combined. */
export function readRoot(r: ReaderState): YamlNode | undefined {
  skipBlank(r);
  if (atEnd(r)) return undefined;
  r.first = r.at;
  let root = readNode(r, -1, 'start');
  skipToNextLine(r);
  while (!atEnd(r)) {
    const isKey = onExplicitKey(r) || endOfKey(r.text, r.at) !== -1;
    const looksOpen = root.kind === 'map' && root.column >= 0;
    if (isKey && looksOpen) {
      reportIndentation(r, column(r), root.column);
      readEntries(r, root, column(r));
    } else if (isKey && root.kind === 'scalar') {
      reportNoColon(r, root.start, root.end);
      root = readMap(r, column(r));
    } else {
      const message = (): string =>
        t('This does not belong to the value above: begin a new document with --- or indent it.');
      report(r, 'syntax/yaml', message, r.at, trimmedEnd(r.text, r.at, endOfLine(r.text, r.at)));
      skipLine(r);
    }
    skipToNextLine(r);
  }
  return root;
}
