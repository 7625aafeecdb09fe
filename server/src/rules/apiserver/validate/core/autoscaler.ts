import type { JsonObject, JsonValue } from '../../../../base/json';
import { get, has, int, items, optionalInt, optionalText, record, records, text } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123LabelErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { pathSegmentErrors, validateNameFn, validateObjectMeta } from '../metadata';
import { amountOf, containerResourceNameErrors, nonNegativeErrors } from '../shared/resources';
import { autoscalerWithDefaults, dropAutoscalerStatus } from './autoscalerDefaults';

const SPEC = FieldPath.of('spec');

/** Upstream: ValidateHorizontalPodAutoscaler; an autoscaling/v1 object is validated in its v2 form. */
export const autoscalerStrategy: KindStrategy = {
  defaults: autoscalerWithDefaults,
  drop: dropAutoscalerStatus,
  validate: (object, validation) => [
    ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
    ...validateSpec(record(object, 'spec') ?? {}, validation),
  ],
};

/** Upstream: validateHorizontalPodAutoscalerSpec. */
function* validateSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const { kube } = validation;
  const fewest = validation.isOn('HPAScaleToZero') ? 0 : 1;
  const least = optionalInt(spec, 'minReplicas');
  const most = int(spec, 'maxReplicas');
  if (least !== undefined && least < fewest) {
    yield invalid(SPEC.child('minReplicas'), least, `must be greater than or equal to ${fewest}`);
  }
  const mostAt = SPEC.child('maxReplicas');
  if (!applies(minorChanges.replicasRequired, kube)) {
    if (most < 1) yield invalid(mostAt, most, 'must be greater than 0');
  } else if (most === 0) {
    const isDeclared = applies(minorChanges.replicasRequiredDeclaratively, kube);
    yield required(mostAt, isDeclared ? '' : 'must be set and greater than 0');
  } else if (most < 0) yield invalid(mostAt, most, 'must be greater than or equal to 1');
  if (least !== undefined && most < least) {
    yield invalid(mostAt, most, 'must be greater than or equal to `minReplicas`');
  }
  const target = record(spec, 'scaleTargetRef');
  // ReplicationController is the only scalable kind of the core group.
  const coreGroup = text(target, 'kind') === 'ReplicationController' ? 'allowed' : 'refused';
  yield* validateReference(target, SPEC.child('scaleTargetRef'), coreGroup, kube);
  yield* validateMetrics(records(spec, 'metrics'), least, kube);
  const behavior = record(spec, 'behavior');
  for (const direction of ['scaleUp', 'scaleDown']) {
    const rules = record(behavior, direction);
    if (rules !== undefined) yield* validateScalingRules(rules, SPEC.child('behavior', direction));
  }
}

