import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notAmong, notSupported, required } from '../errors';
import { childContext, type ExpressionContext, type RuleFindings, ruleFindings, type Step } from './expressions';
import { listErrors } from './lists';
import { isOrdinary, otherSchemas, ruleCount, type SchemaFacts } from './ordinary';
import { takeRules } from './ruleBudget';
import { ruleErrors } from './ruleErrors';
import type { SchemaProps } from './schemaProps';

/** What the schemas around a schema decide. Upstream: specStandardValidatorV3. */
export interface Around {
  /** Why no default may be here; undefined where one may. */
  readonly noDefaults?: string;
  readonly inMetadata: boolean;
  /** The outermost schema whose values cannot be compared with those before an update. */
  readonly uncorrelated?: FieldPath;
}

export interface SchemaFindings extends RuleFindings {
  readonly errors: readonly FieldError[];
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/**
 * The errors of a schema and those of its CEL rules, which are compiled only where the schema and what is in it have no
 * error. Upstream: ValidateCustomResourceDefinitionOpenAPISchema.
 */
export function openApiFindings(
  of: SchemaProps,
  at: FieldPath,
  around: Around,
  context: ExpressionContext | undefined,
  level: 'root' | 'inner',
  kube: SchemaFacts,
): SchemaFindings {
  const inner = partsOf(of, at, around, context, level, kube).map(it => innerFindings(it, kube));
  const errors = [
    ...keywordErrors(of, at, around),
    ...inner.flatMap(it => it.errors),
    ...mapTypeErrors(of, at),
    ...listErrors(of, at),
    ...ruleErrors(of, at, kube),
  ];
  const own = errors.length === 0 && context !== undefined ? ownRuleFindings(of, at, around, context) : undefined;
  return {
    errors,
    celErrors: [...inner.flatMap(it => it.celErrors), ...(own?.celErrors ?? [])],
    costs: [...inner.flatMap(it => it.costs), ...(own?.costs ?? [])],
  };
}

/** What was found of the rules of a schema, and what that depends on besides them. */
interface KeptFindings {
  readonly type: unknown;
  readonly place: string;
  readonly found: RuleFindings;
}

/** The findings of the schema's own rules, which are not checked again while all is the same. */
function ownRuleFindings(
  of: SchemaProps,
  at: FieldPath,
  { uncorrelated }: Around,
  context: ExpressionContext,
): RuleFindings | undefined {
  const rules = of['x-kubernetes-validations'] ?? [];
  const count = takeRules(context.budget, rules.length);
  if (count === 0) return undefined;
  const type = context.type();
  const place = `${at} ${uncorrelated ?? ''} ${context.most} ${count}`;
  const kept = context.kube.parts.of('findings of rules', rules, () => new Map<'last', KeptFindings>());
  const last = kept.get('last');
  if (last !== undefined && last.type === type && last.place === place) return last.found;
  const found = ruleFindings(rules.slice(0, count), at, uncorrelated, context);
  kept.set('last', { type, place, found });
  return found;
}

const NOTHING: SchemaFindings = { errors: [], celErrors: [], costs: [] };

const MARK = 'no findings';

function innerFindings({ schema, at, around, context }: Part, kube: SchemaFacts): SchemaFindings {
  const found = openApiFindings(schema, at, around, context, 'inner', kube);
  if (isInMetadata(around) || found.errors.length > 0 || ruleCount(schema, kube) > 0) return found;
  kube.parts.mark(MARK, schema);
  return NOTHING;
}

/** A schema without rules and errors has none anywhere outside of metadata. */
const hasNoFindings = (of: SchemaProps, around: Around, kube: SchemaFacts): boolean =>
  isOrdinary(of, kube) || (!isInMetadata(around) && kube.parts.isMarked(MARK, of));

const isInMetadata = ({ inMetadata, noDefaults }: Around): boolean => inMetadata || noDefaults !== undefined;

interface Part {
  readonly schema: SchemaProps;
  readonly at: FieldPath;
  readonly around: Around;
  readonly context: ExpressionContext | undefined;
}

const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** The schemas right in a schema that may have findings. */
function partsOf(
  of: SchemaProps,
  at: FieldPath,
  around: Around,
  context: ExpressionContext | undefined,
  level: 'root' | 'inner',
  kube: SchemaFacts,
): readonly Part[] {
  const parts: Part[] = [];
  const add = (schema: SchemaProps, of_: Around, place: () => FieldPath, step?: Step): void => {
    if (hasNoFindings(schema, of_, kube)) return;
    const inner = step && context && childContext(context, schema, step);
    parts.push({ schema, at: place(), around: of_, context: inner });
  };
  const { values, properties, items } = otherSchemas(of, kube);
  if (values !== undefined) {
    const inMaps = around.inMetadata
      ? { ...around, noDefaults: 'inside additionalProperties applying to object metadata' }
      : around;
    add(values, inMaps, () => at.child('additionalProperties'), { by: 'values' });
  }
  for (const [name, it] of properties) {
    const inProperty = aroundProperty(of, name, around, at, level);
    add(it, inProperty, () => at.child('properties').key(name), { by: 'property', name });
  }
  if (of.not !== undefined) add(of.not, around, () => at.child('not'));
  for (const word of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [i, it] of (of[word] ?? []).entries()) add(it, around, () => at.child(word).index(i));
  }
  for (const [name, it] of Object.entries(of.definitions ?? {}))
    add(it, around, () => at.child('definitions').key(name));
  const inItems = of['x-kubernetes-list-type'] === 'map' ? around : uncorrelatedFrom(around, at);
  if (items !== undefined) add(items, inItems, () => at.child('items'), { by: 'items' });
  for (const [i, it] of (of.itemsList ?? []).entries()) {
    add(it, inItems, () => at.child('items').index(i), { by: 'items' });
  }
  for (const [name, it] of Object.entries(of.dependencies ?? {})) {
    add(it, around, () => at.child('dependencies').key(name));
  }
  return parts;
}

