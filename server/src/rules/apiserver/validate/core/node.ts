import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { quoted } from '../../../../base/quoted';
import { repeatedAt } from '../../../../base/repeated';
import {
  entries,
  type GoFields,
  get,
  mapField,
  optionalInt,
  record,
  records,
  text,
  texts,
  withDefault,
  withField,
  without,
} from '../../../../kube/goFields';
import { ipFamily, legacyCidrErrors, parseCidr } from '../../../../kube/ip';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { duplicate, type FieldError, invalid, invalids, type KindStrategy, tooMany, type Validation } from '../errors';
import { isEnabled } from '../gates';
import { validateLabelName, validateNameFn, validateObjectMeta } from '../metadata';
import { addressWarningsOf } from '../shared/addresses';
import { type Dropped, isZero } from '../shared/drops';
import { annotationsOf } from '../shared/labels';
import { resourceAmountErrors } from '../shared/resources';
import { ipStrictness } from '../shared/strictness';
import { validateNodeAnnotations, validateTaints } from './taints';

const SPEC = FieldPath.of('spec');

/** Upstream: ValidateNode, which reports errors of `spec.taints` at `metadata.taints`. */
export const nodeStrategy: KindStrategy = {
  defaults: nodeWithDefaults,
  drop: dropNodeFields,
  validate: (object, validation) => [
    ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
    ...validateNode(object, validation),
  ],
  warn: (object, { kube }) => {
    const spec = record(object, 'spec');
    const warningsOf = addressWarningsOf(kube);
    const externalId = 'spec.externalID: this field is deprecated, and is unused by Kubernetes';
    return [
      ...(text(spec, 'externalID') === '' ? [] : [externalId]),
      ...(applies(minorChanges.nodePodCidrWarnings, kube) ? texts(spec, 'podCIDRs') : []).flatMap((it, i) =>
        warningsOf.cidr(it).map(warning => `${SPEC.child('podCIDRs').index(i)}: ${warning}`),
      ),
    ];
  },
};

/** Upstream: SetDefaults_NodeStatus, and the conversion of the one `podCIDR` that old clients write. */
function nodeWithDefaults(object: JsonObject): JsonObject {
  const sized = mapField(object, 'status', status => {
    const capacity = get(status, 'capacity');
    return capacity === undefined ? status : withDefault(status, 'allocatable', capacity);
  });
  return mapField(sized, 'spec', spec => {
    const single = text(spec, 'podCIDR');
    return single === '' || texts(spec, 'podCIDRs')[0] === single ? spec : withField(spec, 'podCIDRs', [single]);
  });
}

/** Upstream: PrepareForCreate and dropDisabledFields of pkg/registry/core/node. */
function dropNodeFields(object: JsonObject, { kube }: Validation): Dropped {
  const removed = [
    ['spec', 'configSource'] as const,
    ['status', 'config'] as const,
    ...(isEnabled('NodeDeclaredFeatures', kube) ? [] : [['status', 'declaredFeatures'] as const]),
  ];
  const gone = removed.filter(([part, field]) => !isZero(get(record(object, part), field)));
  return {
    object: removed.reduce((it, [part, field]) => mapField(it, part, fields => without(fields, field)), object),
    dropped: gone.map(path => FieldPath.of(...path)),
  };
}

function* validateNode(object: JsonObject, validation: Validation): Iterable<FieldError> {
  const spec = record(object, 'spec');
  const status = record(object, 'status');
  yield* validateNodeAnnotations(annotationsOf(object));
  yield* validateTaints(records(spec, 'taints'), FieldPath.of('metadata', 'taints'));
  for (const field of ['capacity', 'allocatable']) {
    for (const [name, value] of entries(status, field)) {
      // Upstream's path prints a field without a name like a key.
      const segment = name === '' ? { key: name } : name;
      yield* resourceAmountErrors(name, value, FieldPath.of('status', field, segment));
    }
  }
  const swap = optionalInt(record(record(status, 'nodeInfo'), 'swap'), 'capacity');
  if (swap !== undefined && swap <= 0) {
    yield invalid(FieldPath.of('metadata', 'nodeSwapStatus', 'capacity'), swap, 'must be greater than zero');
  }
  yield* validateDeclaredFeatures(texts(status, 'declaredFeatures'));
  yield* validatePodCidrs(texts(spec, 'podCIDRs'), validation);
  yield* validatePreemptionPolicy(record(spec, 'podPreemptionPolicy'));
}

/** Upstream: validateNodeDeclaredFeatures. */
function* validateDeclaredFeatures(features: readonly string[]): Iterable<FieldError> {
  const list = FieldPath.of('status', 'declaredFeatures');
  for (const [i, feature] of features.entries()) {
    yield* invalids(list.index(i), feature, featureNameErrors(feature));
    const next = features[i + 1];
    if (next === undefined) continue;
    if (feature === next) yield duplicate(list.index(i + 1), next);
    else if (feature > next) yield invalid(list.index(i + 1), next, 'list must be sorted alphabetically');
  }
}

function featureNameErrors(name: string): readonly string[] {
  const start = `invalid feature name ${quoted(name)}: must`;
  if (byteLength(name) > 253) return [`${start} be no more than 253 characters`];
  if (/^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/.test(name)) return [];
  return [
    `${start} start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
  ];
}

function* validatePodCidrs(cidrs: readonly string[], validation: Validation): Iterable<FieldError> {
  const at = SPEC.child('podCIDRs');
  for (const [i, it] of cidrs.entries()) {
    yield* invalids(at.index(i), it, legacyCidrErrors(it, ipStrictness(validation)));
  }
  if (cidrs.length < 2) return;
  const repeated = applies(minorChanges.podCidrsRepeated, validation.kube) ? repeatedAt(cidrs) : new Set<number>();
  for (const i of repeated) yield duplicate(at.index(i), cidrs[i] ?? '');
  const wrong = cidrs.find(it => parseCidr(it) === undefined);
  if (wrong !== undefined) {
    const reason = `invalid CIDR[${cidrs.indexOf(wrong)}]: <nil> (invalid CIDR address: ${wrong})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${reason}`;
    yield { type: 'InternalError', at, detail };
  }
  const families = new Set(cidrs.map(it => parseCidr(it)).map(it => it && ipFamily(it.network)));
  if (wrong === undefined && families.size === 2 && cidrs.length === 2) return;
  yield invalid(at, cidrs, 'may specify no more than one CIDR for each IP family');
}

const mostPreemptionKeys = 20;

/** Upstream: Validate_NodePodPreemptionPolicy of the declarative validation. */
function* validatePreemptionPolicy(policy: GoFields): Iterable<FieldError> {
  const at = SPEC.child('podPreemptionPolicy', 'disableResizePreemption');
  const keys = texts(policy, 'disableResizePreemption');
  if (keys.length > mostPreemptionKeys) {
    yield tooMany(at, keys.length, mostPreemptionKeys);
    return;
  }
  for (const [i, key] of keys.entries()) yield* validateLabelName(key, at.index(i));
  for (const [i, key] of keys.entries()) if (keys.indexOf(key) < i) yield duplicate(at.index(i), key);
}
