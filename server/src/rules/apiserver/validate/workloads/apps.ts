import type { JsonObject } from '../../../../base/json';
import { get, has, mapField, optionalInt, record, text, withDefaults } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, type KindStrategy, notAmong, required, type Validation } from '../errors';
import { atMostAll, intOrPercent } from '../intOrPercent';
import { validateLabelSelector, validateNameFn, validateObjectMeta } from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { atoi } from './atoi';
import {
  dropOfWorkload,
  isBrokenSelector,
  isEmptySelector,
  labelsOf,
  nameWarnings,
  nonNegative,
  requiredSelector,
  SPEC,
  selectorMatches,
  specOf,
  TEMPLATE,
  templateOf,
  templateWarnings,
  withSpec,
  withTemplateLabels,
} from './parts';
import { validatePodTemplateSpec } from './podTemplate';
import { amountOf, mustRunForever, rollingDefaults } from './rollout';

const warn: KindStrategy['warn'] = (it, validation) => [...nameWarnings(it), ...templateWarnings(it, validation)];

/** Upstream: apps validation.ValidatePodTemplateSpecForReplicaSet, and its callers' errors for an invalid selector. */
function* templateOfReplicaSet(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  if (isBrokenSelector(spec)) {
    yield invalid(SPEC.child('selector'), get(spec, 'selector') ?? null, 'invalid label selector');
    return;
  }
  yield* selectorMatches(spec);
  yield* validatePodTemplateSpec(templateOf(spec), TEMPLATE, validation);
  yield* mustRunForever(spec, 'ReplicaSet');
}

/** Upstream: apps validation.ValidateReplicaSet. */
export const replicaSetStrategy: KindStrategy = {
  defaults: it => withSpec(it, spec => withDefaults(spec, { replicas: 1 })),
  drop: dropOfWorkload,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...nonNegative(specOf(it), ['replicas', 'minReadySeconds'], SPEC),
    ...requiredSelector(specOf(it), 'deployment'),
    ...templateOfReplicaSet(specOf(it), validation),
  ],
  warn,
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
  drop: dropOfWorkload,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...nonNegative(specOf(it), ['replicas'], SPEC),
    ...requiredSelector(specOf(it), 'deployment'),
    ...templateOfReplicaSet(specOf(it), validation),
    ...validateDeploymentStrategy(record(specOf(it), 'strategy') ?? {}, SPEC.child('strategy')),
    ...nonNegative(specOf(it), ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], SPEC),
    ...validateDeadline(specOf(it)),
    ...validateRollback(it),
  ],
  warn,
};

/** The server reads a rollback of old API versions from an annotation. Upstream: apps validation.ValidateRollback. */
function* validateRollback(deployment: JsonObject): Iterable<FieldError> {
  const annotations = record(record(deployment, 'metadata'), 'annotations');
  const revision = atoi(text(annotations, 'deprecated.deployment.rollback.to'));
  if ('number' in revision) yield* nonNegative({ version: revision.number }, ['version'], SPEC.child('rollback'));
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
    yield notAmong(at, strategy, ['Recreate', 'RollingUpdate']);
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
  drop: dropOfWorkload,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', validateNameFn.subdomain),
    ...validateDaemonSetSpec(specOf(it), validation),
  ],
  warn: templateWarnings,
};

/** Upstream: apps validation.ValidateDaemonSetSpec. */
function* validateDaemonSetSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const selector = record(spec, 'selector');
  yield* validateLabelSelector(selector, SPEC.child('selector'));
  if (!isBrokenSelector(spec)) yield* selectorMatches(spec);
  if (selector !== undefined && isEmptySelector(selector)) {
    yield invalid(SPEC.child('selector'), selector, 'empty selector is invalid for daemonset');
  }
  yield* validatePodTemplateSpec(templateOf(spec), TEMPLATE, validation);
  yield* mustRunForever(spec, 'DaemonSet');
  yield* nonNegative(spec, ['minReadySeconds', 'revisionHistoryLimit'], SPEC);
  yield* validateDaemonSetUpdate(record(spec, 'updateStrategy') ?? {}, SPEC.child('updateStrategy'));
}

/** Upstream: apps validation.ValidateDaemonSetUpdateStrategy. */
function* validateDaemonSetUpdate(strategy: JsonObject, at: FieldPath): Iterable<FieldError> {
  const type = text(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    yield notAmong(at, strategy, ['RollingUpdate', 'OnDelete']);
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

/** Upstream: core validation.ValidateReplicationController. */
export const replicationControllerStrategy: KindStrategy = {
  defaults: it => {
    const spec = specOf(it);
    const labels = labelsOf(templateOf(spec));
    const selects = Object.keys(record(spec, 'selector') ?? {}).length > 0;
    const selected = labels && !selects ? { ...spec, selector: labels } : spec;
    return withTemplateLabels({
      ...it,
      spec: mapField(withDefaults(selected, { replicas: 1 }), 'template', defaultTemplate),
    });
  },
  drop: dropOfWorkload,
  validate: (it, validation) => [
    ...validateObjectMeta(it, 'namespaced', controllerName(validation)),
    ...validateControllerSpec(specOf(it), validation),
  ],
  warn,
};

const controllerName = ({ kube }: Validation) =>
  applies(minorChanges.controllerNameDeclared, kube) ? validateNameFn.longName : validateNameFn.subdomain;

/** Upstream: core validation.ValidateReplicationControllerSpec. */
function* validateControllerSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  yield* nonNegative(spec, ['minReadySeconds', 'replicas'], SPEC);
  const selector = record(spec, 'selector') ?? {};
  const selects = Object.keys(selector).length > 0;
  if (!selects) yield required(SPEC.child('selector'));
  if (!has(spec, 'template')) {
    yield required(TEMPLATE);
    return;
  }
  if (selects) yield* selectorMatches({ ...spec, selector: { matchLabels: selector } });
  yield* validatePodTemplateSpec(templateOf(spec), TEMPLATE, validation);
  yield* mustRunForever(spec, 'ReplicationController');
}
