import { isObject, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { printed } from '../../../base/printed';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { ManifestFile } from '../../../manifest/manifest';
import { valueAt } from '../../../manifest/valueAt';
import { allMetas, explainBriefly } from '../../../rules/engine/explain';
import { CONFIGURATION_KEYS } from '../../configuration/keys';
import type { Hover } from '../annotations';
import { type Completion, type CompletionItem, literally, NO_COMPLETION } from '../completion/item';
import { typedPlaces } from '../completion/typedPosition';

const COMMON: JsonObject = Object.fromEntries(
  CONFIGURATION_KEYS.map(({ name, summary, schema }) => [name, { description: summary, ...schema }]),
);

/** The JSON schema of berth.yaml, for other editors and for completion and hovers. */
export const CONFIGURATION_SCHEMA: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'berth.yaml',
  type: 'object',
  additionalProperties: false,
  properties: {
    ...COMMON,
    environments: {
      description: 'Files that are deployed together, by name: they see each other’s objects and nobody else’s.',
      type: 'object',
      additionalProperties: {
        description: 'One environment; what it says goes above what stands at the top.',
        type: 'object',
        additionalProperties: false,
        required: ['paths'],
        properties: {
          paths: {
            description:
              'Files, folders and patterns (`*` within a step, `**` over steps), from the folder of this file.',
            type: 'array',
            items: { type: 'string' },
          },
          ...COMMON,
        },
      },
    },
  },
};

/** Completion at an offset of a configuration. */
export function configurationCompletion(file: ManifestFile, offset: number): Completion {
  const items = typedPlaces(file, offset, () => undefined).flatMap((place): readonly CompletionItem[] => {
    const schema = schemaAt(place.path);
    if (schema === undefined) return [];
    const same = { span: place.span, rank: 0 };
    if (place.part === 'value') return valuesOf(schema).map(it => ({ ...same, ...valueItem(it) }));
    if (schema.type === 'array') return valuesOf(schema.items).map(it => ({ ...same, ...valueItem(it, place.lead) }));
    const written = valueAt(place.object.manifest.value, place.path);
    const taken = isObject(written) ? Object.keys(written) : [];
    const codes = place.path.segments.at(-1) === 'severity' ? allMetas().map(it => it.code) : [];
    return [...namesOf(schema), ...codes]
      .filter(it => !taken.includes(it))
      .map(name => ({ ...same, ...keyItem(name, schemaOf(schema, name), place.hasColon ? '' : ':') }));
  });
  return items.length === 0 ? NO_COMPLETION : { items, isIncomplete: false };
}

/** Hover on a key of a configuration. */
export function configurationHover(file: ManifestFile, offset: number): Hover | undefined {
  const object = file.documents[0]?.objects[0];
  const at = object?.pathAt(offset);
  if (object === undefined || at === undefined || at.path.segments.length === 0) return undefined;
  const name = String(at.path.segments.at(-1));
  const description = documented(schemaAt(at.path), name);
  if (description === undefined) return undefined;
  return { span: object.spanOf(at.path, 'key'), markdown: `**${name}**\n\n${description}` };
}

/** What a key means; a code has its page. */
function documented(schema: JsonObject | undefined, name: string): string | undefined {
  return typeof schema?.description === 'string' ? t(schema.description) : explainBriefly(name);
}

function schemaAt(path: FieldPath): JsonObject | undefined {
  return path.segments.reduce<JsonObject | undefined>(
    (schema, it) => schema && schemaOf(schema, typeof it === 'object' ? it.key : it),
    CONFIGURATION_SCHEMA,
  );
}

function schemaOf(schema: JsonObject, step: string | number): JsonObject | undefined {
  const { properties, additionalProperties, items } = schema;
  const own = isObject(properties) ? properties[step] : undefined;
  const found = typeof step === 'number' ? items : (own ?? additionalProperties);
  return isObject(found) ? found : undefined;
}

function namesOf({ properties }: JsonObject): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

function valuesOf(schema: JsonValue | undefined): readonly JsonValue[] {
  if (!isObject(schema)) return [];
  if (schema.type === 'boolean') return [true, false];
  const { enum: words, examples } = schema;
  return [words, examples].flatMap(it => (Array.isArray(it) ? it : []));
}

type Item = Omit<CompletionItem, 'span' | 'rank'>;

/** A minor without quotes would be read as a number. */
function valueItem(value: JsonValue, lead = ''): Item {
  const text = typeof value === 'string' && /^[\d.]+$/.test(value) ? JSON.stringify(value) : printed(value);
  return { label: printed(value), kind: 'choice', insert: lead + literally(text), filter: text };
}

function keyItem(name: string, schema: JsonObject | undefined, colon: string): Item {
  const isScalar = schema?.type !== 'object' && schema?.type !== 'array';
  const documentation = documented(schema, name);
  return {
    label: name,
    kind: 'field',
    insert: literally(name) + colon + (colon !== '' && isScalar ? ' ' : ''),
    filter: name,
    ...(documentation !== undefined && { documentation }),
    ...(isScalar && { goesOn: true as const }),
  };
}
