import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import {
  entries,
  type GoFields,
  get,
  has,
  int,
  mapItems,
  optionalText,
  record,
  records,
  text,
  texts,
  withDefault,
} from '../../../../kube/goFields';
import { dns1123LabelErrors, labelValueErrors, qualifiedNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notAmong,
  required,
} from '../errors';
import { nameOf, validateGenericObjectMeta, validateNameFn, validateObjectMeta } from '../metadata';
import { claimsOf, validateResources } from '../podSpec/containers/resources';
import { type Dropped, resetStatus } from '../shared/drops';
import { annotationsOf, deprecatedNodeLabel, labelMapErrors } from '../shared/labels';

const highestPriority = 1000000000;
const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2000001000],
  ['system-cluster-critical', 2000000000],
]);

/** Upstream: IsKnownSystemPriorityClass. */
function reservedReason(name: string, object: JsonObject): string | undefined {
  const value = systemClasses.get(name);
  if (value === undefined) return `${name} is not a known system priority class`;
  if (int(object, 'value') !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object.globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function priorityErrors(object: JsonObject): readonly FieldError[] {
  const name = nameOf(record(object, 'metadata'));
  if (name.startsWith('system-')) {
    const reason = reservedReason(name, object);
    const rule = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    return reason === undefined ? [] : [forbidden(FieldPath.of('metadata', 'name'), rule + reason)];
  }
  if (int(object, 'value') <= highestPriority) return [];
  const detail = `maximum allowed value of a user defined priority is ${highestPriority}`;
  return [forbidden(FieldPath.of('value'), detail)];
}

const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

/** Upstream: ValidatePriorityClass. */
export const priorityClassStrategy: KindStrategy = {
  defaults: object => withDefault(object, 'preemptionPolicy', 'PreemptLowerPriority'),
  validate: object => {
    const policy = optionalText(object, 'preemptionPolicy');
    const at = FieldPath.of('preemptionPolicy');
    return [
      ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
      ...priorityErrors(object),
      ...(policy === '' ? [required(at)] : []),
      ...(policy && !preemptionPolicies.includes(policy) ? [notAmong(at, policy, preemptionPolicies)] : []),
    ];
  },
};

/** Upstream: ValidateNamespace. */
export const namespaceStrategy: KindStrategy = {
  defaults: object => {
    const metadata = record(object, 'metadata') ?? {};
    const name = text(metadata, 'name');
    if (name === '') return object;
    const labels = { ...record(metadata, 'labels'), 'kubernetes.io/metadata.name': name };
    return { ...object, metadata: { ...metadata, labels } };
  },
  drop: object => resetStatus(object, { phase: 'Active' }),
  validate: object => {
    const at = FieldPath.of('spec', 'finalizers');
    return [
      ...validateObjectMeta(object, 'cluster', validateNameFn.label),
      ...texts(record(object, 'spec'), 'finalizers').flatMap(it => finalizerErrors(it, at)),
    ];
  },
};

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

function finalizerErrors(name: string, at: FieldPath): readonly FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return [
    ...invalids(at, name, qualifiedNameErrors(name)),
    ...(name.includes('/') || standardFinalizers.includes(name) ? [] : [invalid(at, name, detail)]),
  ];
}

const MOUNTABLE_ANNOTATION = 'kubernetes.io/enforce-mountable-secrets';

/** Upstream: cleanSecretReferences, which keeps only the names in `secrets`. */
function dropSecretReferences(object: JsonObject): Dropped {
  const dropped = records(object, 'secrets').flatMap((secret, i) =>
    entries({ secret }, 'secret')
      .filter(([field, value]) => field !== 'name' && value !== '')
      .map(([field]) => FieldPath.of('secrets').index(i).child(field)),
  );
  return { object: mapItems(object, 'secrets', it => ({ name: text(it, 'name') })), dropped };
}

/** Upstream: ValidateServiceAccount. */
export const serviceAccountStrategy: KindStrategy = {
  drop: dropSecretReferences,
  validate: object => [...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain)],
  warn: (object, { kube }) => {
    if (!applies(minorChanges.mountableSecretsDeprecated, kube)) return [];
    if (!has(annotationsOf(object), MOUNTABLE_ANNOTATION)) return [];
    const instead = 'prefer separate namespaces to isolate access to mounted secrets';
    return [`metadata.annotations[${MOUNTABLE_ANNOTATION}]: deprecated in v1.32+; ${instead}`];
  },
};

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Upstream: ValidateTolerations. */
function tolerationErrors(toleration: GoFields, at: FieldPath): readonly FieldError[] {
  const key = text(toleration, 'key');
  const operator = text(toleration, 'operator');
  const effect = text(toleration, 'effect');
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const timed = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  return [
    ...(key === '' ? [] : invalids(at.child('key'), key, qualifiedNameErrors(key))),
    ...(key === '' && operator !== 'Exists' ? [invalid(at.child('operator'), operator, all)] : []),
    ...(has(toleration, 'tolerationSeconds') && effect !== 'NoExecute'
      ? [invalid(at.child('effect'), effect, timed)]
      : []),
    ...operatorErrors(operator, text(toleration, 'value'), at.child('operator')),
    ...(effect === '' || effects.includes(effect) ? [] : [notAmong(at.child('effect'), effect, effects)]),
  ];
}

