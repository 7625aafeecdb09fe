import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../server/src/base/json';
import { answer } from '../answers';

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

const v2 = (spec: JsonObject): JsonObject => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: { maxReplicas: 5, scaleTargetRef, ...spec },
});

const v1 = (spec: JsonObject, annotations: Readonly<Record<string, JsonValue>> = {}): JsonObject => ({
  ...v2(spec),
  apiVersion: 'autoscaling/v1',
  metadata: {
    name: 'web',
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, it]) => [`autoscaling.alpha.kubernetes.io/${key}`, JSON.stringify(it)]),
    ),
  },
});

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } };

describe('a HorizontalPodAutoscaler', () => {
  test('gets default metrics and the missing half of its behavior', () => {
    expect(answer(v2({ behavior: { scaleUp: { stabilizationWindowSeconds: 60 } } })).errors).toEqual([]);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    [
      'keeps its bounds in order',
      { minReplicas: 6 },
      ['spec.maxReplicas: Invalid must be greater than or equal to `minReplicas`'],
    ],
    [
      'names what it scales by group',
      { scaleTargetRef: { kind: 'Deployment', name: 'web' } },
      ['spec.scaleTargetRef.apiVersion: Invalid apiVersion must specify API group'],
    ],
    [
      'has one source a metric, of its type',
      { metrics: [{ ...cpu, pods: { metric: { name: 'a' }, target: { type: 'Value' } } }] },
      [
        'spec.metrics[0].pods.target.averageValue: Required must specify a positive target averageValue',
        'spec.metrics[0].pods: Forbidden must populate the given metric source only',
      ],
    ],
    [
      'aims at either an amount or a share',
      {
        metrics: [
          { ...cpu, resource: { name: 'cpu', target: { type: 'Foo', averageUtilization: 0, averageValue: '0' } } },
        ],
      },
      [
        'spec.metrics[0].resource.target.type: Invalid must be either Utilization, Value, or AverageValue',
        'spec.metrics[0].resource.target.averageValue: Invalid must be positive',
        'spec.metrics[0].resource.target.averageUtilization: Invalid must be greater than 0',
        'spec.metrics[0].resource.target.averageValue: Forbidden may not set both a target raw value and a target utilization',
      ],
    ],
    [
      'has policies where it says that it has',
      { behavior: { scaleDown: { policies: [], tolerance: '-1', stabilizationWindowSeconds: 3601 } } },
      [
        'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid must be less than or equal to 3600',
        'spec.behavior.scaleDown.policies: Required must specify at least one Policy',
        'spec.behavior.scaleDown.tolerance: Invalid must be greater than or equal to 0',
      ],
    ],
  ])('%s', (_, spec, errors) => {
    expect(answer(v2(spec)).errors).toEqual(errors);
  });

  test('scales to zero by an object or from outside only, and only with the gate on', () => {
    const needs =
      'spec.metrics: Forbidden must specify at least one Object or External metric to support scaling to zero replicas';
    expect(answer(v2({ minReplicas: 0, metrics: [cpu] })).errors).toEqual([needs]);
    expect(answer(v2({ minReplicas: 0, metrics: [cpu] }), { minor: '1.36' }).errors).toEqual([
      'spec.minReplicas: Invalid must be greater than or equal to 1',
      needs,
    ]);
  });

  test('drops its tolerance if the gate is off', () => {
    const tolerant = v2({ behavior: { scaleUp: { tolerance: '0.1' } } });
    expect(answer(tolerant).dropped).toEqual([]);
    expect(answer(tolerant, { minor: '1.34' }).dropped).toEqual(['spec.behavior.scaleUp.tolerance']);
  });

  test('is checked in its v2 form when written as v1', () => {
    expect(answer(v1({})).errors).toEqual([]);
    expect(answer(v1({ targetCPUUtilizationPercentage: 0 })).errors).toEqual([
      'spec.metrics[0].resource.target.averageUtilization: Invalid must be greater than 0',
    ]);
    const metrics = [{ type: 'Pods', pods: { metricName: 'a/b', targetAverageValue: '1' } }];
    expect(answer(v1({ targetCPUUtilizationPercentage: 0 }, { metrics })).errors).toEqual([
      "spec.metrics[0].pods.metric.name: Invalid may not contain '/'",
      'spec.metrics[1].resource.target.averageUtilization: Invalid must be greater than 0',
    ]);
    const behavior = { ScaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 1 }] } };
    expect(answer(v1({}, { behavior })).errors).toEqual([
      'spec.behavior.scaleUp.policies[0].value: Invalid must be greater than zero',
    ]);
    expect(answer(v1({}, { behavior: { scaleUp: 'unreadable' } })).errors).toEqual([]);
  });
});
