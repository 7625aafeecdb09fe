import type { GoShape } from '../../../../kube/goJson';

/**
 * The Go types of what autoscaling/v1 keeps in annotations. Upstream: k8s.io/api/autoscaling/v1 and
 * pkg/apis/autoscaling.
 */

const string: GoShape = { kind: 'string' };
const int32: GoShape = { kind: 'int32' };
const quantity: GoShape = { kind: 'quantity' };

function struct(go: string, fields: Readonly<Record<string, GoShape>>): GoShape {
  return { kind: 'struct', go, fields };
}

function list(go: string, items: GoShape): GoShape {
  return { kind: 'list', go: `[]${go}`, items };
}

const selector = struct('v1.LabelSelector', {
  matchLabels: { kind: 'map', values: string, go: 'map[string]string' },
  matchExpressions: list(
    'v1.LabelSelectorRequirement',
    struct('v1.LabelSelectorRequirement', { key: string, operator: string, values: list('string', string) }),
  ),
});

const reference = struct('v1.CrossVersionObjectReference', { kind: string, name: string, apiVersion: string });
const resource = { name: string, targetAverageUtilization: int32, targetAverageValue: quantity };

export const metricsShape: GoShape = list(
  'v1.MetricSpec',
  struct('v1.MetricSpec', {
    type: string,
    object: struct('v1.ObjectMetricSource', {
      target: reference,
      metricName: string,
      targetValue: quantity,
      selector,
      averageValue: quantity,
    }),
    pods: struct('v1.PodsMetricSource', { metricName: string, targetAverageValue: quantity, selector }),
    resource: struct('v1.ResourceMetricSource', resource),
    containerResource: struct('v1.ContainerResourceMetricSource', { ...resource, container: string }),
    external: struct('v1.ExternalMetricSource', {
      metricName: string,
      metricSelector: selector,
      targetValue: quantity,
      targetAverageValue: quantity,
    }),
  }),
);

const time: GoShape = { kind: 'time' };

export const conditionsShape: GoShape = list(
  'v1.HorizontalPodAutoscalerCondition',
  struct('v1.HorizontalPodAutoscalerCondition', {
    type: string,
    status: string,
    lastTransitionTime: time,
    reason: string,
    message: string,
    observedGeneration: { kind: 'int64' },
  }),
);

const rules = struct('autoscaling.HPAScalingRules', {
  stabilizationWindowSeconds: int32,
  selectPolicy: string,
  policies: list(
    'autoscaling.HPAScalingPolicy',
    struct('autoscaling.HPAScalingPolicy', { type: string, value: int32, periodSeconds: int32 }),
  ),
  tolerance: quantity,
});

export const behaviorShape: GoShape = struct('autoscaling.HorizontalPodAutoscalerBehavior', {
  scaleUp: rules,
  scaleDown: rules,
});
