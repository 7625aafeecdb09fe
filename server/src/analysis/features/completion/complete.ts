import { asText, type UnknownObject } from '../../../base/json';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import type { KindInfo, Kube, Schema } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';
import { lineStart } from '../../../text/lineStart';
import { isKustomizationName } from '../../../workspace/kustomize';
import type { Snapshot } from '../../../workspace/workspace';
import { describeField, fieldFactsAt } from '../fieldDocs';
import { fieldItems } from './fields';
import { type Completion, type CompletionItem, type DescribedField, NO_COMPLETION } from './item';
import { KUSTOMIZATION_KIND } from './kustomize';
import { objectItems } from './objects';
import { type Layout, layoutOf } from './shape';
import { versionOf } from './sources';
import { type TypedPlace, typedPlaces, writtenFields } from './typedPosition';
import { mapKeyItems, type ValueContext, valueItems } from './values';

export interface CompletionContext {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  /** The Node objects of the file's cluster. */
  readonly nodes: (uri: string) => readonly UnknownObject[];
  /** The content of an external cluster. */
  readonly cluster: ClusterIndex | undefined;
}

export interface CompletionRequest {
  readonly uri: string;
  readonly offset: number;
  /** The character whose typing triggered the request. */
  readonly typed: string | undefined;
}

/** Whether the line is blank before an offset: blanks for indentation should not open a list. */
const isOnlyIndented = (text: string, offset: number): boolean =>
  /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));

/** Completion at an offset of a text that may be broken. */
export function completionAt(context: CompletionContext, { uri, offset, typed }: CompletionRequest): Completion {
  const file = context.snapshot.files.get(uri);
  if (file === undefined || (typed === ' ' && isOnlyIndented(file.text, offset))) return NO_COMPLETION;
  const { kube } = context;
  const isNamespaced = (group: string, version: string, kind: string): boolean | undefined =>
    kube.kindOf(versionOf({ group, version }), kind)?.namespaced;
  const items = typedPlaces(file, offset, isNamespaced).flatMap((place, i) =>
    itemsAt(place, context, uri, layoutOf(file.text, place.style)).map(it => ({ ...it, rank: it.rank + i * PLACE })),
  );
  return { items, isIncomplete: items.some(it => it.kind === 'amount') };
}

/** The difference of ranks between the possible positions of a caret. */
const PLACE = 100;

function itemsAt(
  place: TypedPlace,
  context: CompletionContext,
  uri: string,
  layout: Layout,
): readonly CompletionItem[] {
  const { object, path, part } = place;
  const { kube, snapshot } = context;
  const ofKustomize = isKustomizationName(uri) ? KUSTOMIZATION_KIND : undefined;
  const head = ofKustomize ? { items: [], isAll: false } : headItems(place, kube, layout);
  const kind = ofKustomize ?? kube.kindOf(object.apiVersion, object.kind);
  if (kind === undefined || head.isAll) return head.items;
  const values = { kube, snapshot, nodes: () => context.nodes(uri), cluster: context.cluster, kind, layout };
  const schema = fieldFactsAt(kind, path)?.schema;
  if (schema === undefined) return [];
  if (part === 'key') return keyItems(place, schema, path, values);
  const isBlock = place.style === 'block' && ['object', 'map', 'list'].includes(schema.type);
  return isBlock ? itemsBelow(place, schema, path, values) : valueItems(place, path, values);
}

/** After the colon of a key whose value is no scalar: the value begins on the next line. */
function itemsBelow(
  place: TypedPlace,
  schema: Schema,
  path: FieldPath,
  values: ValueContext,
): readonly CompletionItem[] {
  if (place.quote !== '') return [];
  const { unit, dash } = values.layout;
  const column = place.keyColumn + (schema.type === 'list' ? dash : unit);
  const span = { start: place.span.start - place.gap, end: place.span.end };
  const blanks = ' '.repeat(place.gap);
  return keyItems({ ...place, column, span }, schema, path, values).map(it => ({
    ...it,
    filter: `${blanks}${it.filter}`,
    insert: `\n${' '.repeat(column)}${it.insert}`,
  }));
}

function keyItems(place: TypedPlace, schema: Schema, path: FieldPath, values: ValueContext): readonly CompletionItem[] {
  const { kind, kube, layout } = values;
  switch (schema.type) {
    case 'object': {
      const fields = fieldItems(place, schema, path, kind, kube, layout);
      return place.lead === '- ' ? withDash(fields) : fields;
    }
    case 'map':
      return mapKeyItems(place, path, schema.values, values);
    case 'list': {
      // The list has no dash yet: the typed word begins its first item.
      if (place.lead !== '') return [];
      const inItem: TypedPlace = { ...place, lead: '- ' };
      const first = path.index(0);
      if (schema.items.type !== 'object') return withDash(valueItems(inItem, first, values));
      return withDash(fieldItems(inItem, schema.items, first, kind, kube, layout));
    }
    default:
      // Blanks before a text would only extend the scalar above.
      if (place.lead === '  ') return [];
      return place.lead === '- ' ? withDash(valueItems(place, path, values)) : valueItems(place, path, values);
  }
}

