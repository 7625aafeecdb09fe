import type { JsonObject } from '../../../base/json';
import { elided } from '../../../base/shortened';
import type { KindInfo, Kube } from '../../../kube/kube';
import type { FieldPath } from '../../../manifest/fieldPath';
import { customResourceStrategy } from './crd/index';
import { decodedObject } from './decoded';
import { type FieldError, firstOfEachType, type KindStrategy, type Validation, type Warning } from './errors';
import { dropGatedFields } from './gatedFields';
import { validateGenericObjectMeta, validateNameFn } from './metadata';
import { ownerErrorIn } from './ownerReferences';
import { withoutRepeats } from './repeats';
import { builtInStrategy } from './strategies';
import { systemMetadata, withGeneration } from './systemMetadata';

/** The API server's answer to the creation of one object. */
export interface ServerAnswer {
  readonly errors: readonly FieldError[];
  readonly dropped: readonly FieldPath[];
  readonly warnings: readonly Warning[];
}

/** The strategy of a built-in kind or of a published custom resource; undefined if only the decoder checks the kind. */
export function strategyOf(kind: KindInfo | undefined, { parts }: Pick<Kube, 'parts'>): KindStrategy | undefined {
  if (kind === undefined) return undefined;
  if (kind.origin === 'crd') return customResourceStrategy(kind, parts);
  return builtInStrategy(kind.group, kind.kind);
}

/**
 * The API server's answer for an object of a kind, in upstream's order: decoding, defaults, dropped fields, errors,
 * warnings. undefined for a kind without a strategy. Upstream: k8s.io/apiserver/pkg/registry/rest.BeforeCreate and
 * ValidateCreate, which checks the metadata of any kind if the strategy finds no errors.
 */
export function answerOf(value: JsonObject, kind: KindInfo | undefined, kube: Kube): ServerAnswer | undefined {
  const strategy = strategyOf(kind, kube);
  if (strategy === undefined || kind === undefined) return undefined;
  const validation: Validation = { kube, isOn: gate => kube.isGateOn(gate) };
  const { object: prepared, dropped, warnings } = preparedObject(value, kind, strategy, validation);
  const ofStrategy = firstOfEachType(strategy.validate(prepared, validation)).map(withBoundedDetail);
  const scope = kind.namespaced ? 'namespaced' : 'cluster';
  const errors =
    ofStrategy.length > 0 ? ofStrategy : [...validateGenericObjectMeta(prepared, scope, validateNameFn.pathSegment)];
  return {
    errors: withoutRepeats(errors, kind, kube).map(it => ownerErrorIn(kube, it)),
    dropped,
    warnings: [...warnings, ...(strategy.warn?.(prepared, validation) ?? [])],
  };
}

/** How many characters of a detail are kept: a schema repeats its patterns, choices and rules for each wrong value. */
const MOST_CHARACTERS = 10_000;

const withBoundedDetail = (error: FieldError): FieldError =>
  error.detail.length <= MOST_CHARACTERS ? error : { ...error, detail: elided(error.detail, MOST_CHARACTERS) };

/**
 * The object of a create request as validating admission sees it: decoded, with defaults, without dropped fields. The
 * object as written if the kind is unknown. Upstream: rest.BeforeCreate, which runs before validating admission.
 */
export function createdObject(value: JsonObject, kind: KindInfo | undefined, kube: Kube): JsonObject {
  const strategy = strategyOf(kind, kube);
  if (kind === undefined || strategy === undefined) return value;
  return preparedObject(value, kind, strategy, { kube, isOn: gate => kube.isGateOn(gate) }).object;
}

/**
 * The object of a create request as mutating admission sees it: decoded, with defaults. What rest.BeforeCreate takes away or
 * makes, such as the selector of a Job, comes after it.
 */
export function requestedObject(value: JsonObject, kind: KindInfo | undefined, kube: Kube): JsonObject {
  const strategy = strategyOf(kind, kube);
  if (kind === undefined || strategy === undefined) return value;
  // A custom resource is defaulted and pruned while it is decoded.
  if (kind.origin === 'crd') return createdObject(value, kind, kube);
  const decoded = decodedObject(value, kind, kube);
  return strategy.defaults?.(decoded, { kube, isOn: gate => kube.isGateOn(gate) }) ?? decoded;
}

function preparedObject(value: JsonObject, kind: KindInfo, strategy: KindStrategy, validation: Validation) {
  // A custom resource is not decoded into a Go type; its strategy prunes it.
  const decoded = kind.origin === 'crd' ? value : decodedObject(value, kind, validation.kube);
  const created = systemMetadata(decoded, kind);
  const defaulted = strategy.defaults?.(created.object, validation) ?? created.object;
  const byStrategy = strategy.drop?.(defaulted, validation) ?? { object: defaulted, dropped: [] };
  // Fields that depend only on a gate are dropped here, for every kind and every Pod template, after the strategy has
  // dropped what depends on more.
  const gated =
    strategy.keepsGated?.(validation) === true ? undefined : validation.kube.gatedFields(kind.schema.definition);
  const stored = dropGatedFields(byStrategy.object, gated);
  const object = withGeneration(stored.object, kind, validation);
  return {
    object,
    dropped: [...created.dropped, ...byStrategy.dropped, ...stored.dropped],
    warnings: created.warnings,
  };
}
