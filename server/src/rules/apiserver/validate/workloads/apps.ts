import { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject, JsonValue } from '../../../../manifest/manifest';
import {
  type FieldError,
  forbidden,
  invalid,
  type KindStrategy,
  notSupported,
  required,
  type Validation,
} from '../errors';
import {
  selectsLabels,
  validateAnnotations,
  validateLabelSelector,
  validateLabels,
  validateNameFn,
  validateObjectMeta,
} from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { dropStatus } from '../podSpec/podSpec';
import { get, has, mapItems, optionalInt, record, records, text, withDefaults, without } from '../read';
import { claimSpecDefaults, claimSpecErrors } from '../storage/claim';
import { validatePodTemplateSpec } from './podTemplate';

const SPEC = FieldPath.of('spec');
const TEMPLATE = SPEC.child('template');

const specOf = (it: JsonObject): JsonObject => record(it, 'spec') ?? {};

/** The object with its spec filled in: the template's defaults, and those of the kind. */
function withSpec(it: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const spec = specOf(it);
  return { ...it, spec: change({ ...spec, template: defaultTemplate(record(spec, 'template') ?? {}) }) };
}

/** Upstream: core validation.ValidateNonnegativeField, for each of some fields. */
function* nonNegative(of: JsonObject, fields: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const field of fields) {
    const value = optionalInt(of, field) ?? 0;
    if (value < 0) yield invalid(at.child(field), value, 'must be greater than or equal to 0');
  }
}

/** The number of an int-or-percent, whatever its unit. Upstream: apps validation.getIntOrPercentValue. */
function amountOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return isPercent(value) ? Number.parseInt(value, 10) : 0;
  return typeof value === 'number' ? value : 0;
}

const isPercent = (text: string): boolean => /^\d+%$/.test(text);

/** Upstream: apps validation.ValidatePositiveIntOrPercent. */
function* intOrPercent(value: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof value === 'string' && !isPercent(value)) {
    yield invalid(at, value, "must be an integer or percentage (e.g '5%%')");
  }
  if (typeof value === 'number' && value < 0) yield invalid(at, value, 'must be greater than or equal to 0');
}

/** Upstream: apps validation.IsNotMoreThan100Percent. */
function* atMostAll(value: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof value === 'string' && isPercent(value) && amountOf(value) > 100) {
    yield invalid(at, value, 'must not be greater than 100%');
  }
}

/** A selector that must be there and select something. */
function* requiredSelector(spec: JsonObject, kind: string): Iterable<FieldError> {
  const at = SPEC.child('selector');
  const selector = record(spec, 'selector');
  if (selector === undefined) {
    yield required(at);
    return;
  }
  yield* validateLabelSelector(selector, at);
  if (isEmptySelector(selector)) yield invalid(at, selector, `empty selector is invalid for ${kind}`);
}

const isEmptySelector = (selector: JsonObject): boolean =>
  Object.keys(record(selector, 'matchLabels') ?? {}).length + records(selector, 'matchExpressions').length === 0;

/** Whether metav1.LabelSelectorAsSelector gives an error. */
const isBrokenSelector = (spec: JsonObject): boolean =>
  [...validateLabelSelector(record(spec, 'selector'), SPEC.child('selector'))].length > 0;

function* selectorMatches(spec: JsonObject): Iterable<FieldError> {
  const selector = record(spec, 'selector');
  if (selector !== undefined && isEmptySelector(selector)) return;
  const labels = record(record(record(spec, 'template'), 'metadata'), 'labels');
  if (selectsLabels(selector, labels)) return;
  yield invalid(TEMPLATE.child('metadata', 'labels'), labels ?? null, '`selector` does not match template `labels`');
}

/** Pods of these workloads run for ever. */
function* runsForEver(spec: JsonObject, kind: string): Iterable<FieldError> {
  const pod = record(record(spec, 'template'), 'spec') ?? {};
  const policy = text(pod, 'restartPolicy');
  if (policy !== 'Always') yield notSupported(TEMPLATE.child('spec', 'restartPolicy'), policy, ['Always']);
  if (has(pod, 'activeDeadlineSeconds')) {
    yield forbidden(
      TEMPLATE.child('spec', 'activeDeadlineSeconds'),
      `activeDeadlineSeconds in ${kind} is not Supported`,
    );
  }
}

