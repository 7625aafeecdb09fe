import { byteLength } from '../../../../base/byteLength';
import { asList, asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { dns1123LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, notSupported, required, tooLong } from '../errors';

/**
 * The checks that upstream generates from field tags, for objects being created.
 * Upstream: k8s.io/apimachinery/pkg/api/validate.
 */
export type Check<T> = (value: T, at: FieldPath) => readonly FieldError[];

export type Value = JsonValue | undefined;

/** False for an absent field and for null, which the decoder treats as absent. */
export function isSet(value: Value): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

/** The string, or "" for an absent field. */
export function textOf(value: Value): string {
  return typeof value === 'string' ? value : '';
}

/** The integer, or 0 for an absent field. */
export function numberOf(value: Value): number {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0;
}

/** The object, or an empty one for an absent field, as Go reads a struct that is not a pointer. */
export function structOf(value: Value): JsonObject {
  return asObject(value) ?? {};
}

/** The object without one of its fields. */
export function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

/** +k8s:required on a string, followed by a format. */
export function requiredText(check: Check<string>): Check<Value> {
  return (value, at) => (textOf(value) === '' ? [required(at)] : check(textOf(value), at));
}

/** +k8s:optional on a string that is not a pointer, followed by a format. */
export function optionalText(check: Check<string>): Check<Value> {
  return (value, at) => (textOf(value) === '' ? [] : check(textOf(value), at));
}

/** +k8s:optional on a pointer to a string, followed by a format: an empty string is checked, too. */
export function textPointer(check: Check<string>): Check<Value> {
  return (value, at) => (isSet(value) ? check(textOf(value), at) : []);
}

/** +k8s:format=k8s-short-name */
export const shortName: Check<string> = (name, at) => complaints(dns1123LabelErrors(name).map(inBytes), name, at);

/** +k8s:format=k8s-long-name */
export const longName: Check<string> = (name, at) => complaints(dns1123SubdomainErrors(name).map(inBytes), name, at);

/** +k8s:format=k8s-label-key */
export const labelKey: Check<string> = (key, at) => complaints(qualifiedNameErrors(key), key, at);

/** +k8s:format=k8s-path-segment-name */
export const pathSegmentName: Check<string> = (name, at) => {
  if (name === '.' || name === '..') return [invalid(at, name, `may not be '${name}'`)];
  return ['/', '%'].filter(it => name.includes(it)).map(it => invalid(at, name, `may not contain '${it}'`));
};

/** +k8s:format=k8s-long-name-caseless with +k8s:maxLength */
export function caselessName(most: number): Check<string> {
  return (name, at) => {
    const tooMuch: readonly FieldError[] =
      [...name].length > most
        ? [{ type: 'FieldValueTooLong', at, detail: `may not be more than ${most} characters` }]
        : [];
    const complaint = dns1123SubdomainErrors(name.toLowerCase()).map(it => invalid(at, name, caseless(inBytes(it))));
    return [...complaint, ...tooMuch];
  };
}

/** +k8s:enum */
export function oneOf(...choices: readonly string[]): Check<string> {
  return (value, at) => (choices.includes(value) ? [] : [notSupported(at, value, choices)]);
}

/** +k8s:maximum on a pointer to an integer. */
export function atMost(most: number): Check<Value> {
  return (value, at) =>
    isSet(value) && numberOf(value) > most
      ? [invalid(at, numberOf(value), `must be less than or equal to ${most}`)]
      : [];
}

/** +k8s:required and +k8s:minimum on an integer that is not a pointer: zero counts as absent. */
export function requiredAtLeast(least: number): Check<Value> {
  return (value, at) => {
    const number = numberOf(value);
    if (number === 0) return [required(at)];
    return number < least ? [invalid(at, number, `must be greater than or equal to ${least}`)] : [];
  };
}

/** field.TooMany, whose message has "item" if the maximum is one. */
export function tooManyItems(at: FieldPath, count: number, most: number): FieldError {
  const detail = `must have at most ${most} item${most === 1 ? '' : 's'}`;
  return { type: 'FieldValueTooMany', at, detail, value: count };
}

/** What becomes of the items of a list that is too long: older minors check them all the same. */
export type PastItems = 'checked' | 'skipped';

/** +k8s:maxItems, +k8s:unique by a key, and the checks of each item. Too many items end the checks. */
export function list(
  limits: {
    readonly most?: number;
    readonly key?: (item: JsonValue) => string;
    /** What becomes of the items of a list that is too long. */
    readonly past?: PastItems;
  },
  check: Check<JsonValue>,
): Check<Value> {
  return (value, at) => {
    const items = asList(value);
    const { most } = limits;
    const tooMany = most !== undefined && items.length > most ? [tooManyItems(at, items.length, most)] : [];
    if (tooMany.length > 0 && limits.past !== 'checked') return tooMany;
    return [
      ...tooMany,
      ...(limits.key === undefined ? [] : repeated(items, limits.key, at)),
      ...items.flatMap((item, i) => check(item, at.index(i))),
    ];
  };
}

/** FieldValueDuplicate at every item whose key an earlier item has. */
export function repeated(
  items: readonly JsonValue[],
  key: (item: JsonValue) => string,
  at: FieldPath,
): readonly FieldError[] {
  const keys = items.map(key);
  const indexes = repeatedAt(keys);
  return keys.flatMap((it, i) => (indexes.has(i) ? [duplicate(at.index(i), it)] : []));
}

/** The checks of the fields of an object. */
export function fields(checks: Readonly<Record<string, Check<Value>>>): Check<Value> {
  return (value, at) => {
    const object = structOf(value);
    return Object.entries(checks).flatMap(([name, check]) => check(object[name], at.child(name)));
  };
}

/** A check for an object that may be absent. */
export function pointer(check: Check<Value>): Check<Value> {
  return (value, at) => (isSet(value) ? check(value, at) : []);
}

/** All checks, one after the other. */
export function all(...checks: readonly Check<Value>[]): Check<Value> {
  return (value, at) => checks.flatMap(check => check(value, at));
}

/** +k8s:unionMember: exactly one of the members. */
export function union(members: readonly string[], has: (value: Value) => boolean = isSet): Check<Value> {
  return (value, at) => {
    const object = structOf(value);
    const set = members.filter(it => has(object[it]));
    const named = members.map(it => `\`${it}\``).join(', ');
    if (set.length === 0) return [invalid(at, '', `must specify one of: ${named}`)];
    if (set.length === 1) return [];
    return [invalid(at, `{${set.map(it => `\`${it}\``).join(', ')}}`, `must specify exactly one of: ${named}`)];
  };
}

/** Whether a list has items. */
export function hasItems(value: Value): boolean {
  return asList(value).length > 0;
}

const identifierPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const identifierRule =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric " +
  "characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is " +
  "'[A-Za-z_][A-Za-z0-9_]*')";

/** A C identifier of at most 32 bytes. */
export const cIdentifier: Check<string> = (name, at) => [
  ...(byteLength(name) > 32 ? [tooLong(at, 32)] : []),
  ...(identifierPattern.test(name) ? [] : [invalid(at, name, identifierRule)]),
];

/** +k8s:format=k8s-resource-fully-qualified-name: a domain and a C identifier. */
export const fullyQualifiedName: Check<string> = (name, at) => qualifiedName(name, at, longName);

/** The hand-written check before 1.37, which ignores case in the domain. */
export const caselessQualifiedName: Check<string> = (name, at) =>
  qualifiedName(name, at, (domain, domainAt) => longName(domain.toLowerCase(), domainAt));

function qualifiedName(name: string, at: FieldPath, checkDomain: Check<string>): readonly FieldError[] {
  const [domain = '', id = '', ...more] = name.split('/');
  if (!name.includes('/')) {
    const detail = 'a fully qualified name must be a domain and a name separated by a slash';
    return [...cIdentifier(domain, at), invalid(at, name, detail)];
  }
  // Upstream accepts anything with more than one slash.
  if (more.length > 0) return [];
  return [
    ...(domain === ''
      ? [invalid(at, '', 'prefix must not be empty')]
      : [
          ...(byteLength(domain) > 63 ? [tooLong(at, 63)] : []),
          ...checkDomain(domain, at).map(it => ({ ...it, detail: `prefix: ${it.detail}` })),
        ]),
    ...(id === '' ? [invalid(at, '', 'name must not be empty')] : cIdentifier(id, at)),
  ];
}

/** +k8s:format=k8s-extended-resource-name */
export const extendedResourceName: Check<string> = (name, at) => [
  ...(!name.includes('/')
    ? [invalid(at, name, "a name must be a domain-prefixed path, such as 'example.com/my-prop'")]
    : name.includes('kubernetes.io/')
      ? [invalid(at, name, 'must not have "kubernetes.io/" domain')]
      : []),
  ...(name.startsWith('requests.') ? [invalid(at, name, 'must not have "requests." prefix')] : []),
  ...complaints(qualifiedNameErrors(`requests.${name}`), name, at),
];

/** One FieldValueInvalid for each message. */
export function complaints(details: readonly string[], value: JsonValue, at: FieldPath): readonly FieldError[] {
  return details.map(it => invalid(at, value, it));
}

function inBytes(detail: string): string {
  return detail.replace(/^(must be no more than \d+) characters$/, '$1 bytes');
}

function caseless(detail: string): string {
  const rule =
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', " +
    'and must start and end with an alphanumeric character';
  return detail
    .replace(/^a lowercase RFC 1123 subdomain .*? alphanumeric character \(/, `${rule} (`)
    .replace("validation is '", "validation is '(?i)");
}