const uncorrelatedFrom = (around: Around, at: FieldPath): Around =>
  around.uncorrelated === undefined ? { ...around, uncorrelated: at } : around;

function aroundProperty(of: SchemaProps, name: string, around: Around, at: FieldPath, level: 'root' | 'inner'): Around {
  const mapType = of['x-kubernetes-map-type'];
  const isComparable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
  const base = isComparable ? around : uncorrelatedFrom(around, at);
  const isMeta = (level === 'root' || of['x-kubernetes-embedded-resource'] === true) && META_FIELDS.has(name);
  if (!isMeta) return base;
  return { ...base, inMetadata: true, ...(level === 'root' && { noDefaults: `in top-level ${name}` }) };
}

/** Upstream: specStandardValidatorV3.validate, and the first checks of ValidateCustomResourceDefinitionOpenAPISchema. */
function* keywordErrors(of: SchemaProps, at: FieldPath, around: Around): Iterable<FieldError> {
  const { type } = of;
  if (type !== undefined && !TYPES.includes(type)) yield notSupported(at.child('type'), type, TYPES);
  if (of.default !== undefined && around.noDefaults !== undefined) {
    yield forbidden(at.child('default'), `must not be set ${around.noDefaults}`);
  }
  for (const name of ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const) {
    if (of[name] !== undefined) yield forbidden(at.child(name), `${name} is not supported`);
  }
  if (type === 'null') {
    yield forbidden(at.child('type'), 'type cannot be set to null, use nullable as an alternative');
  }
  if (of.itemsList !== undefined && of.itemsList.length > 0) {
    yield forbidden(at.child('items'), 'items must be a schema object and not an array');
  }
  if (around.inMetadata && of['x-kubernetes-embedded-resource']) {
    yield forbidden(at.child('x-kubernetes-embedded-resource'), 'must not be used inside of resource meta');
  }
  if (of.uniqueItems) {
    yield forbidden(
      at.child('uniqueItems'),
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    );
  }
  if (of.properties !== undefined && of.additionalProperties !== undefined && of.additionalProperties !== true) {
    yield forbidden(at.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive');
  }
  if (of['x-kubernetes-preserve-unknown-fields'] === false) {
    yield invalid(at.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined');
  }
}

function* mapTypeErrors(of: SchemaProps, at: FieldPath): Iterable<FieldError> {
  const mapType = of['x-kubernetes-map-type'];
  if (mapType === undefined) return;
  const detail = 'must be object if x-kubernetes-map-type is specified';
  if (of.type === undefined) yield required(at.child('type'), detail);
  else if (of.type !== 'object') yield invalid(at.child('type'), of.type, detail);
  if (mapType !== 'atomic' && mapType !== 'granular') {
    yield notAmong(at.child('x-kubernetes-map-type'), mapType, ['atomic', 'granular']);
  }
}