function operatorErrors(operator: string, value: string, at: FieldPath): readonly FieldError[] {
  if (operator === '' || operator === 'Equal') {
    const wrong = labelValueErrors(value);
    return wrong.length === 0 ? [] : [invalid(at, value, wrong.join(';'))];
  }
  if (operator === 'Exists') {
    return value === '' ? [] : [invalid(at, value, "value must be empty when `operator` is 'Exists'")];
  }
  // The numeric operators are never valid in a RuntimeClass, whatever the gate is.
  const more = operator === 'Lt' || operator === 'Gt' ? ['Lt', 'Gt'] : [];
  return [notAmong(at, operator, ['Equal', 'Exists', ...more])];
}

const OVERHEAD = FieldPath.of('overhead');

/** Upstream: ValidateRuntimeClass; declarative validation checks the length of a handler, in bytes. */
export const runtimeClassStrategy: KindStrategy = {
  validate: (object, { kube }) => {
    const handler = text(object, 'handler');
    const scheduling = record(object, 'scheduling');
    const list = FieldPath.of('scheduling', 'tolerations');
    const at = applies(minorChanges.tolerationPath, kube) ? list : list.child('tolerations');
    const tolerations = records(scheduling, 'tolerations');
    const keys = tolerations.map(it => JSON.stringify(['key', 'operator', 'value', 'effect'].map(f => text(it, f))));
    const repeated = repeatedAt(keys);
    return [
      ...validateGenericObjectMeta(object, 'cluster', validateNameFn.subdomain),
      ...(handler === '' && applies(minorChanges.handlerRequired, kube)
        ? [required(FieldPath.of('handler'))]
        : handlerErrors(handler)),
      ...validateResources(
        { limits: get(record(object, 'overhead'), 'podFixed') ?? {} },
        'container',
        claimsOf(undefined),
        OVERHEAD,
      ),
      ...labelMapErrors(scheduling, 'nodeSelector', FieldPath.of('scheduling', 'nodeSelector')),
      ...tolerations.flatMap((it, i) => tolerationErrors(it, at.index(i))),
      ...keys.flatMap((_, i) => (repeated.has(i) ? [duplicate(list.index(i), tolerations[i] ?? null)] : [])),
    ];
  },
  warn: object =>
    entries(record(object, 'scheduling'), 'nodeSelector').flatMap(([key]) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    }),
};

function handlerErrors(handler: string): readonly FieldError[] {
  const messages = dns1123LabelErrors(handler).map(it =>
    it.replace(/^(must be no more than \d+) characters$/, '$1 bytes'),
  );
  return invalids(FieldPath.of('handler'), handler, messages);
}
