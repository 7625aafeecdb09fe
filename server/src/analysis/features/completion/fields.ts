import { t } from '../../../base/l10n';
import type { Field, KindInfo, Kube, ObjectSchema } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import { targetsAt } from '../../../workspace/references/references';
import { typeInWords } from '../fieldDocs';
import { isDeprecated } from '../fieldLife';
import type { CompletionItem } from './item';
import { fieldSnippet, keyText, type Layout } from './shape';
import { hasSource } from './sources';
import { type TypedPlace, writtenFields } from './typedPosition';

/** Fields to list first, and fields to list last. */
const RANKS = { required: 0, usual: 1, gatedOff: 2, filledIn: 3, deprecated: 4 } as const;

/** Completion of the fields of a schema that are not written yet. `path` is their position. */
export function fieldItems(
  place: TypedPlace,
  schema: ObjectSchema,
  path: FieldPath,
  kind: KindInfo,
  kube: Kube,
  layout: Layout,
): readonly CompletionItem[] {
  const taken = writtenFields(place, path);
  return [...schema.fields.values()]
    .filter(it => !taken.has(it.name))
    .map(field => fieldItem(place, field, path, { schema, kind, kube, layout }));
}

interface FieldContext {
  readonly schema: ObjectSchema;
  readonly kind: KindInfo;
  readonly kube: Kube;
  readonly layout: Layout;
}

function fieldItem(
  place: TypedPlace,
  field: Field,
  path: FieldPath,
  { schema, kind, kube, layout }: FieldContext,
): CompletionItem {
  const off = kube.gatesOfField(schema.definition, field.name).filter(it => !kube.isGateOn(it));
  const description = kube.description(schema.definition, field.name) ?? '';
  const deprecated = isDeprecated(description);
  const rank = deprecated
    ? 'deprecated'
    : off.length > 0
      ? 'gatedOff'
      : isFilledIn(field, description)
        ? 'filledIn'
        : 'usual';
  const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  return {
    label: field.name,
    kind: 'field',
    detail: [
      typeInWords(field.schema),
      ...(field.required ? [t('required')] : []),
      ...(off.length > 0 ? [t`feature gate ${off.join(', ')} is off`] : []),
    ].join(' · '),
    field: { apiVersion, kind: kind.kind, path: [...path.segments, field.name] },
    span: place.span,
    filter: `${place.quote}${field.name}`,
    insert: keyInsert(place, field.name, field, layout, hasSource(schema.definition, field.name) ? 'known' : 'unknown'),
    rank: RANKS[field.required ? 'required' : rank],
    ...(deprecated && { deprecated }),
    ...(!place.hasColon && goesOn(place, schema, field, path) && { goesOn: true as const }),
  };
}

/** Whether the server or a controller writes the field, not people. */
const isFilledIn = ({ name }: Field, description: string): boolean =>
  name === 'status' || name === 'managedFields' || /Populated by the system|Read-only\./.test(description);

function goesOn({ object }: TypedPlace, owner: ObjectSchema, { name, schema }: Field, path: FieldPath): boolean {
  if (schema.type === 'object' || schema.type === 'map' || schema.type === 'quantity') return true;
  return hasSource(owner.definition, name) || targetsAt(object, path.child(name)).length > 0;
}

/** A snippet of a key with its value, after a dash where a list needs one; only the key where a colon follows. */
function keyInsert(place: TypedPlace, name: string, field: Field, layout: Layout, keys: 'known' | 'unknown'): string {
  if (place.hasColon) return `${place.lead}${keyText(name, layout)}`;
  return `${place.lead}${fieldSnippet(name, field, layout, place.column + place.lead.length, keys)}`;
}