/** Upstream: ValidateCrossVersionObjectReference. */
function* validateReference(
  reference: JsonObject | undefined,
  at: FieldPath,
  coreGroup: 'allowed' | 'refused',
  kube: Kube,
): Iterable<FieldError> {
  for (const field of ['kind', 'name']) {
    const value = text(reference, field);
    if (value === '') yield required(at.child(field));
    else yield* invalids(at.child(field), value, pathSegmentErrors(value));
  }
  if (!applies(minorChanges.scaleTargetVersion, kube)) return;
  const apiVersion = text(reference, 'apiVersion');
  const slashes = apiVersion.split('/').length - 1;
  const group = slashes === 1 ? apiVersion.split('/')[0] : '';
  if (slashes > 1) yield invalid(at.child('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else if (coreGroup === 'refused' && group === '') {
    yield invalid(at.child('apiVersion'), apiVersion, 'apiVersion must specify API group');
  }
}

const longestWindow = 3600;
const longestPeriod = 1800;
const notPositive = 'must be greater than zero';

/** Upstream: validateScalingRules. */
function* validateScalingRules(rules: JsonObject, at: FieldPath): Iterable<FieldError> {
  const window = optionalInt(rules, 'stabilizationWindowSeconds') ?? 0;
  const windowAt = at.child('stabilizationWindowSeconds');
  if (window < 0) yield invalid(windowAt, window, 'must be greater than or equal to zero');
  if (window > longestWindow) yield invalid(windowAt, window, `must be less than or equal to ${longestWindow}`);
  const select = optionalText(rules, 'selectPolicy');
  const selections = ['Disabled', 'Max', 'Min'];
  if (select !== undefined && !selections.includes(select)) {
    yield notSupported(at.child('selectPolicy'), select, selections);
  }
  if (items(rules, 'policies').length === 0) yield required(at.child('policies'), 'must specify at least one Policy');
  for (const [i, policy] of records(rules, 'policies').entries()) {
    yield* validateScalingPolicy(policy, at.child('policies').index(i));
  }
  if (has(rules, 'tolerance')) yield* nonNegativeErrors(get(rules, 'tolerance'), at.child('tolerance'));
}

function* validateScalingPolicy(policy: JsonObject, at: FieldPath): Iterable<FieldError> {
  const type = text(policy, 'type');
  if (type !== 'Pods' && type !== 'Percent') yield notSupported(at.child('type'), type, ['Percent', 'Pods']);
  if (int(policy, 'value') <= 0) yield invalid(at.child('value'), int(policy, 'value'), notPositive);
  const period = int(policy, 'periodSeconds');
  const periodAt = at.child('periodSeconds');
  if (period <= 0) yield invalid(periodAt, period, notPositive);
  if (period > longestPeriod) yield invalid(periodAt, period, `must be less than or equal to ${longestPeriod}`);
}

function* validateMetrics(metrics: readonly JsonObject[], least: number | undefined, kube: Kube): Iterable<FieldError> {
  const at = SPEC.child('metrics');
  for (const [i, metric] of metrics.entries()) yield* validateMetric(metric, at.index(i), kube);
  if (least !== 0 || metrics.some(it => ['Object', 'External'].includes(text(it, 'type')))) return;
  yield forbidden(at, 'must specify at least one Object or External metric to support scaling to zero replicas');
}

type Source = (source: JsonObject, at: FieldPath, kube: Kube) => Iterable<FieldError>;

/** The field of each type of metric, in the order in which upstream looks for them. */
const sources: readonly (readonly [type: string, field: string, validate: Source])[] = [
  ['Object', 'object', validateObjectSource],
  ['External', 'external', validateExternalSource],
  ['Pods', 'pods', validatePodsSource],
  ['Resource', 'resource', validateResourceSource],
  ['ContainerResource', 'containerResource', validateContainerSource],
];
const metricTypes = sources.map(([type]) => type);

/** Upstream: validateMetricSpec, which reports an unknown type twice. */
function* validateMetric(metric: JsonObject, at: FieldPath, kube: Kube): Iterable<FieldError> {
  const type = text(metric, 'type');
  const isKnown = metricTypes.includes(type);
  if (type === '') yield required(at.child('type'), 'must specify a metric source type');
  if (!isKnown) yield notSupported(at.child('type'), type, metricTypes);
  const present = sources.filter(([, field]) => has(metric, field));
  const [first] = present;
  if (first !== undefined) {
    const [, field, validate] = first;
    yield* validate(record(metric, field) ?? {}, at.child(field), kube);
  }
  const expected = sources.find(([it]) => it === type)?.[1];
  if (expected !== undefined && !has(metric, expected)) {
    yield required(at.child(expected), 'must populate information for the given metric source');
  }
  if (!isKnown) yield notSupported(at.child('type'), type, metricTypes);
  // A single source is never refused as one too many, even if it is not the expected one.
  if (present.length < 2) return;
  for (const [, field] of present) {
    if (field !== expected) yield forbidden(at.child(field), 'must populate the given metric source only');
  }
}

function* validateObjectSource(source: JsonObject, at: FieldPath, kube: Kube): Iterable<FieldError> {
  yield* validateReference(record(source, 'describedObject'), at.child('describedObject'), 'allowed', kube);
  const target = yield* validateMetricAndTarget(source, at);
  if (has(target, 'value') || has(target, 'averageValue')) return;
  yield required(at.child('target', 'averageValue'), 'must set either a target value or averageValue');
}

function* validateExternalSource(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  const target = yield* validateMetricAndTarget(source, at);
  const [total, average] = [has(target, 'value'), has(target, 'averageValue')];
  const either = 'must set either a target value for metric or a per-pod target';
  if (!total && !average) yield required(at.child('target', 'averageValue'), either);
  const both = 'may not set both a target value for metric and a per-pod target';
  if (total && average) yield forbidden(at.child('target', 'value'), both);
}

function* validatePodsSource(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  const target = yield* validateMetricAndTarget(source, at);
  if (has(target, 'averageValue')) return;
  yield required(at.child('target', 'averageValue'), 'must specify a positive target averageValue');
}

function* validateResourceSource(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  if (text(source, 'name') === '') yield required(at.child('name'), 'must specify a resource name');
  yield* validateUtilization(record(source, 'target'), at.child('target'));
}

function* validateContainerSource(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  const name = text(source, 'name');
  const container = text(source, 'container');
  if (name === '') yield required(at.child('name'), 'must specify a resource name');
  else yield* containerResourceNameErrors(name, at.child('name'));
  if (container === '') yield required(at.child('container'), 'must specify a container');
  else yield* invalids(at.child('container'), container, dns1123LabelErrors(container));
  yield* validateUtilization(record(source, 'target'), at.child('target'));
}

function* validateUtilization(target: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  yield* validateTarget(target, at);
  const [percent, average] = [has(target, 'averageUtilization'), has(target, 'averageValue')];
  const either = 'must set either a target raw value or a target utilization';
  if (!percent && !average) yield required(at.child('averageUtilization'), either);
  const both = 'may not set both a target raw value and a target utilization';
  if (percent && average) yield forbidden(at.child('averageValue'), both);
}

/**
 * Checks the metric's name and its target, and returns the target. Upstream: validateMetricIdentifier,
 * validateMetricTarget.
 */
function* validateMetricAndTarget(source: JsonObject, at: FieldPath): Generator<FieldError, JsonObject | undefined> {
  const name = text(record(source, 'metric'), 'name');
  const nameAt = at.child('metric', 'name');
  if (name === '') yield required(nameAt, 'must specify a metric name');
  else yield* invalids(nameAt, name, pathSegmentErrors(name));
  const target = record(source, 'target');
  yield* validateTarget(target, at.child('target'));
  return target;
}

function* validateTarget(target: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const type = text(target, 'type');
  if (type === '') yield required(at.child('type'), 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    yield invalid(at.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const field of ['value', 'averageValue']) {
    const value: JsonValue | undefined = get(target, field);
    if (value !== undefined && amountOf(value).amount <= 0n) yield invalid(at.child(field), value, 'must be positive');
  }
  const percent = optionalInt(target, 'averageUtilization');
  if (percent !== undefined && percent < 1) {
    yield invalid(at.child('averageUtilization'), percent, 'must be greater than 0');
  }
}
