import type { KindInfo, Schema } from '../../../kube/kube';
import { explainQuantity } from '../../../kube/quantity';
import type { FieldPath } from '../../../manifest/fieldPath';
import { type FieldFacts, fieldFactsAt } from '../fieldDocs';
import { type CompletionItem, literally } from './item';
import { referenceCandidates } from './references';
import { itemSnippet, keyText, type Layout, scalarIn } from './shape';
import type { CompletionCandidate, SourceContext } from './source';
import { SOURCES, sourceName } from './sources';
import { type TypedPlace, writtenFields, writtenItems } from './typedPosition';

export interface ValueContext extends SourceContext {
  readonly kind: KindInfo;
  readonly layout: Layout;
}

/** Completion of the value at a path, from the schema, the workspace and the cluster. */
export function valueItems(place: TypedPlace, path: FieldPath, context: ValueContext): readonly CompletionItem[] {
  const facts = fieldFactsAt(context.kind, path);
  if (facts === undefined) return [];
  const { schema } = facts;
  const taken = typeof path.segments.at(-1) === 'number' && path.parent ? writtenItems(place, path.parent) : new Set();
  const item = (it: CompletionCandidate, rank: number, kind: CompletionItem['kind']): CompletionItem => {
    const text = valueText(place, it.value, schema, context.layout);
    return {
      label: String(it.value),
      kind,
      ...(it.detail && { detail: it.detail }),
      span: place.span,
      filter: `${place.quote}${it.value}`,
      insert: `${place.lead}${literally(text)}`,
      rank,
    };
  };
  const choices = choicesOf(schema).map((it, i) => {
    const isDefault = facts.field?.field.default === it.value;
    return { ...item(it, i, 'choice'), ...(isDefault && { detail: 'default', preselect: true as const }) };
  });
  const named = referenceCandidates(place, path, context).map(it => item(it, 0, 'reference'));
  const others = candidatesAt(place, path, context).map(it => item(it, 1, 'value'));
  const known = [...new Map([...others, ...named].map(it => [it.label, it])).values()];
  const amounts = schema.type === 'quantity' ? amountItems(place, path, context) : [];
  const shapes = choices.length + known.length === 0 ? shapeItems(place, schema, context.layout) : [];
  return [...choices, ...known, ...amounts, ...shapes].filter(it => !taken.has(it.label));
}

/** Completion of the keys of a map: labels, resources. */
export function mapKeyItems(
  place: TypedPlace,
  path: FieldPath,
  values: Schema,
  context: ValueContext,
): readonly CompletionItem[] {
  const { layout } = context;
  const taken = writtenFields(place, path);
  const own = candidatesAt(place, path, context).filter(it => !taken.has(String(it.value)));
  return own.map(it => {
    const key = `${place.lead}${literally(keyText(String(it.value), layout))}`;
    const open = layout.style === 'json' && values.type === 'string' ? '"$0"' : '$0';
    return {
      label: String(it.value),
      kind: 'label',
      ...(it.detail && { detail: it.detail }),
      span: place.span,
      filter: `${place.quote}${it.value}`,
      insert: place.hasColon ? key : `${key}: ${open}`,
      rank: 0,
      ...(!place.hasColon && { goesOn: true as const }),
    };
  });
}

/** The distinct values for a path from the table of sources. */
function candidatesAt(place: TypedPlace, path: FieldPath, context: ValueContext): readonly CompletionCandidate[] {
  const name = sourceAt(context.kind, path);
  const source = name !== undefined && Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  const found = source?.({ place, path }, context) ?? [];
  return [...new Map(found.map(it => [it.value, it])).values()];
}

/** `PodSpec.nodeSelector`, with `{}` for a value of a map and `[]` for an item of a list. */
function sourceAt(kind: KindInfo, path: FieldPath): string | undefined {
  const facts = fieldFactsAt(kind, path);
  if (facts?.field) return nameOf(facts);
  const parent = path.parent && fieldFactsAt(kind, path.parent);
  if (!parent?.field) return undefined;
  return `${nameOf(parent)}${parent.schema.type === 'map' ? '{}' : '[]'}`;
}

function nameOf({ field }: FieldFacts): string | undefined {
  return field && sourceName(field.owner.definition, field.field.name);
}

function choicesOf(schema: Schema): readonly CompletionCandidate[] {
  if (schema.type === 'boolean') return ['true', 'false'].map(value => ({ value }));
  return schema.type === 'string' ? (schema.enum ?? []).filter(it => it !== '').map(value => ({ value })) : [];
}

function valueText(place: TypedPlace, value: string | number, schema: Schema, layout: Layout): string {
  if (schema.type === 'boolean') return String(value);
  if (place.quote !== '' && layout.style !== 'json') return `${place.quote}${value}${place.quote}`;
  return scalarIn(value, schema, layout.style);
}

const AMOUNTS: Readonly<
  Record<'cpu' | 'bytes', { readonly usual: readonly string[]; readonly suffixes: readonly string[] }>
> = {
  cpu: { usual: ['100m', '250m', '500m', '1', '2'], suffixes: ['m', ''] },
  bytes: { usual: ['128Mi', '256Mi', '512Mi', '1Gi', '2Gi', '10Gi'], suffixes: ['Mi', 'Gi', 'Ti', 'Ki'] },
};

/** Amounts: common ones for no input, the typed digits with useful suffixes for a number. */
function amountItems(place: TypedPlace, path: FieldPath, { layout }: ValueContext): readonly CompletionItem[] {
  const named = path.segments.findLast(it => typeof it === 'string') ?? '';
  const resource = String(named).replace(/^(?:requests|limits)\./, '');
  const isCpu = resource === 'cpu';
  if (!isCpu && !isBytes(resource)) return [];
  const { usual, suffixes } = AMOUNTS[isCpu ? 'cpu' : 'bytes'];
  const digits = /^\d+(?:\.\d+)?/.exec(place.typed)?.[0];
  const texts = digits === undefined ? usual : suffixes.map(it => `${digits}${it}`);
  return texts.map((text, i) => ({
    label: text,
    kind: 'amount',
    detail: explainQuantity(text, resource) ?? '',
    span: place.span,
    filter: `${place.quote}${text}`,
    insert: literally(layout.style === 'json' || place.quote !== '' ? JSON.stringify(text) : text),
    rank: i,
  }));
}

const isBytes = (resource: string): boolean =>
  /^(?:memory|storage|ephemeral-storage|sizeLimit|capacity|hugepages-.+|maximumVolumeSize|divisor)$/.test(resource);

/** A snippet for a list's item, or for a value in brackets, where nothing but its fields can be completed. */
function shapeItems(place: TypedPlace, schema: Schema, layout: Layout): readonly CompletionItem[] {
  if (layout.style === 'block' || (schema.type !== 'object' && schema.type !== 'list')) return [];
  const insert = itemSnippet(schema, layout, place.column);
  const label = schema.type === 'list' ? '[ ]' : '{ }';
  return [{ label, kind: 'field', span: place.span, filter: place.typed, insert, rank: 0 }];
}
