import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, required } from '../errors';
import { nestedErrors } from './nested';
import { isIntOrString, isOrdinary, otherSchemas, type SchemaFacts } from './ordinary';
import { propertiesOf, propertyOf, type SchemaProps } from './schemaProps';

/** Where a schema stands: the words of an error about a missing type. */
type SchemaLevel = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<SchemaLevel, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

const UNSUPPORTED = [
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
] as const;

/**
 * Why a schema cannot become a structural one at all; undefined if it can. Upstream: schema.NewStructural.
 */
export function unsupportedKeyword(of: SchemaProps, kube: SchemaFacts): string | undefined {
  if (isOrdinary(of, kube) || kube.parts.isMarked(SUPPORTED, of)) return undefined;
  const found = findUnsupported(of, kube);
  if (found === undefined) kube.parts.mark(SUPPORTED, of);
  return found;
}

const SUPPORTED = 'no unsupported keyword';

function findUnsupported(of: SchemaProps, kube: SchemaFacts): string | undefined {
  const name = UNSUPPORTED.find(it => of[it] !== undefined && of[it] !== '' && !isEmptyMap(of, it));
  if (name !== undefined) return `OpenAPIV3Schema '${name === '$schema' ? 'schema' : name}' is not supported`;
  const { not, allOf = [], anyOf = [], oneOf = [], itemsList = [] } = of;
  for (const it of [not, ...allOf, ...anyOf, ...oneOf]) {
    const inner = it && unsupportedKeyword(it, kube);
    if (inner !== undefined) return inner;
  }
  if (of['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (itemsList.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const { items, properties, values } = otherSchemas(of, kube);
  for (const it of [items, ...properties.map(([, it]) => it), values]) {
    const inner = it && unsupportedKeyword(it, kube);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Empty dependencies are refused elsewhere. */
const isEmptyMap = (of: SchemaProps, name: (typeof UNSUPPORTED)[number]): boolean =>
  name === 'dependencies' && Object.keys(of.dependencies ?? {}).length === 0;

/** The rules of structural schemas. Upstream: schema.ValidateStructural. */
export function* structuralErrors(of: SchemaProps, at: FieldPath, kube: SchemaFacts): Iterable<FieldError> {
  yield* invariants(of, 'root', at, kube);
  yield* completeness(of, of, at, at);
}

/** A schema without errors has none as an item, as a field or as a value. */
const inner = (of: SchemaProps, level: 'item' | 'field', at: FieldPath, kube: SchemaFacts): Iterable<FieldError> =>
  kube.parts.unlessNone('structural errors', of, () => invariants(of, level, at, kube));

/** Upstream: validateStructuralInvariants. */
function* invariants(of: SchemaProps, level: SchemaLevel, at: FieldPath, kube: SchemaFacts): Iterable<FieldError> {
  const { type, items } = of;
  if (type === 'array' && items === undefined) yield required(at.child('items'), 'must be specified');
  const others = otherSchemas(of, kube);
  if (others.items !== undefined) yield* inner(others.items, 'item', at.child('items'), kube);
  for (const [name, it] of others.properties) yield* inner(it, 'field', at.child('properties').key(name), kube);
  if (of.additionalProperties !== undefined) {
    if (level === 'root') yield forbidden(at.child('additionalProperties'), 'must not be used at the root');
    if (others.values !== undefined) yield* inner(others.values, 'field', at.child('additionalProperties'), kube);
  }
  yield* extensionErrors(of, at);
  yield* nestedErrors(of, at, kube.cel, {
    anyOf: isIntOrString(of.anyOf),
    firstAllOf: isIntOrString(of.allOf?.[0]?.anyOf),
  });
  yield* typeErrors(of, level, at);
  yield* metadataErrors(of, level, at);
  const isOpen = of['x-kubernetes-preserve-unknown-fields'] === true;
  if (of['x-kubernetes-embedded-resource'] && !isOpen && of.properties === undefined) {
    yield required(
      at.child('properties'),
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    );
  }
}

function* extensionErrors(of: SchemaProps, at: FieldPath): Iterable<FieldError> {
  if (of['x-kubernetes-int-or-string'] !== true) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (of[name]) yield invalid(at.child(name), true, 'must be false if x-kubernetes-int-or-string is true');
  }
}

function* typeErrors(of: SchemaProps, level: SchemaLevel, at: FieldPath): Iterable<FieldError> {
  const { type = '' } = of;
  const isFree = of['x-kubernetes-int-or-string'] === true || of['x-kubernetes-preserve-unknown-fields'] === true;
  if (of['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    yield type === '' ? required(at.child('type'), detail) : invalid(at.child('type'), type, detail);
  } else if (type === '' && !isFree) {
    yield required(at.child('type'), MISSING_TYPE[level]);
  }
  if (of['x-kubernetes-embedded-resource'] && of.additionalProperties !== undefined) {
    yield forbidden(at.child('additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set');
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    yield invalid(at.child('type'), type, 'must be object at the root');
  }
}

/** The server knows `kind`, `apiVersion` and `metadata` of a resource. Upstream: validateStructuralMetadataInvariants. */
function* metadataErrors(of: SchemaProps, level: SchemaLevel, at: FieldPath): Iterable<FieldError> {
  const isResource = level === 'root' || of['x-kubernetes-embedded-resource'] === true;
  const place = (name: string): FieldPath => at.child('properties').key(name);
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const inner = propertyOf(of, name);
    if (inner === undefined || inner.type === 'string') continue;
    yield invalid(place(name).child('type'), inner.type ?? '', 'must be string');
  }
  const metadata = propertyOf(of, 'metadata');
  if (metadata === undefined) return;
  if (isResource && metadata.type !== 'object') {
    yield invalid(place('metadata').child('type'), metadata.type ?? '', 'must be object');
  }
  if (level === 'root' && !holdsOnlyNames(metadata)) {
    yield forbidden(
      place('metadata'),
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    );
  }
}

function holdsOnlyNames({ type, default: _, properties = {}, ...rest }: SchemaProps): boolean {
  return Object.keys(rest).length === 0 && Object.keys(properties).every(it => it === 'name' || it === 'generateName');
}

/**
 * What allOf, anyOf, oneOf and not of the root name must be in the schema itself. Upstream: validateStructuralCompleteness.
 */
function* completeness(
  rules: SchemaProps,
  of: SchemaProps | undefined,
  at: FieldPath,
  rulesAt: FieldPath,
): Iterable<FieldError> {
  const { not } = rules;
  if (not !== undefined) yield* nestedCompleteness(not, of, at, rulesAt.child('not'));
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, it] of (rules[word] ?? []).entries()) {
      yield* nestedCompleteness(it, of, at, rulesAt.child(word).index(i));
    }
  }
}

function* nestedCompleteness(
  rules: SchemaProps,
  of: SchemaProps | undefined,
  at: FieldPath,
  rulesAt: FieldPath,
): Iterable<FieldError> {
  if (of === undefined) {
    yield required(at, `because it is defined in ${rulesAt.toString()}`);
    return;
  }
  yield* completeness(rules, of, at, rulesAt);
  if (rules.items !== undefined) {
    yield* nestedCompleteness(rules.items, of.items, at.child('items'), rulesAt.child('items'));
  }
  for (const [name, it] of propertiesOf(rules)) {
    const place = (path: FieldPath): FieldPath => path.child('properties').key(name);
    yield* nestedCompleteness(it, propertyOf(of, name), place(at), place(rulesAt));
  }
}
