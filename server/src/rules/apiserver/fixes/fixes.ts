import { asList, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { lazyByObject } from '../../../base/lazy';
import { jsonText, printed } from '../../../base/printed';
import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, portNameErrors } from '../../../kube/names';
import type { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { fixesOfType } from '../../decode/typeFixes';
import type { Fix } from '../../framework/problem';
import { fieldOf, inWords, nounOf } from '../messages/nouns';
import { nearestWords } from '../messages/sentences';
import type { ErrorType } from '../validate/errors';
import type { FixableError } from './fieldChanges';
import { itemNames } from './itemNames';
import { fixesForReason } from './reasonFixes';
import { renamesTo } from './renames';
import { podSpecAbove } from './requiredFieldFixes';

/** Fixes of an error other than a missing field or an unsupported value; none if the intended solution is not clear. */
export function fixesFor(fixable: FixableError): readonly Fix[] {
  const { error, target, at } = fixable;
  if (error.rule !== undefined || !target.object.manifest.has(at)) return [];
  return FIXES[error.type]?.(fixable) ?? [];
}

const FIXES: Readonly<Partial<Record<ErrorType, (fixable: FixableError) => readonly Fix[]>>> = {
  FieldValueForbidden: removal,
  FieldValueDuplicate: removalOfSecond,
  FieldValueNotFound: renamesToKnown,
  FieldValueInvalid: it => [...sanitized(it), ...fixesForReason(it)],
  FieldValueTypeInvalid: typeFixes,
};

/** The value of a custom resource in the type that its schema names. */
function typeFixes({ error, at, target: { object }, context, edit }: FixableError): readonly Fix[] {
  const [, type = ''] = /in body must be of type (\w+): /.exec(error.detail) ?? [];
  const wanted = type === 'array' ? 'list' : type;
  const { value } = error;
  const text = context.snapshot.files.get(object.manifest.uri)?.text ?? '';
  if (value === undefined || !isFixable(wanted)) return [];
  return fixesOfType({ at, wanted, value, object, text, edit });
}

const isFixable = (type: string): type is 'string' | 'integer' | 'boolean' | 'list' =>
  ['string', 'integer', 'boolean', 'list'].includes(type);

/** Errors that need another field or item; removing this one would not fix them. */
const NOT_BY_REMOVAL =
  /exceeds budget|contributed to estimated|another peer|exactly one|at least one|per source|ReadWriteOncePod|HugePages require|Bidirectional/;

function removal({ error, at, target, edit }: FixableError): readonly Fix[] {
  if (NOT_BY_REMOVAL.test(error.detail)) return [];
  if (at.segments.length < 2 && target.kind?.schema.fields.get(fieldOf(at))?.required === true) return [];
  return [
    {
      title: typeof at.segments.at(-1) === 'number' ? t`Remove this ${nounOf(at)}` : t`Remove ${fieldOf(at)}`,
      safety: 'unsafe',
      edits: [edit.remove(target.object, at)],
    },
  ];
}

/** Removes the later of two items: the one that is, or contains, the repeated value. */
function removalOfSecond(fixable: FixableError): readonly Fix[] {
  const { at, target, edit } = fixable;
  const item = itemOf(at);
  if (item === undefined) return [];
  const list = item.parent;
  const items = list === undefined ? [] : asList(valueAt(target.value, list));
  const index = item.segments.at(-1);
  const others = /ontainers\[\d+\]\.name$/.test(at.toString()) ? renameOfSecond(fixable) : [];
  if (typeof index !== 'number' || items.length < 2) return others;
  const isSame = (firstPlaces(items).get(jsonText(items[index])) ?? index) < index;
  return [
    {
      title: t`Remove this ${inWords(nounOf(item))}`,
      safety: isSame ? 'safe' : 'unsafe',
      edits: [edit.remove(target.object, item)],
    },
    ...others,
  ];
}

/** Where each text of an item comes first. Worked out once for all problems of a list. */
const firstPlaces = lazyByObject(
  (items: readonly JsonValue[]) => new Map(items.map((it, i) => [jsonText(it), i] as const).reverse()),
);

/** Gives a container whose name is taken the first free number. */
function renameOfSecond({ at, target, edit }: FixableError): readonly Fix[] {
  const name = asText(valueAt(target.value, at));
  const spec = podSpecAbove(at);
  if (name === undefined || spec === undefined) return [];
  const taken = ['containers', 'initContainers', 'ephemeralContainers'].map(list =>
    itemNames(asList(valueAt(target.value, spec.child(list)))),
  );
  const isTaken = (it: string): boolean => taken.some(names => names.has(it));
  let number = 2;
  while (isTaken(`${name}-${number}`)) number += 1;
  const better = `${name}-${number}`;
  return [{ title: t`Change to ${better}`, safety: 'unsafe', edits: [edit.replaceValue(target.object, at, better)] }];
}

function itemOf(at: FieldPath): FieldPath | undefined {
  if (typeof at.segments.at(-1) === 'number') return at;
  return typeof at.segments.at(-2) === 'number' ? at.parent : undefined;
}

/** The list of the PodSpec that must contain a name, by the field that refers to it. */
const NAME_LISTS: readonly (readonly [RegExp, string])[] = [
  [/volume(Mounts|Devices)\[\d+\]\.name$/, 'volumes'],
  [/claims\[\d+\](\.name)?$/, 'resourceClaims'],
];

function renamesToKnown({ at, target, edit }: FixableError): readonly Fix[] {
  const home = NAME_LISTS.find(([field]) => field.test(at.toString()))?.[1];
  const spec = podSpecAbove(at);
  if (home === undefined || spec === undefined) return [];
  const place = typeof at.segments.at(-1) === 'number' ? at.child('name') : at;
  const name = asText(valueAt(target.value, place));
  if (name === undefined) return [];
  const list = spec.child(home);
  const items = asList(valueAt(target.value, list));
  const names = itemNames(items);
  if (names.has(name)) return [];
  const nearest = nearestWords(name, [...names]);
  const candidates = nearest.length > 0 ? nearest : names.size <= 4 ? [...names] : [];
  const renames = candidates.map(it => ({
    title: t`Change to ${it}`,
    safety: nearest.length === 1 ? ('safe' as const) : ('unsafe' as const),
    edits: [edit.replaceValue(target.object, place, it)],
  }));
  const isMount = at.toString().includes('volumeMounts');
  const added = isMount ? { name, emptyDir: {} } : undefined;
  return [...renames, ...(added === undefined ? [] : additionOf(added, list, items, { target, edit }))];
}

function additionOf(
  item: JsonObject,
  list: FieldPath,
  items: readonly JsonValue[],
  { target, edit }: Pick<FixableError, 'target' | 'edit'>,
): readonly Fix[] {
  const change = items.length === 0 ? edit.write(target.object, list, [item]) : edit.append(target.object, list, item);
  return [{ title: t`Add an emptyDir volume named ${printed(item.name)}`, safety: 'unsafe', edits: [change] }];
}

interface NameRule {
  readonly pattern: RegExp;
  readonly errors: (name: string) => readonly string[];
  readonly allowed: RegExp;
}

const NAME_RULES: readonly NameRule[] = [
  { pattern: /RFC 1123 label must/, errors: dns1123LabelErrors, allowed: /[^a-z0-9-]+/g },
  { pattern: /DNS-1035 label must/, errors: dns1035LabelErrors, allowed: /[^a-z0-9-]+/g },
  { pattern: /RFC 1123 subdomain must/, errors: dns1123SubdomainErrors, allowed: /[^a-z0-9.-]+/g },
  { pattern: /must contain only alpha-numeric characters/, errors: portNameErrors, allowed: /[^a-z0-9-]+/g },
];

/** Corrects the characters of a name if that makes it valid; references to the name change with it. */
function sanitized(fixable: FixableError): readonly Fix[] {
  const { error, at, target } = fixable;
  const rule = NAME_RULES.find(it => it.pattern.test(error.detail));
  const name = valueAt(target.value, at);
  if (rule === undefined || typeof name !== 'string' || name !== error.value) return [];
  if (/^(prefix|name) part/.test(error.detail)) return [];
  const better = name
    .trim()
    .toLowerCase()
    .replace(rule.allowed, '-')
    .replace(/-+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  if (better === name || rule.errors(better).length > 0) return [];
  return renamesTo(better, fixable);
}
