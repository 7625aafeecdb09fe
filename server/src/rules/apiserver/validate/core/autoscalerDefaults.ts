import { asList, asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import {
  get,
  has,
  items,
  mapField,
  optionalText,
  record,
  text,
  withDefault,
  withField,
  without,
} from '../../../../kube/goFields';
import { type GoShape, unmarshal } from '../../../../kube/goJson';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { Validation } from '../errors';
import { type Dropped, dropStatus } from '../shared/drops';
import { annotationsOf } from '../shared/labels';
import { amountOf } from '../shared/resources';
import { behaviorShape, conditionsShape, metricsShape } from './autoscalerShapes';

const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR_ANNOTATION = 'autoscaling.alpha.kubernetes.io/behavior';
/** The annotations that hold the status of an autoscaling/v1 object. */
const STATUS_ANNOTATIONS: readonly (readonly [string, GoShape])[] = [
  [
    'autoscaling.alpha.kubernetes.io/current-metrics',
    { kind: 'list', go: '[]v1.MetricStatus', items: { kind: 'any' } },
  ],
  ['autoscaling.alpha.kubernetes.io/conditions', conditionsShape],
];
const ROUND_TRIP_ANNOTATIONS: readonly string[] = [
  METRICS_ANNOTATION,
  BEHAVIOR_ANNOTATION,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
  ...STATUS_ANNOTATIONS.map(([name]) => name),
];
const usualUtilization = 80;

/** The object as autoscaling/v2 after defaulting, the form that the server validates. */
export function autoscalerWithDefaults(object: JsonObject, { isOn }: Validation): JsonObject {
  const whole = { ...object, spec: withDefault(record(object, 'spec') ?? {}, 'minReplicas', 1) };
  const isV1 = text(object, 'apiVersion') === 'autoscaling/v1';
  const made = mapField(whole, 'spec', spec => (isV1 ? converted(whole, spec) : withV2Defaults(spec)));
  const allowed = isV1 && !isOn('HPAConfigurableTolerance') ? withoutTolerances(made) : made;
  const status = isV1 ? STATUS_ANNOTATIONS.filter(([name, shape]) => isFilledList(object, name, shape)) : [];
  const kept = status.map(([name]) => name);
  return withoutAnnotations(
    allowed,
    ROUND_TRIP_ANNOTATIONS.filter(it => !kept.includes(it)),
  );
}

/** For what annotations hold; other forms lose it with all gated fields. Upstream: dropDisabledFields. */
function withoutTolerances(object: JsonObject): JsonObject {
  const withoutOwn = (rules: JsonObject) => without(rules, 'tolerance');
  return mapField(object, 'spec', spec =>
    mapField(spec, 'behavior', it => mapField(mapField(it, 'scaleUp', withoutOwn), 'scaleDown', withoutOwn)),
  );
}

/** The object without the status of an autoscaling/v1 object, which is partly in annotations. */
export function dropAutoscalerStatus(object: JsonObject): Dropped {
  const { object: left, dropped } = dropStatus(object);
  const annotations = Object.keys(annotationsOf(left));
  const names = STATUS_ANNOTATIONS.map(([name]) => name);
  const gone = annotations.filter(it => names.includes(it));
  if (gone.length === 0) return { object: left, dropped };
  const at = FieldPath.of('metadata', 'annotations');
  const paths = gone.length === annotations.length ? [at] : gone.map(it => at.key(it));
  return { object: withoutAnnotations(left, gone), dropped: [...paths, ...dropped] };
}

/** Upstream: DropRoundTripHorizontalPodAutoscalerAnnotations. */
function withoutAnnotations(object: JsonObject, gone: readonly string[]): JsonObject {
  return mapField(object, 'metadata', metadata =>
    mapField(metadata, 'annotations', annotations =>
      Object.fromEntries(Object.entries(annotations).filter(([name]) => !gone.includes(name))),
    ),
  );
}

function cpuMetric(averageUtilization: JsonValue): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

const mostPolicies: Readonly<Record<'scaleUp' | 'scaleDown', JsonObject>> = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
};

