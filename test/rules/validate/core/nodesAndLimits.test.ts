import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { answer } from '../answers';

const node = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'one', ...(more.metadata as JsonObject) },
  spec,
  ...(more.status === undefined ? {} : { status: more.status }),
});

describe('a Node', () => {
  test('has distinct keys and effects of taints; the error is at the metadata', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' };
    expect(answer(node({ taints: [taint, { ...taint, value: 'a' }, { key: 'gpu' }] })).errors).toEqual([
      'metadata.taints[1]: Duplicate taints must be unique by key and effect pair',
      'metadata.taints[2].effect: Required',
    ]);
  });

  test('has one CIDR for each family; the single field takes precedence', () => {
    expect(answer(node({ podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] })).errors).toEqual([]);
    expect(answer(node({ podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] })).errors).toEqual([
      'spec.podCIDRs: Invalid may specify no more than one CIDR for each IP family',
    ]);
    expect(answer(node({ podCIDR: '10.0.0.1/24', podCIDRs: ['10.0.0.0/24', 'x'] })).errors).toEqual([
      'spec.podCIDRs[0]: Invalid must not have bits set beyond the prefix length',
    ]);
    expect(answer(node({ podCIDRs: ['10.0.0.0/24', 'x'] })).errors).toContainEqual(
      expect.stringMatching(/^spec\.podCIDRs: InternalError .*invalid CIDR address: x/),
    );
  });

  test('has whole numbers in allocatable and capacity', () => {
    expect(answer(node({}, { status: { capacity: { pods: '1500m' } } })).errors).toEqual([
      'status.capacity.pods: Invalid must be an integer',
      'status.allocatable.pods: Invalid must be an integer',
    ]);
  });

  test('reports an amount without a name at a path that upstream prints like a key', () => {
    expect(answer(node({}, { status: { allocatable: { '': '-1' } } })).errors).toEqual([
      'status.allocatable[]: Invalid must be greater than or equal to 0',
    ]);
  });

  test('drops the fields of old kubelets and warns of its old name field', () => {
    const source = { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } };
    const said = answer(node({ configSource: source, externalID: 'x' }));
    expect(said.dropped).toEqual(['spec.configSource']);
    expect(said.warnings).toEqual(['spec.externalID: this field is deprecated, and is unused by Kubernetes']);
  });

  test('is checked for JSON in annotations', () => {
    const annotated = (value: string) =>
      answer(node({}, { metadata: { annotations: { 'scheduler.alpha.kubernetes.io/preferAvoidPods': value } } }))
        .errors;
    expect(annotated('none')).toEqual([
      "metadata.annotations.AvoidPods: Invalid invalid character 'o' in literal null (expecting 'u')",
    ]);
    expect(annotated('{"preferAvoidPods":[{}]}')).toEqual([
      'metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature: Required',
    ]);
  });
});

const range = (...limits: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'limits' },
  spec: { limits },
});

describe('a LimitRange', () => {
  test('needs no name', () => {
    expect(answer({ apiVersion: 'v1', kind: 'LimitRange', spec: { limits: [] } }).errors).toEqual([]);
  });

  test('uses the maximum of containers as their defaults', () => {
    expect(answer(range({ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } })).errors).toEqual([
      'spec.limits[0].min[cpu]: Invalid min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid min value 2 is greater than default value 1',
    ]);
  });

  test('has no defaults for Pods, one entry a type, and a bound for claims', () => {
    const claims = { type: 'PersistentVolumeClaim' };
    const least = 'either minimum or maximum storage value is required, but neither was provided';
    expect(answer(range({ type: 'Pod', default: { cpu: '1' } }, claims, claims)).errors).toEqual([
      "spec.limits[0].default: Forbidden may not be specified when `type` is 'Pod'",
      `spec.limits[1].limits: Required ${least}`,
      'spec.limits[2].type: Duplicate',
      `spec.limits[2].limits: Required ${least}`,
    ]);
  });

  test('has a ratio that its own bounds allow', () => {
    const limit = { type: 'Pod', min: { cpu: '500m' }, max: { cpu: '1' } };
    expect(answer(range({ ...limit, maxLimitRequestRatio: { cpu: '2' } })).errors).toEqual([]);
    expect(answer(range({ ...limit, maxLimitRequestRatio: { cpu: '2500m' } })).errors).toEqual([
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid ratio 2500m is greater than max/min = 2.000000',
    ]);
    expect(answer(range({ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } })).errors).toEqual([
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid ratio 500m is less than 1',
    ]);
  });
});
