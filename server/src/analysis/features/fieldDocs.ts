import type { JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { elided } from '../../base/shortened';
import type { Field, Gate, KindInfo, Kube, ObjectSchema, Schema } from '../../kube/kube';
import type { FieldPath } from '../../manifest/fieldPath';
import { codeSpan, plainMarkdown } from '../../text/markdown';
import { fieldHistory, stageInWords } from './fieldHistory';
import { isDeprecated } from './fieldLife';

/** Schema facts about a path: the schema of its value, and the field if the path ends in one. */
export interface FieldFacts {
  readonly schema: Schema;
  readonly field?: NamedField;
  /** The field with the list or map, if the path leads to one of its items. */
  readonly around?: NamedField;
}

interface NamedField {
  readonly owner: ObjectSchema;
  readonly field: Field;
}

/** Follows a path through a kind's schema; undefined: the schema does not have it. */
export function fieldFactsAt(kind: KindInfo, path: FieldPath): FieldFacts | undefined {
  let facts: FieldFacts = { schema: kind.schema };
  for (const segment of path.segments) {
    const next = step(facts, typeof segment === 'object' ? segment.key : segment);
    if (!next) return undefined;
    facts = next;
  }
  return facts;
}

function step({ schema, field: own, around }: FieldFacts, segment: string | number): FieldFacts | undefined {
  const holder = own ?? around;
  const inside = holder && { around: holder };
  if (schema.type === 'list' && typeof segment === 'number') return { schema: schema.items, ...inside };
  if (schema.type === 'map' && typeof segment === 'string') return { schema: schema.values, ...inside };
  if (schema.type !== 'object' || typeof segment !== 'string') return undefined;
  const field = schema.fields.get(segment);
  return field && { schema: field.schema, field: { owner: schema, field } };
}

/**
 * Type, documentation, default and feature gates of a field, and which minors have it, as Markdown.
 * @param given The default that the server sets in this object; absent: unknown.
 */
export function describeField(kube: Kube, name: string, facts: FieldFacts, given?: JsonValue): string {
  const { schema, field } = facts;
  const traits = [plainMarkdown(typeInWords(schema)), ...(field?.field.required ? [t('required')] : [])];
  const byDefault = given ?? field?.field.default;
  if (isShown(byDefault)) traits.push(t`defaults to ${codeSpan(shortJson(byDefault))}`);
  const description = descriptionOf(kube, facts);
  const choices = schema.type === 'string' && schema.enum ? t`One of ${schema.enum.map(codeSpan).join(', ')}.` : '';
  const gates = field ? kube.gatesOfField(field.owner.definition, field.field.name) : [];
  return [
    `**${codeSpan(name)}** · ${traits.join(' · ')}`,
    ...gates.map(it => describeGate(kube, it)),
    ...(field ? fieldHistory(kube, field.owner.definition, field.field.name) : []),
    description?.includes('Possible enum values') ? '' : choices,
    description === undefined ? '' : withDeprecation(description),
  ]
    .filter(it => it !== '')
    .join('\n\n');
}

/** What other minors know of a field that this one does not have, as Markdown; undefined: nothing. */
export function describeUnknownField(kube: Kube, name: string, owner: ObjectSchema, field: string): string | undefined {
  const history = fieldHistory(kube, owner.definition, field);
  if (history.length === 0) return undefined;
  return [`**${codeSpan(name)}** · ${t`not in Kubernetes ${kube.minor}`}`, ...history].join('\n\n');
}

/** A scalar item of a list or map has only the description of its list or map. */
function descriptionOf(kube: Kube, { schema, field, around }: FieldFacts): string | undefined {
  const named = field ?? (schema.type === 'object' ? undefined : around);
  if (named) return kube.description(named.owner.definition, named.field.name);
  return schema.type === 'object' ? kube.description(schema.definition) : undefined;
}

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value, (_, it) => (typeof it === 'bigint' ? Number(it) : it));
  return elided(text, 80);
};

// In Go, a struct that is no pointer defaults to {}, which is no useful information.
const isShown = (value: unknown): boolean =>
  value !== undefined && value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);

/** Upstream says in the text that a field is deprecated; a reader should see it first. */
function withDeprecation(description: string): string {
  return isDeprecated(description) ? `⚠ **${t('Deprecated.')}** ${description}` : description;
}

function describeGate(kube: Kube, name: string): string {
  const gate = kube.gate(name);
  if (!gate)
    return t`Needs feature gate ${codeSpan(name)}, which Kubernetes ${kube.minor} does not have: the field is dropped.`;
  const state = t`${stageInWords(gate.stage)} since ${gate.since}, ${defaultInWords(gate)}`;
  const keps = gate.keps.map(it => `[KEP-${it}](https://kep.k8s.io/${it})`).join(', ');
  const effect = gate.enabled
    ? t('It is on for this workspace.')
    : `**${t('It is off for this workspace: the API server ignores the field.')}**`;
  const known = `${state}${keps && ` (${keps})`}`;
  return t`Feature gate ${codeSpan(name)} in Kubernetes ${kube.minor}: ${known}. ${effect}`;
}

function defaultInWords(gate: Pick<Gate, 'default' | 'locked'>): string {
  if (gate.locked) return gate.default ? t('on by default and locked') : t('off by default and locked');
  return gate.default ? t('on by default') : t('off by default');
}

/** A type for people: "list of Container". */
export function typeInWords(schema: Schema): string {
  switch (schema.type) {
    case 'list':
      return t`list of ${typeInWords(schema.items)}`;
    case 'map':
      return t`map of ${typeInWords(schema.values)}`;
    case 'object':
      return schema.definition.slice(schema.definition.lastIndexOf('.') + 1);
    case 'integer':
      return schema.format ?? 'integer';
    case 'intOrString':
      return t('integer or string');
    case 'bytes':
      return t('base64 text');
    case 'microTime':
    case 'time':
      return t('time (RFC 3339)');
    case 'any':
      return t('anything');
    default:
      return schema.type;
  }
}