/** Upstream: apps validation.ValidatePodTemplateSpecForReplicaSet, and what its callers say of a broken selector. */
function* templateOfReplicaSet(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  if (isBrokenSelector(spec)) {
    yield invalid(SPEC.child('selector'), get(spec, 'selector') ?? null, 'invalid label selector');
    return;
  }
  yield* selectorMatches(spec);
  yield* validatePodTemplateSpec(record(spec, 'template') ?? {}, TEMPLATE, validation);
  yield* runsForEver(spec, 'ReplicaSet');
}

/** Upstream: apps validation.ValidateReplicaSet. */
export const replicaSetStrategy: KindStrategy = {
  defaults: it => withSpec(it, spec => withDefaults(spec, { replicas: 1 })),
  drop: dropStatus,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...nonNegative(specOf(it), ['replicas', 'minReadySeconds'], SPEC),
    ...requiredSelector(specOf(it), 'deployment'),
    ...templateOfReplicaSet(specOf(it), validation),
  ],
};

/** Upstream: apps validation.ValidateDeployment. */
export const deploymentStrategy: KindStrategy = {
  defaults: it =>
    withSpec(it, spec =>
      withDefaults(
        {
          ...spec,
          strategy: rollingDefaults(record(spec, 'strategy') ?? {}, { maxUnavailable: '25%', maxSurge: '25%' }),
        },
        { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
      ),
    ),
  drop: dropStatus,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...nonNegative(specOf(it), ['replicas'], SPEC),
    ...requiredSelector(specOf(it), 'deployment'),
    ...templateOfReplicaSet(specOf(it), validation),
    ...validateDeploymentStrategy(record(specOf(it), 'strategy') ?? {}, SPEC.child('strategy')),
    ...nonNegative(specOf(it), ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], SPEC),
    ...validateDeadline(specOf(it)),
  ],
};

function rollingDefaults(strategy: JsonObject, defaults: JsonObject): JsonObject {
  const typed = withDefaults(strategy, { type: 'RollingUpdate' });
  if (text(typed, 'type') !== 'RollingUpdate') return typed;
  return { ...typed, rollingUpdate: withDefaults(record(typed, 'rollingUpdate') ?? {}, defaults) };
}

function* validateDeadline(spec: JsonObject): Iterable<FieldError> {
  const deadline = optionalInt(spec, 'progressDeadlineSeconds');
  if (deadline === undefined || deadline > (optionalInt(spec, 'minReadySeconds') ?? 0)) return;
  yield invalid(SPEC.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds');
}

/** Upstream: apps validation.ValidateDeploymentStrategy. */
function* validateDeploymentStrategy(strategy: JsonObject, at: FieldPath): Iterable<FieldError> {
  const type = text(strategy, 'type');
  const rolling = record(strategy, 'rollingUpdate');
  if (type === 'Recreate') {
    if (rolling) yield forbidden(at.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'");
    return;
  }
  if (type !== 'RollingUpdate') {
    yield notSupported(at.child('type'), type, ['Recreate', 'RollingUpdate']);
    return;
  }
  const [unavailable, surge] = [get(rolling, 'maxUnavailable'), get(rolling, 'maxSurge')];
  const atUnavailable = at.child('rollingUpdate', 'maxUnavailable');
  yield* intOrPercent(unavailable, atUnavailable);
  yield* intOrPercent(surge, at.child('rollingUpdate', 'maxSurge'));
  if (amountOf(unavailable) === 0 && amountOf(surge) === 0) {
    yield invalid(atUnavailable, unavailable ?? null, 'may not be 0 when `maxSurge` is 0');
  }
  yield* atMostAll(unavailable, atUnavailable);
}

/** Upstream: apps validation.ValidateDaemonSet. */
export const daemonSetStrategy: KindStrategy = {
  defaults: it =>
    withSpec(it, spec =>
      withDefaults(
        {
          ...spec,
          updateStrategy: rollingDefaults(record(spec, 'updateStrategy') ?? {}, { maxUnavailable: 1, maxSurge: 0 }),
        },
        { revisionHistoryLimit: 10 },
      ),
    ),
  drop: dropStatus,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...validateDaemonSetSpec(specOf(it), validation),
  ],
};

/** Upstream: apps validation.ValidateDaemonSetSpec. */
function* validateDaemonSetSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const selector = record(spec, 'selector');
  yield* validateLabelSelector(selector, SPEC.child('selector'));
  if (!isBrokenSelector(spec)) yield* selectorMatches(spec);
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalid(SPEC.child('selector'), selector, 'empty selector is invalid for daemonset');
  }
  yield* validatePodTemplateSpec(record(spec, 'template') ?? {}, TEMPLATE, validation);
  yield* runsForEver(spec, 'DaemonSet');
  yield* nonNegative(spec, ['minReadySeconds', 'revisionHistoryLimit'], SPEC);
  yield* validateDaemonSetUpdate(record(spec, 'updateStrategy') ?? {}, SPEC.child('updateStrategy'));
}

