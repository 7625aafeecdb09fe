import { t } from '../../../base/l10n';
import type { FileEdit } from '../../../rules/framework/problem';
import type { Span } from '../../../text/span';
import type { Definition } from '../../../workspace/references/definitions';
import type { Use } from '../../../workspace/references/references';
import type { Snapshot } from '../../../workspace/workspace';
import { locationOfDefinition, locationOfUse, type NameAt, nameAt } from './definition';
import type { Location } from './location';

/** Edits, or a sentence why there are none. */
export type Renaming = { readonly edits: readonly FileEdit[] } | { readonly refusal: string };

/** The name at an offset, without its quotes, or why it cannot be renamed. */
export function renamable(
  snapshot: Snapshot,
  uri: string,
  offset: number,
): { readonly span: Span; readonly name: string } | { readonly refusal: string } {
  const found = nameAt(snapshot, uri, offset);
  if (found === undefined) return { refusal: nothingHere() };
  const refusal = refusalOf(snapshot, found);
  if (refusal !== undefined) return { refusal };
  return { span: withoutQuotes(snapshot, { uri, span: found.span }).span, name: found.name };
}

/** Edits that rename a name and all its uses in a snapshot, keeping quotes. */
export function rename(snapshot: Snapshot, uri: string, offset: number, newName: string): Renaming {
  const found = nameAt(snapshot, uri, offset);
  if (found === undefined) return { refusal: nothingHere() };
  const refusal = refusalOf(snapshot, found) ?? refusalOfName(snapshot, found, newName);
  if (refusal !== undefined) return { refusal };
  const places = [...found.definitions.map(locationOfDefinition), ...found.uses.map(locationOfUse)];
  const distinct = new Map(places.map(it => [`${it.uri} ${it.span.start}`, it]));
  return {
    edits: [...distinct.values()].map(it => {
      const { span, isQuoted } = withoutQuotes(snapshot, it);
      return { uri: it.uri, span, newText: isQuoted || isPlain(newName) ? newName : JSON.stringify(newName) };
    }),
  };
}

/** Renames in all snapshots with the object; fails if one of them refuses. */
export function renameInAll(snapshots: readonly Snapshot[], uri: string, offset: number, newName: string): Renaming {
  const all = snapshots.map(it => rename(it, uri, offset, newName));
  const edits = new Map<string, FileEdit>();
  for (const renaming of all) {
    if ('refusal' in renaming) return renaming;
    for (const it of renaming.edits) edits.set(`${it.uri} ${it.span.start}`, it);
  }
  return { edits: [...edits.values()] };
}

const nothingHere = (): string => t('There is no name of an object, or inside one, at this place.');

function refusalOf(snapshot: Snapshot, { name, definitions, uses }: NameAt): string | undefined {
  if (name === '' || uses.some(isSelector)) return t('A selector is not renamed: it may choose other Pods, too.');
  if (/^\d+$/.test(name)) return t('A number is not renamed.');
  if (definitions.length === 0) return t`${name} is not defined in this workspace.`;
  const made = definitions.find(it => textAt(snapshot, locationOfDefinition(it)) !== name);
  return made && t`${name} is made by ${inWords(made)}; rename what it is made from.`;
}

function refusalOfName(snapshot: Snapshot, { definitions }: NameAt, newName: string): string | undefined {
  if (!/^[A-Za-z0-9](?:[-A-Za-z0-9_.:]*[A-Za-z0-9])?$/.test(newName)) return t`${newName} cannot be a name.`;
  const [first] = definitions;
  if (first === undefined || first.at.toString() !== 'metadata.name') return undefined;
  const { group, kind, namespace } = first.object;
  if (!/^[a-z0-9](?:[-a-z0-9.:]*[a-z0-9])?$/.test(newName)) {
    return t`${newName} cannot be the name of a ${kind}: lower case letters, digits, "-" and "." only.`;
  }
  const taken = snapshot.find(group, kind, namespace, newName).length > 0;
  return taken ? t`There is a ${kind} ${newName} already.` : undefined;
}

function isSelector({ reference }: Use): boolean {
  return reference.target.to === 'pods';
}

function inWords({ object }: Definition): string {
  return `${object.kind} ${object.name ?? ''}`.trim();
}

/** Whether YAML reads a plain scalar as this string. */
function isPlain(name: string): boolean {
  return !/^(?:[-+.\d][\d._eExXobA-Fa-f+:-]*|true|false|null|yes|no|on|off|y|n)$/i.test(name);
}

function textAt(snapshot: Snapshot, place: Location): string {
  const { span } = withoutQuotes(snapshot, place);
  return textOf(snapshot, place.uri).slice(span.start, span.end);
}

function withoutQuotes(
  snapshot: Snapshot,
  { uri, span }: Location,
): { readonly span: Span; readonly isQuoted: boolean } {
  const isQuoted = /^(["']).*\1$/s.test(textOf(snapshot, uri).slice(span.start, span.end));
  return { span: isQuoted ? { start: span.start + 1, end: span.end - 1 } : span, isQuoted };
}

function textOf(snapshot: Snapshot, uri: string): string {
  return snapshot.files.get(uri)?.text ?? '';
}
