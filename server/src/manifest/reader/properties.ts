import { t } from '../../base/l10n';
import { aliasNode, type YamlNode } from './node';
import {
  AMPERSAND,
  ASTERISK,
  BANG,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isBlankOrEnd,
  type ReaderState,
  report,
} from './reading';

/** Anchor and tag before a node. */
export interface Properties {
  anchor: string;
  tag: string;
}

export function onProperty(r: ReaderState): boolean {
  const code = r.text.charCodeAt(r.at);
  return code === AMPERSAND || code === BANG;
}

/** Reads one `&anchor` or `!tag`. */
export function readProperty(r: ReaderState, into: Properties): void {
  const isAnchor = r.text.charCodeAt(r.at) === AMPERSAND;
  const word = readWord(r);
  if (isAnchor) into.anchor = word.slice(1);
  else into.tag = word;
  if (word === '&') report(r, 'syntax/yaml', () => t('A name must follow this &.'), r.at - 1, r.at);
}

function readWord(r: ReaderState): string {
  const start = r.at;
  let at = start + 1;
  if (r.text.startsWith('!<', start)) {
    const close = r.text.slice(start, start + 200).search(/[>\s]/);
    if (close !== -1) at = start + close;
  }
  for (;;) {
    const code = r.text.charCodeAt(at);
    if (isBlankOrEnd(code) || code === COMMA || code === CLOSE_BRACKET || code === CLOSE_BRACE) break;
    at++;
  }
  r.at = at;
  return r.text.slice(start, at);
}

/** Sets the properties of a node. An anchor is valid from here on (the last one of a name wins). */
export function attach(r: ReaderState, node: YamlNode, { anchor, tag }: Properties): YamlNode {
  if (tag !== '') node.tag = tag;
  if (anchor !== '') {
    node.anchor = anchor;
    r.anchors.set(anchor, node);
  }
  return node;
}

export function onAlias(r: ReaderState): boolean {
  return r.text.charCodeAt(r.at) === ASTERISK;
}

export function readAlias(r: ReaderState): YamlNode {
  const start = r.at;
  const name = readWord(r).slice(1);
  const target = r.anchors.get(name);
  if (target === undefined) {
    const message = (): string =>
      name === ''
        ? "A value can't begin with *: put it in quotes, or write the name of an anchor after it."
        : t`There is no anchor &${name} above in this document: define it before it is used, or quote the value.`;
    report(r, 'syntax/alias', message, start, r.at);
  }
  return aliasNode(start, r.at, name, target);
}
