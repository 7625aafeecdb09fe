import type { JsonObject } from '../../base/json';
import { field, inField, inItems } from './fields';

/** HorizontalPodAutoscaler of autoscaling/v2alpha1 and v2beta1. Upstream: pkg/apis/autoscaling/v2beta1/conversion.go. */
export function autoscaler(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => inItems(spec, 'metrics', metric));
}

const SOURCES: Readonly<Record<string, (source: JsonObject) => JsonObject>> = {
  resource: it => ({ ...field(it, 'name'), target: utilization(it) }),
  containerResource: it => ({ ...field(it, 'name'), ...field(it, 'container'), target: utilization(it) }),
  pods: it => ({
    metric: metricOf(it, 'selector'),
    target: { type: 'AverageValue', ...field(it, 'targetAverageValue', 'averageValue') },
  }),
  object: it => ({
    ...field(it, 'target', 'describedObject'),
    metric: metricOf(it, 'selector'),
    target: amount(it, 'averageValue'),
  }),
  external: it => ({ metric: metricOf(it, 'metricSelector'), target: amount(it, 'targetAverageValue') }),
};

function metric(it: JsonObject): JsonObject {
  return Object.entries(SOURCES).reduce(
    (all, [name, convert]) => inField(all, name, source => (isOld(source) ? convert(source) : source)),
    it,
  );
}

const OLD = ['metricName', 'targetAverageUtilization', 'targetAverageValue', 'targetValue'];

/** A source that is written as in v2 already stays as it is. */
const isOld = (source: JsonObject): boolean => OLD.some(it => Object.hasOwn(source, it));

const metricOf = (it: JsonObject, selector: string): JsonObject => ({
  ...field(it, 'metricName', 'name'),
  ...field(it, selector, 'selector'),
});

function utilization(it: JsonObject): JsonObject {
  if (it.targetAverageUtilization === undefined)
    return { type: 'AverageValue', ...field(it, 'targetAverageValue', 'averageValue') };
  return { type: 'Utilization', averageUtilization: it.targetAverageUtilization };
}

function amount(it: JsonObject, average: string): JsonObject {
  if (it[average] !== undefined) return { type: 'AverageValue', ...field(it, average, 'averageValue') };
  return { type: 'Value', ...field(it, 'targetValue', 'value') };
}
