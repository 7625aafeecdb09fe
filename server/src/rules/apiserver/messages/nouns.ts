import type { JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import { elided, shortenedName } from '../../../base/shortened';
import type { FieldPath, Segment } from '../../../manifest/fieldPath';

/** Nouns for the items of lists whose singular is irregular. */
const ITEMS: Readonly<Record<string, string>> = {
  env: 'environment variable',
  envFrom: 'environment source',
  matchExpressions: 'selector expression',
  matchFields: 'selector expression',
  matchLabelExpressions: 'topology expression',
  hostAliases: 'host alias',
  accessModes: 'access mode',
  volumeClaimTemplates: 'claim template',
  preferredDuringSchedulingIgnoredDuringExecution: 'preference',
  requiredDuringSchedulingIgnoredDuringExecution: 'affinity term',
  nodeSelectorTerms: 'node selector term',
  topologySpreadConstraints: 'spread constraint',
  ingress: 'ingress rule',
  egress: 'egress rule',
  capabilities: 'capability',
  readinessGates: 'readiness gate',
  from: 'peer',
  to: 'peer',
  forZones: 'zone',
  forNodes: 'node',
};

/** A field's name as words: `imagePullSecrets` → `image pull secrets`. */
export function inWords(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
}

/** The noun for one item of a list. */
export function itemNoun(list: string): string {
  return (
    ITEMS[list] ?? inWords(list).replace(/(x|ch|sh|ss)es$|([^aeiou])ies$|s$/, (_, es, y) => es ?? (y ? `${y}y` : ''))
  );
}

/** The last field's name; for a list item, that of the list. */
export function fieldOf(at: FieldPath): string {
  return shortenedName(nameOf(at.segments.findLast(it => typeof it !== 'number')));
}

/** The noun for the value at a path, for a sentence: `container name`, `volume`, `terminationGracePeriodSeconds`. */
export function nounOf(at: FieldPath): string {
  const { segments } = at;
  const last = segments.at(-1);
  if (typeof last === 'string' && last.startsWith('{')) return 'pair of topologyKey and whenUnsatisfiable';
  if (typeof last === 'number') return itemNoun(nameOf(segments.at(-2)));
  if (typeof last === 'object') return `${itemNoun(nameOf(segments.at(-2)))} ${quoted(last.key)}`;
  const list = segments.at(-3);
  const isOfItem = typeof segments.at(-2) === 'number' && typeof list === 'string';
  if (last === 'name' && isOfItem) return `${itemNoun(list)} name`;
  if (last === 'name') return segments.at(-2) === 'metadata' ? 'name' : `${inWords(nameOf(segments.at(-2)))} name`;
  return last === undefined ? 'object' : last;
}

/** The object that a field belongs to: `this container`, `the spec`, `the object`. */
export function ownerOf(at: FieldPath): string {
  const { segments } = at;
  const holder = segments.at(-2);
  if (typeof holder === 'number') return t`this ${itemNoun(nameOf(segments.at(-3)))}`;
  if (holder === undefined) return t('the object');
  // An object with a template has two of this name.
  const isOfTemplate = holder === 'spec' && segments.at(-3) === 'template';
  return quoted(isOfTemplate ? 'template.spec' : nameOf(holder));
}

/** A value for a sentence, shortened if it is long; undefined for an object or a list. */
export function shownValue(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  if (typeof value !== 'string') return String(value);
  return quoted(elided(value, 32));
}

function nameOf(segment: Segment | undefined): string {
  if (segment === undefined || typeof segment === 'number') return 'object';
  return typeof segment === 'string' ? segment : segment.key;
}