/** Upstream: SetDefaults_HorizontalPodAutoscaler of autoscaling/v2. */
function withV2Defaults(spec: JsonObject): JsonObject {
  const measured = items(spec, 'metrics').length > 0 ? spec : { ...spec, metrics: [cpuMetric(usualUtilization)] };
  return mapField(measured, 'behavior', behavior => ({
    ...behavior,
    scaleUp: { ...mostPolicies.scaleUp, ...record(behavior, 'scaleUp') },
    scaleDown: { ...mostPolicies.scaleDown, ...record(behavior, 'scaleDown') },
  }));
}

/**
 * v1 keeps the fields that it lacks in annotations. Upstream:
 * Convert_v1_HorizontalPodAutoscaler_To_autoscaling_HorizontalPodAutoscaler.
 */
function converted(object: JsonObject, spec: JsonObject): JsonObject {
  const percent = get(spec, 'targetCPUUtilizationPercentage');
  const own = percent === undefined ? [] : [cpuMetric(percent)];
  const written = readAnnotation(object, METRICS_ANNOTATION, metricsShape);
  const metrics = [...asList(written).map(it => metricOfV1(asObject(it) ?? {})), ...own];
  const behavior = asObject(readAnnotation(object, BEHAVIOR_ANNOTATION, behaviorShape));
  const measured = withField(spec, 'metrics', metrics.length > 0 ? metrics : [cpuMetric(usualUtilization)]);
  const isEmpty = behavior === undefined || (!has(behavior, 'scaleUp') && !has(behavior, 'scaleDown'));
  return isEmpty ? measured : withField(measured, 'behavior', behavior);
}

/** The JSON of an annotation; undefined if it is absent or unreadable, which the server ignores. */
function readAnnotation(
  object: JsonObject,
  name: string,
  shape: Parameters<typeof unmarshal>[1],
): JsonValue | undefined {
  const json = optionalText(annotationsOf(object), name);
  const read = json === undefined ? undefined : unmarshal(json, shape);
  return read !== undefined && 'value' in read ? read.value : undefined;
}

function isFilledList(object: JsonObject, name: string, shape: GoShape): boolean {
  return asList(readAnnotation(object, name, shape)).length > 0;
}

type TargetType = 'Utilization' | 'Value' | 'AverageValue';

function target(type: TargetType, fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present = Object.entries(fields).filter((it): it is [string, JsonValue] => it[1] !== undefined);
  return { type, ...Object.fromEntries(present) };
}

/** Upstream: Convert_v1_MetricSpec_To_autoscaling_MetricSpec. */
function metricOfV1(metric: JsonObject): JsonObject {
  const change = (field: string, convert: (source: JsonObject) => JsonObject) => (it: JsonObject) =>
    mapField(it, field, convert);
  const changes = [
    change('object', objectOfV1),
    change('pods', it => ({
      metric: { name: text(it, 'metricName') },
      target: target('AverageValue', { averageValue: get(it, 'targetAverageValue') ?? '0' }),
    })),
    change('external', it => ({
      metric: { name: text(it, 'metricName') },
      target: target(has(it, 'targetValue') ? 'Value' : 'AverageValue', {
        value: get(it, 'targetValue'),
        averageValue: get(it, 'targetAverageValue'),
      }),
    })),
    change('resource', resourceOfV1),
    change('containerResource', resourceOfV1),
  ];
  return changes.reduce((it, next) => next(it), metric);
}

function objectOfV1(source: JsonObject): JsonObject {
  const average = get(source, 'averageValue');
  const value = get(source, 'targetValue') ?? '0';
  const isMeant = average === undefined || amountOf(value).amount !== 0n;
  return {
    describedObject: record(source, 'target') ?? {},
    metric: { name: text(source, 'metricName') },
    target: target(average === undefined ? 'Value' : 'AverageValue', {
      value: isMeant ? value : undefined,
      averageValue: average,
    }),
  };
}

function resourceOfV1(source: JsonObject): JsonObject {
  const percent = get(source, 'targetAverageUtilization');
  return {
    name: text(source, 'name'),
    container: text(source, 'container'),
    target: target(percent === undefined ? 'AverageValue' : 'Utilization', {
      averageUtilization: percent,
      averageValue: get(source, 'targetAverageValue'),
    }),
  };
}