/** Upstream: apps validation.ValidateDaemonSetUpdateStrategy. */
function* validateDaemonSetUpdate(strategy: JsonObject, at: FieldPath): Iterable<FieldError> {
  const type = text(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    yield notSupported(at.child('type'), type, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const rolling = record(strategy, 'rollingUpdate');
  const [unavailable, surge] = [get(rolling, 'maxUnavailable'), get(rolling, 'maxSurge')];
  const [atUnavailable, atSurge] = [at.child('rollingUpdate', 'maxUnavailable'), at.child('rollingUpdate', 'maxSurge')];
  yield* intOrPercent(unavailable, atUnavailable);
  yield* intOrPercent(surge, atSurge);
  yield* atMostAll(unavailable, atUnavailable);
  yield* atMostAll(surge, atSurge);
  const [hasUnavailable, hasSurge] = [amountOf(unavailable) !== 0, amountOf(surge) !== 0];
  if (hasUnavailable && hasSurge)
    yield invalid(atSurge, surge ?? null, 'may not be set when maxUnavailable is non-zero');
  if (!hasUnavailable && !hasSurge) yield required(atUnavailable, 'cannot be 0 when maxSurge is 0');
}

/** Upstream: apps validation.ValidateStatefulSet. */
export const statefulSetStrategy: KindStrategy = {
  defaults: it =>
    withSpec(it, spec =>
      withDefaults(
        {
          ...mapItems(spec, 'volumeClaimTemplates', claim => ({ ...claim, spec: claimSpecDefaults(specOf(claim)) })),
          updateStrategy: withDefaults(record(spec, 'updateStrategy') ?? {}, { type: 'RollingUpdate' }),
        },
        { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 },
      ),
    ),
  drop: dropStatus,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.label),
    ...validateStatefulSetSpec(specOf(it), validation),
  ],
};

/** Upstream: apps validation.ValidateStatefulSetSpec. */
function* validateStatefulSetSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const policy = text(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    yield invalid(SPEC.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'");
  }
  yield* validateStatefulSetUpdate(record(spec, 'updateStrategy') ?? {}, SPEC.child('updateStrategy'));
  yield* validateRetention(record(spec, 'persistentVolumeClaimRetentionPolicy'));
  for (const [i, claim] of records(spec, 'volumeClaimTemplates').entries()) {
    yield* claimSpecErrors(specOf(claim), SPEC.child('volumeClaimTemplates').index(i).child('spec'));
  }
  yield* nonNegative(spec, ['replicas', 'minReadySeconds'], SPEC);
  if ((optionalInt(record(spec, 'ordinals'), 'start') ?? 0) < 0) {
    yield invalid(
      SPEC.child('ordinals.start'),
      optionalInt(record(spec, 'ordinals'), 'start') ?? 0,
      'must be greater than or equal to 0',
    );
  }
  const service = text(spec, 'serviceName');
  if (service !== '')
    for (const it of validateNameFn.label(service)) yield invalid(SPEC.child('serviceName'), service, it);
  yield* requiredSelector(spec, 'statefulset');
  if (isBrokenSelector(spec)) yield invalid(SPEC.child('selector'), get(spec, 'selector') ?? null, '');
  else yield* templateOfStatefulSet(spec, validation);
  yield* runsForEver(spec, 'StatefulSet');
}

