import { elided } from '../../../base/shortened';
import { FieldPath } from '../../../manifest/fieldPath';
import type { Entry } from '../../../manifest/manifest';
import type { Span } from '../../../text/span';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';

export interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'object' | Entry['kind'];
  readonly span: Span;
  /** The span to navigate to, inside of `span`. */
  readonly selection: Span;
  readonly children: readonly DocumentSymbol[];
}

export interface WorkspaceSymbol {
  readonly name: string;
  /** Namespace and apiVersion. */
  readonly container: string;
  readonly uri: string;
  readonly span: Span;
}

/** An editor asks for the symbols of a whole file after each edit. */
const MOST_SYMBOLS = 20_000;

/** The objects of a file by kind and name, with their fields; of a file with very many, the outer levels only. */
export function documentSymbolsOf(snapshot: Snapshot, uri: string): readonly DocumentSymbol[] {
  const objects = snapshot.objectsIn(uri).filter(it => it.kind !== '');
  return withoutInnerLevels(
    objects.slice(0, MOST_SYMBOLS).map(object => {
      const { manifest } = object;
      const entries = manifest.entries().filter(it => it.name !== 'apiVersion' && it.name !== 'kind');
      return {
        name: nameOf(object),
        detail: containerOf(object),
        kind: 'object',
        span: manifest.span,
        selection: nameSpan(object),
        children: entries.map(entrySymbol),
      };
    }),
  );
}

/** As many levels as hold no more than `MOST_SYMBOLS` symbols, and the outermost one. */
function withoutInnerLevels(symbols: readonly DocumentSymbol[]): readonly DocumentSymbol[] {
  let depth = 0;
  let count = 0;
  let level = symbols;
  while (level.length > 0 && count + level.length <= MOST_SYMBOLS) {
    depth += 1;
    count += level.length;
    level = level.flatMap(it => it.children);
  }
  return level.length === 0 ? symbols : outerLevels(symbols, depth);
}

const outerLevels = (symbols: readonly DocumentSymbol[], depth: number): readonly DocumentSymbol[] =>
  symbols.map(it => ({ ...it, children: depth > 1 ? outerLevels(it.children, depth - 1) : [] }));

/** An object's name, or its `generateName`. */
const nameOf = ({ kind, name, manifest: { value } }: WorkspaceObject): string => {
  const meta = value.metadata as { readonly generateName?: unknown } | null | undefined;
  const shown = name ?? (typeof meta?.generateName === 'string' ? `${meta.generateName}…` : '');
  return `${kind} ${shown}`.trim();
};

const containerOf = ({ namespace, apiVersion }: WorkspaceObject): string =>
  namespace === undefined ? apiVersion : `${apiVersion} · ${namespace}`;

function nameSpan({ manifest, name }: WorkspaceObject): Span {
  return manifest.spanOf(name === undefined ? FieldPath.of('kind') : FieldPath.of('metadata', 'name'), 'value');
}

function entrySymbol({ name, kind, text, span, key, children }: Entry): DocumentSymbol {
  const own = typeof name === 'number' ? itemName(name, children) : name;
  // Scalars of a list are readable in the text itself.
  const shown = kind === 'list' ? children.filter(it => it.kind !== 'scalar') : children;
  return {
    name: own === '' ? '""' : own,
    detail: kind === 'scalar' ? brief(text) : '',
    kind,
    span,
    selection: key,
    children: shown.map(entrySymbol),
  };
}

/** Fields that identify the items of a list, the best first. */
const NAMING = ['name', 'key', 'topologyKey', 'containerPort', 'port', 'type', 'path', 'kind', 'effect', 'weight'];

function itemName(index: number, fields: readonly Entry[]): string {
  const scalars = fields.filter(it => it.kind === 'scalar' && it.text !== '');
  const naming = NAMING.map(name => scalars.find(it => it.name === name)).find(it => it !== undefined);
  return naming === undefined ? `[${index}]` : brief(naming.text);
}

const MAX_LENGTH = 60;

function brief(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? '';
  return elided(line.length < text.trim().length ? `${line}…` : line, MAX_LENGTH);
}

/** The maximum number of symbols; the editor asks again as more is typed. */
const MAX_FOUND = 256;

/** The objects whose kind and name contain the letters of a query in order, the closest first. */
export function workspaceSymbolsFor(objects: readonly WorkspaceObject[], query: string): readonly WorkspaceSymbol[] {
  const letters = query.toLowerCase().replace(/\s/g, '');
  return objects
    .filter(it => it.kind !== '' && it.name !== undefined)
    .map(object => ({ object, name: nameOf(object) }))
    .filter(it => holdsLetters(it.name.toLowerCase(), letters))
    .sort((a, b) => distance(a.name, letters) - distance(b.name, letters) || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_FOUND)
    .map(({ object, name }) => ({
      name,
      container: containerOf(object),
      uri: object.manifest.uri,
      span: nameSpan(object),
    }));
}

function holdsLetters(name: string, letters: string): boolean {
  let at = 0;
  for (const char of letters) {
    at = name.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function distance(name: string, letters: string): number {
  const at = name.toLowerCase().replace(/\s/g, '').indexOf(letters);
  return at === -1 ? Number.POSITIVE_INFINITY : name.length;
}
