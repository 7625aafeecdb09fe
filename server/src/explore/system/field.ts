import { t } from '../../base/l10n';
import type { FieldPath } from '../../manifest/fieldPath';
import type { YamlNode } from '../../manifest/reader/node';
import { scalarPositions } from '../../manifest/scalarPositions';
import { shortTag } from '../../manifest/scalars';
import type { Span } from '../../text/span';
import { guessInWords } from './guess';

/** What is wrong at a field of a system. */
export interface SystemProblem {
  /** One clause. */
  readonly message: string;
  readonly path: FieldPath;
  /** Offsets of the file. */
  readonly span: Span;
}

/** Where a document's text stands in its file, and what is wrong with it. */
export interface SystemSource {
  /** The text of the document. */
  readonly text: string;
  /** The offset of the document in its file. */
  readonly offset: number;
  readonly problems: SystemProblem[];
}

/** A value at its place in the text. */
export interface SystemField {
  readonly source: SystemSource;
  readonly path: FieldPath;
  readonly node: YamlNode;
  /** The key, where the value is a field of a mapping. */
  readonly key: YamlNode | undefined;
}

/** A scalar as YAML 1.2 reads it, of which systems know booleans and integers; everything else is a text, or has no use here. */
export type ScalarValue =
  | { readonly kind: 'integer' | 'boolean'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'other' };

const NULL = /^(?:|~|null|Null|NULL)$/;
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const FLOAT = /^[-+]?(?:(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF))$|^\.(?:nan|NaN|NAN)$/;

export function scalarOf(node: YamlNode): ScalarValue {
  const { kind, text, plain, tag } = node;
  if (kind !== 'scalar') return { kind: 'other' };
  const short = tag === '' ? '' : shortTag(tag);
  if (short === '!!str' || short === '!' || (short === '' && !plain)) return { kind: 'text', text };
  if (short !== '' && short !== '!!int' && short !== '!!bool') return { kind: 'other' };
  if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' ? 1 : 0 };
  if (INTEGER.test(text)) return { kind: 'integer', value: Number(text) };
  if (NULL.test(text) || FLOAT.test(text)) return { kind: 'other' };
  return { kind: 'text', text };
}

/** The node that an alias stands for. */
export function followed(node: YamlNode): YamlNode {
  return node.kind === 'alias' && node.target !== undefined ? node.target : node;
}

export function tell({ source, path, node }: SystemField, message: string, span?: Span): void {
  const { start, end } = span ?? node;
  source.problems.push({ message, path, span: { start: start + source.offset, end: end + source.offset } });
}

/** As `tell`, at the name of the field. */
export function tellAtKey(field: SystemField, message: string): void {
  tell(field, message, field.key);
}

/** The fields of a mapping in the order of the text; undefined, and a problem, where it is none. Keys that are written twice are a problem. */
export function fieldsOf(
  field: SystemField,
  keys: 'fields' | 'keys' = 'fields',
): ReadonlyMap<string, SystemField> | undefined {
  const { node, path, source } = field;
  if (node.kind !== 'map') {
    tell(field, t('must be a mapping'));
    return undefined;
  }
  const fields = new Map<string, SystemField>();
  for (let i = 0; i < node.children.length; i += 2) {
    const key = node.children[i]!;
    const name = followed(key).text;
    const at = keys === 'fields' ? path.child(name) : path.key(name);
    const own: SystemField = { source, path: at, node: followed(node.children[i + 1]!), key };
    if (followed(key).kind !== 'scalar') tellAtKey(own, t('must be a name'));
    else if (fields.has(name)) tellAtKey(own, t`"${name}" is given twice`);
    else fields.set(name, own);
  }
  return fields;
}

/** As `fieldsOf`, where only some names are known. */
export function knownFields(
  field: SystemField,
  known: readonly string[],
  required: readonly string[] = [],
): ReadonlyMap<string, SystemField> | undefined {
  const fields = fieldsOf(field);
  if (fields === undefined) return undefined;
  for (const [name, it] of fields) {
    if (known.includes(name)) continue;
    const others = t`: known are ${known.join(', ')}`;
    tellAtKey(it, t`there is no field "${name}" here${guessInWords(name, known, others)}`);
  }
  for (const name of required) {
    if (fields.has(name)) continue;
    const path = field.path.child(name);
    tell({ ...field, path }, t`${name} is missing`, field.key ?? firstChild(field.node));
  }
  return fields;
}

const firstChild = (node: YamlNode): Span => node.children[0] ?? node;

/** The items of a list; none, and a problem, where it is none. */
export function itemsOf(field: SystemField): readonly SystemField[] {
  const { node, path, source } = field;
  if (node.kind !== 'seq') {
    tell(field, t('must be a list'));
    return [];
  }
  return node.children.map((it, i) => ({ source, path: path.index(i), node: followed(it), key: undefined }));
}

/** A text; undefined, and a problem, where it is none. */
export function textOf(field: SystemField): string | undefined {
  const scalar = scalarOf(field.node);
  if (scalar.kind === 'text') return scalar.text;
  tell(field, scalar.kind === 'other' ? t('must be a text') : t`must be a text: write "${field.node.text}" in quotes`);
  return undefined;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const RESERVED: ReadonlySet<string> = new Set(['i', 'at', 'true', 'false']);

/** What is wrong with a name of a process, location, constant or variable. */
export function wrongWithName(name: string): string | undefined {
  if (RESERVED.has(name)) return t`"${name}" has a meaning in expressions and can be no name`;
  return NAME.test(name) ? undefined : t`"${name}" is no name: letters, digits and _, no digit first`;
}

/** A name; undefined, and a problem, where it is none. */
export function nameIn(field: SystemField): string | undefined {
  const text = textOf(field);
  const wrong = text === undefined ? undefined : wrongWithName(text);
  if (wrong !== undefined) tell(field, wrong);
  return wrong === undefined ? text : undefined;
}

/** The place in the document's text of a part of a scalar's value. */
export function spanWithin({ source, node }: Pick<SystemField, 'source' | 'node'>, { start, end }: Span): Span {
  const position = scalarPositions(source.text.slice(node.start, node.end), node.text);
  const from = node.start + position(start);
  return { start: from, end: Math.max(from, node.start + position(end)) };
}
