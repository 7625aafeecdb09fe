import type { Span } from '../text/span';
import type { LocatedTree } from './locate';
import type { Entry } from './manifest';
import type { YamlNode } from './reader/node';
import { fieldName } from './values';

/**
 * All fields and items that are written in an object, in the order of the text; offsets are the tree's own, plus `by`.
 */
export function entriesOf({ root }: LocatedTree, by: number): readonly Entry[] {
  return childrenOf(root, by);
}

function childrenOf(node: YamlNode, by: number): readonly Entry[] {
  if (node.kind === 'seq') return node.children.map((it, i) => itemEntry(it, i, node.dashes[i] ?? it.start, by));
  if (node.kind !== 'map') return [];
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < node.children.length; i += 2) {
    const [key, value] = [node.children[i]!, node.children[i + 1]!];
    const span = { start: key.start, end: Math.max(key.end, value.end) };
    entries.push(entry(fieldName(key) ?? key.text, span, key, value, by));
  }
  return entries;
}

function itemEntry(value: YamlNode, index: number, dash: number, by: number): Entry {
  const span = { start: Math.min(dash, value.start), end: Math.max(value.end, dash + 1) };
  const key = value.kind === 'map' && value.children[0] !== undefined ? value.children[0] : value;
  return entry(index, span, key.start === key.end ? { start: dash, end: dash + 1 } : key, value, by);
}

function entry(name: string | number, span: Span, key: Span, value: YamlNode, by: number): Entry {
  return {
    name,
    span: { start: span.start + by, end: span.end + by },
    key: { start: key.start + by, end: key.end + by },
    value: { start: value.start + by, end: value.end + by },
    kind: value.kind === 'map' ? 'mapping' : value.kind === 'seq' ? 'list' : 'scalar',
    text: value.kind === 'scalar' ? value.text : '',
    children: childrenOf(value, by),
  };
}