/** Upstream: apps validation.ValidatePodTemplateSpecForStatefulSet, which looks at labels and annotations twice. */
function* templateOfStatefulSet(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const template = record(spec, 'template') ?? {};
  const metadata = record(template, 'metadata');
  yield* selectorMatches(spec);
  yield* validatePodTemplateSpec({ ...template, spec: podOfStatefulSet(spec) }, TEMPLATE, validation);
  yield* validateLabels(metadata, 'labels', TEMPLATE.child('labels'));
  yield* validateAnnotations(metadata, TEMPLATE.child('annotations'));
}

/** The Pod as the controller makes it: with a volume for each claim template, and without a hostname of its own. */
function podOfStatefulSet(spec: JsonObject): JsonObject {
  const pod = record(record(spec, 'template'), 'spec') ?? {};
  const names = records(spec, 'volumeClaimTemplates').map(it => text(record(it, 'metadata'), 'name'));
  const claims = [...new Set(names)];
  const volumes = claims.map(name => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = records(pod, 'volumes').filter(it => !claims.includes(text(it, 'name')));
  const named = without(without(pod, 'subdomain'), 'hostname');
  return claims.length === 0 ? named : { ...named, volumes: [...volumes, ...others] };
}

function* validateStatefulSetUpdate(strategy: JsonObject, at: FieldPath): Iterable<FieldError> {
  const type = text(strategy, 'type');
  const rolling = record(strategy, 'rollingUpdate');
  if (type === '') yield required(at);
  else if (type === 'OnDelete') {
    if (rolling) yield invalid(at.child('rollingUpdate'), rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (type !== 'RollingUpdate') yield invalid(at, strategy, "must be 'RollingUpdate' or 'OnDelete'");
  else if (rolling) {
    yield* nonNegative(rolling, ['partition'], at.child('rollingUpdate'));
    const unavailable = get(rolling, 'maxUnavailable');
    const atUnavailable = at.child('rollingUpdate', 'maxUnavailable');
    yield* intOrPercent(unavailable, atUnavailable);
    if (unavailable !== undefined && amountOf(unavailable) === 0)
      yield invalid(atUnavailable, unavailable, 'cannot be 0');
    yield* atMostAll(unavailable, atUnavailable);
  }
}

function* validateRetention(policy: JsonObject | undefined): Iterable<FieldError> {
  if (policy === undefined) return;
  for (const field of ['whenDeleted', 'whenScaled']) {
    const value = text(policy, field) || 'Retain';
    if (value === 'Retain' || value === 'Delete') continue;
    yield notSupported(SPEC.child('persistentVolumeClaimRetentionPolicy', field), value, ['Retain', 'Delete']);
  }
}

/** Upstream: core validation.ValidateReplicationController. */
export const replicationControllerStrategy: KindStrategy = {
  defaults: it =>
    withSpec(it, spec => {
      const labels = record(record(record(spec, 'template'), 'metadata'), 'labels');
      const hasSelector = Object.keys(record(spec, 'selector') ?? {}).length > 0;
      return withDefaults(labels && !hasSelector ? { ...spec, selector: labels } : spec, { replicas: 1 });
    }),
  drop: dropStatus,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...validateControllerSpec(specOf(it), validation),
  ],
};

/** Upstream: core validation.ValidateReplicationControllerSpec. */
function* validateControllerSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  yield* nonNegative(spec, ['minReadySeconds', 'replicas'], SPEC);
  const selector = record(spec, 'selector') ?? {};
  if (Object.keys(selector).length === 0) yield required(SPEC.child('selector'));
  else yield* selectorMatches({ ...spec, selector: { matchLabels: selector } });
  yield* validatePodTemplateSpec(record(spec, 'template') ?? {}, TEMPLATE, validation);
  yield* runsForEver(spec, 'ReplicationController');
}
