import type { Kube } from '../../../../kube/kube';
import { isUnknownFormat } from '../crd/formats';
import { innerSchemas, type SchemaProps, valuesOf } from './schemaProps';

/** What the checks of schemas need to know of Kubernetes. */
export type SchemaFacts = Pick<Kube, 'cel' | 'minor' | 'parts'>;

/** Keywords that need no more than a value of their type, beside each other and wherever the schema stands. */
const FREE: ReadonlySet<string> = new Set<keyof SchemaProps>([
  'description',
  'title',
  'externalDocs',
  'example',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'enum',
  'required',
  'nullable',
  'x-kubernetes-int-or-string',
]);

const SCALARS: readonly (string | undefined)[] = ['string', 'integer', 'boolean', 'number'];

/**
 * Whether nothing is wrong with a schema below the root and with what is in it, wherever it stands, nothing is told of
 * it, and it has neither defaults nor CEL rules: so all checks pass it over. Most schemas are; the others may be right,
 * too.
 */
export function isOrdinary(of: SchemaProps, kube: SchemaFacts): boolean {
  if (of.properties === undefined && of.items === undefined && valuesOf(of) === undefined) return isPlain(of, kube);
  if (kube.parts.isMarked(ORDINARY, of)) return true;
  if (kube.parts.isMarked(OTHER, of)) return false;
  const isOne = isPlain(of, kube) && hasOrdinaryInner(of, kube);
  kube.parts.mark(isOne ? ORDINARY : OTHER, of);
  return isOne;
}

const [ORDINARY, OTHER] = ['ordinary', 'not ordinary'];

function hasOrdinaryInner({ properties = {}, items, additionalProperties }: SchemaProps, kube: SchemaFacts): boolean {
  for (const name of Object.keys(properties)) if (!isOrdinary(properties[name]!, kube)) return false;
  if (items !== undefined && !isOrdinary(items, kube)) return false;
  return typeof additionalProperties !== 'object' || isOrdinary(additionalProperties, kube);
}

/** The same without the schemas inside. */
function isPlain(of: SchemaProps, kube: SchemaFacts): boolean {
  for (const name of Object.keys(of))
    if (!FREE.has(name) && !isAllowed(of, name as keyof SchemaProps, kube)) return false;
  const { type } = of;
  if (type === 'object') return of.properties === undefined || of.additionalProperties === undefined;
  if (of.properties !== undefined || of.additionalProperties !== undefined) return false;
  if (type === 'array') return of.items !== undefined;
  if (of.items !== undefined) return false;
  const isIntOrString = of['x-kubernetes-int-or-string'] === true;
  return isIntOrString ? type === undefined : SCALARS.includes(type);
}

function isAllowed(of: SchemaProps, name: keyof SchemaProps, kube: SchemaFacts): boolean {
  switch (name) {
    case 'type':
    case 'properties':
    case 'items':
      return true;
    case 'additionalProperties':
      return valuesOf(of) !== undefined;
    case 'format':
      return !isUnknownFormat(of.type, of.format ?? '', kube);
    case 'pattern':
      return !('error' in kube.cel.pattern(of.pattern ?? ''));
    case 'x-kubernetes-list-type':
      return of[name] === 'atomic' && of.type === 'array';
    case 'x-kubernetes-map-type':
      return of[name] === 'atomic' && of.type === 'object';
    case 'anyOf':
      return of['x-kubernetes-int-or-string'] === true && isIntOrString(of.anyOf);
    default:
      return false;
  }
}

/** The one pattern of anyOf that may name types. */
export function isIntOrString(anyOf: readonly SchemaProps[] | undefined): boolean {
  return anyOf?.length === 2 && isOnlyType(anyOf[0]!, 'integer') && isOnlyType(anyOf[1]!, 'string');
}

const isOnlyType = (of: SchemaProps, type: string): boolean => of.type === type && Object.keys(of).length === 1;

/** The schemas right in a schema that are not ordinary. */
export interface OtherSchemas {
  readonly properties: readonly (readonly [string, SchemaProps])[];
  readonly items: SchemaProps | undefined;
  /** Of a map. */
  readonly values: SchemaProps | undefined;
  /** These and all others, in the order of `innerSchemas`. */
  readonly all: readonly SchemaProps[];
  /** How many CEL rules they and the schemas in them have. */
  readonly rules: number;
}

const NO_OTHERS: OtherSchemas = { properties: [], items: undefined, values: undefined, all: [], rules: 0 };

/** They are found once for all checks: most of the inner schemas are ordinary. */
export const otherSchemas = (of: SchemaProps, kube: SchemaFacts): OtherSchemas =>
  isLeaf(of) ? NO_OTHERS : kube.parts.of('schemas that are not ordinary', of, () => othersIn(of, kube));

function othersIn(of: SchemaProps, kube: SchemaFacts): OtherSchemas {
  const other = (it: SchemaProps | undefined) => (it === undefined || isOrdinary(it, kube) ? undefined : it);
  const all = innerSchemas(of).filter(it => !isOrdinary(it, kube));
  if (all.length === 0) return NO_OTHERS;
  const { properties = {} } = of;
  return {
    properties: Object.keys(properties).flatMap(name =>
      isOrdinary(properties[name]!, kube) ? [] : [[name, properties[name]!] as const],
    ),
    items: other(of.items),
    values: other(valuesOf(of)),
    all,
    rules: all.reduce((sum, it) => sum + ruleCount(it, kube), 0),
  };
}

/** The number of CEL rules of a schema and of those in it. */
export const ruleCount = (of: SchemaProps, kube: SchemaFacts): number =>
  (of['x-kubernetes-validations']?.length ?? 0) + otherSchemas(of, kube).rules;

/** Whether there is no schema in a schema. */
function isLeaf(of: SchemaProps): boolean {
  for (const name of Object.keys(of)) if (HOLDS_SCHEMAS.has(name)) return false;
  return true;
}

const HOLDS_SCHEMAS: ReadonlySet<string> = new Set<keyof SchemaProps>([
  'properties',
  'items',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'itemsList',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
]);