const withDash = (items: readonly CompletionItem[]): readonly CompletionItem[] =>
  items.map(it => ({ ...it, label: `- ${it.label}` }));

/** The first fields of an object of an unknown kind, and pairs of apiVersion and kind. */
function headItems(
  place: TypedPlace,
  kube: Kube,
  layout: Layout,
): { readonly items: readonly CompletionItem[]; readonly isAll: boolean } {
  const { path, part, object } = place;
  const name = path.toString();
  if (part === 'value' && name === 'apiVersion') return { items: versionItems(place, kube, layout), isAll: true };
  if (part === 'value' && name === 'kind') return { items: kindItems(place, kube, layout), isAll: true };
  if (part === 'value' || path.segments.length > 0) return { items: [], isAll: false };
  const taken = writtenFields(place);
  const isKnown = kube.kindOf(object.apiVersion, object.kind) !== undefined;
  if (isKnown) return { items: [], isAll: false };
  // Objects with other first fields are no manifests: a compose file, a values file.
  if (taken.size > 0 && !taken.has('apiVersion') && !taken.has('kind')) return { items: [], isAll: true };
  const blank = taken.size === 0 ? objectItems(place, kube, layout.unit) : [];
  return { items: [...unknownKindItems(place, taken, kube, layout), ...blank], isAll: true };
}

/** The fields of all objects, taken from a kind that every minor has. */
function unknownKindItems(
  place: TypedPlace,
  taken: ReadonlySet<string>,
  kube: Kube,
  layout: Layout,
): readonly CompletionItem[] {
  const anyKind = kube.kindOf('v1', 'ConfigMap');
  if (anyKind === undefined) return [];
  const names = ['apiVersion', 'kind', 'metadata'].filter(it => !taken.has(it));
  const items = fieldItems(place, anyKind.schema, FieldPath.root, anyKind, kube, layout);
  return names.flatMap((name, rank) => {
    const item = items.find(it => it.label === name);
    return item ? [{ ...item, rank, goesOn: true as const }] : [];
  });
}

const served = (kube: Kube): readonly KindInfo[] => kube.kinds().filter(it => it.served === 'on');

function versionItems(place: TypedPlace, kube: Kube, layout: Layout): readonly CompletionItem[] {
  const kind = asText(place.object.manifest.value.kind);
  const all = served(kube);
  const ofKind = all.filter(it => it.kind === kind);
  const shown = ofKind.length > 0 ? ofKind : all;
  return [...new Set(shown.map(versionOf))].map((version, i) => ({
    ...plainItem(place, version, layout),
    kind: 'value',
    rank: ofKind.length > 0 ? i : 0,
    ...(ofKind.length > 0 && { detail: kind ?? '' }),
  }));
}

function kindItems(place: TypedPlace, kube: Kube, layout: Layout): readonly CompletionItem[] {
  const written = asText(place.object.manifest.value.apiVersion);
  const all = served(kube);
  const matching = all.filter(it => versionOf(it) === written);
  const shown = matching.length > 0 ? matching : all;
  return shown.map(it => ({
    ...plainItem(place, it.kind, layout),
    detail: versionOf(it),
    kind: 'value',
    rank: kube.apiLife(versionOf(it), it.kind)?.deprecated === undefined ? 0 : 1,
    ...versionEdit(place, it, layout),
  }));
}

/** An edit that inserts the apiVersion of a kind if there is none. */
function versionEdit(place: TypedPlace, kind: KindInfo, layout: Layout): Pick<CompletionItem, 'edits'> {
  if (layout.style !== 'block' || 'apiVersion' in place.object.manifest.value || place.lead !== '') return {};
  const key = place.object.manifest.spanOf(FieldPath.of('kind'), 'key');
  const column = place.column - 'kind: '.length;
  if (column < 0) return {};
  const newText = `apiVersion: ${versionOf(kind)}\n${' '.repeat(column)}`;
  return { edits: [{ span: { start: key.start, end: key.start }, newText }] };
}

function plainItem(place: TypedPlace, value: string, { style }: Layout): Omit<CompletionItem, 'kind' | 'rank'> {
  const quote = style === 'json' ? '"' : place.quote;
  return { label: value, span: place.span, filter: `${place.quote}${value}`, insert: `${quote}${value}${quote}` };
}

/** The documentation of a completed field, as Markdown. */
export function completionDocs(kube: Kube, { apiVersion, kind, path }: DescribedField): string | undefined {
  const info = kube.kindOf(apiVersion, kind);
  const at = FieldPath.of(...path);
  const facts = info && fieldFactsAt(info, at);
  return facts && describeField(kube, at.toString(), facts);
}
