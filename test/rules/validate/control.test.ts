import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../server/src/base/json';
import { answer } from './answers';

const object = (apiVersion: string, kind: string, fields: JsonObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'one' },
  ...fields,
});
const rbac = (kind: string, fields: JsonObject) => object('rbac.authorization.k8s.io/v1', kind, fields);
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const role = (of: JsonObject) => rbac('Role', { rules: [{ ...rule, ...of }] });
const clusterRole = (of: JsonObject) => rbac('ClusterRole', { rules: [{ ...rule, ...of }] });
const aggregating = (...clusterRoleSelectors: JsonObject[]) =>
  rbac('ClusterRole', { aggregationRule: { clusterRoleSelectors } });
const roleRef = { kind: 'ClusterRole', name: 'view' };
const bound = (subject: JsonObject) => rbac('RoleBinding', { roleRef, subjects: [subject] });
const boundInCluster = (subject: JsonObject) => rbac('ClusterRoleBinding', { roleRef, subjects: [subject] });
const bindingTo = (kind: string, of: JsonObject) => rbac(kind, { roleRef: { ...roleRef, ...of } });

const lease = (spec: JsonObject) => object('coordination.k8s.io/v1', 'Lease', { spec });
const candidate = (spec: JsonObject) =>
  object('coordination.k8s.io/v1beta1', 'LeaseCandidate', {
    spec: {
      leaseName: 'a',
      binaryVersion: '1.37.0',
      emulationVersion: '1.36.0',
      strategy: 'OldestEmulationVersion',
      ...spec,
    },
  });
const revision = (data: JsonValue, count = 1) => object('apps/v1', 'ControllerRevision', { data, revision: count });

const pod = { name: 'web', uid: 'bd23f542-ac79-4b44-a628-9735e18b8037' };
const eviction = (target: JsonObject) => object('lifecycle.k8s.io/v1alpha1', 'Eviction', { spec: { target } });
const request = (of: JsonObject) =>
  object('lifecycle.k8s.io/v1alpha1', 'EvictionRequest', {
    spec: { target: { pod }, requester: 'example.com/drain', intent: 'Eviction', ...of },
  });

const time = '2026-02-02T03:04:05.123456Z';
const coreEvent = (of: JsonObject) => object('v1', 'Event', { involvedObject: {}, ...of });
const timed = { eventTime: time, reportingComponent: 'a', reportingInstance: 'b', action: 'c', reason: 'd' };
const event = (of: JsonObject) =>
  object('events.k8s.io/v1', 'Event', {
    eventTime: time,
    type: 'Normal',
    reportingController: 'a',
    reportingInstance: 'b',
    action: 'c',
    reason: 'd',
    ...of,
  });

/** `field: type` of each error. */
const errorsOf = (of: JsonObject): readonly string[] =>
  answer(of).errors.map(it => it.split(' ').slice(0, 2).join(' '));

describe('the server refuses', () => {
  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['no role without rules', rbac('Role', {}), []],
    ['a rule without verbs', role({ verbs: [] }), ['rules[0].verbs: Required']],
    ['a rule without resources', role({ resources: [] }), ['rules[0].resources: Required']],
    ['a rule without groups', role({ apiGroups: [] }), ['rules[0].apiGroups: Required']],
    [
      'URLs in a namespace',
      role({ apiGroups: [], resources: [], nonResourceURLs: ['/a'] }),
      ['rules[0].nonResourceURLs: Invalid'],
    ],
    ['no URLs in the cluster', clusterRole({ apiGroups: [], resources: [], nonResourceURLs: ['/a'] }), []],
    ['URLs beside resources', clusterRole({ nonResourceURLs: ['/a'] }), ['rules[0].nonResourceURLs: Invalid']],
    ['an aggregation of nothing', aggregating(), ['aggregationRule.clusterRoleSelectors: Required']],
    [
      'a wrong selector, twice',
      aggregating({ matchLabels: { a: 'b c' } }),
      [
        'aggregationRule.clusterRoleSelectors[0].matchLabels: Invalid',
        'aggregationRule.clusterRoleSelectors[0]: Invalid',
      ],
    ],
    ['a Role for the cluster', bindingTo('ClusterRoleBinding', { kind: 'Role' }), ['roleRef.kind: NotSupported']],
    ['no Role for a namespace', bindingTo('RoleBinding', { kind: 'Role' }), []],
    ['a role without name', bindingTo('RoleBinding', { name: '' }), ['roleRef.name: Required']],
    ['a role of another group', bindingTo('RoleBinding', { apiGroup: 'v1' }), ['roleRef.apiGroup: NotSupported']],
    [
      'an account without namespace',
      boundInCluster({ kind: 'ServiceAccount', name: 'a' }),
      ['subjects[0].namespace: Required'],
    ],
    ['no such account in a namespace', bound({ kind: 'ServiceAccount', name: 'a' }), []],
    [
      'an account with a group',
      bound({ kind: 'ServiceAccount', name: 'a', apiGroup: 'rbac.authorization.k8s.io' }),
      ['subjects[0].apiGroup: NotSupported'],
    ],
    ['a name that no account has', bound({ kind: 'ServiceAccount', name: 'system:a' }), ['subjects[0].name: Invalid']],
    ['no user with such a name', bound({ kind: 'User', name: 'system:a' }), []],
    [
      'a user of another group',
      bound({ kind: 'User', name: 'a', apiGroup: 'v1' }),
      ['subjects[0].apiGroup: NotSupported'],
    ],
    ['an unknown subject', bound({ kind: 'Team', name: 'a' }), ['subjects[0].kind: NotSupported']],
    ['a lease of no time', lease({ leaseDurationSeconds: 0 }), ['spec.leaseDurationSeconds: Invalid']],
    ['a negative count', lease({ leaseTransitions: -1 }), ['spec.leaseTransitions: Invalid']],
    ['no good candidate', candidate({}), []],
    [
      'a candidate of no version',
      candidate({ binaryVersion: 'v1.37' }),
      ['spec.binaryVersion: Invalid', 'spec.binaryVersion: Invalid'],
    ],
    ['a binary older than what it emulates', candidate({ binaryVersion: '1.35.9' }), ['spec.binaryVersion: Invalid']],
    ['a candidate without emulation', candidate({ emulationVersion: '' }), ['spec.emulationVersion: Required']],
    ['an unknown strategy', candidate({ strategy: 'Newest' }), ['spec.strategy.strategy: NotSupported']],
    ['a revision without data', revision(null), ['data: Required']],
    ['a revision of a list', revision([]), ['data: Required']],
    ['a negative revision', revision({}, -1), ['revision: Invalid']],
    ['an eviction of nothing', eviction({}), ['spec.target: Invalid']],
    ['an eviction without a uid', eviction({ pod: { name: 'web' } }), ['spec.target.pod.uid: Required']],
    ['a uid in capitals', eviction({ pod: { ...pod, uid: pod.uid.toUpperCase() } }), ['spec.target.pod.uid: Invalid']],
    ['a requester of Kubernetes', request({ requester: 'apps.k8s.io/a' }), ['spec.requester: Invalid']],
    ['a requester without a domain', request({ requester: 'a' }), ['spec.requester: Invalid']],
    ['an unknown intent', request({ intent: 'Evict' }), ['spec.intent: NotSupported']],
    [
      'an Event about another namespace',
      coreEvent({ involvedObject: { namespace: 'b' } }),
      ['involvedObject.namespace: Invalid'],
    ],
    [
      'no Event about its own',
      coreEvent({ metadata: { name: 'one', namespace: 'b' }, involvedObject: { namespace: 'b' } }),
      [],
    ],
    [
      'a new Event without its texts',
      coreEvent({ ...timed, action: '', reason: '' }),
      ['action: Required', 'reason: Required'],
    ],
    ['a text that is too long', coreEvent({ ...timed, message: 'x'.repeat(1025) }), ['message: Invalid']],
    ['no good Event', event({}), []],
    ['an Event of no time', event({ eventTime: null }), ['eventTime: Required']],
    ['an Event of an unknown type', event({ type: 'Error' }), ['type: Invalid']],
    [
      'fields of old Events',
      event({ deprecatedCount: 1, deprecatedSource: { component: 'a' } }),
      ['count: Invalid', 'source: Invalid'],
    ],
    ['a series of one', event({ series: { count: 1, lastObservedTime: time } }), ['series.count: Invalid']],
  ];
  test.each(cases)('%s', (_, of, expected) => {
    expect(errorsOf(of)).toEqual(expected);
  });
});

test('a lease loses the fields of coordinated election, or they are checked', () => {
  const coordinated = lease({ strategy: 'Newest' });
  expect(answer(coordinated).dropped).toEqual(['spec.strategy']);
  expect(answer(coordinated, { gates: { CoordinatedLeaderElection: true } }).errors[0]).toMatch(
    /^spec.strategy.strategy/,
  );
});

test('an autoscaling/v1 object loses the status that is in its annotations', () => {
  const annotations = { 'autoscaling.alpha.kubernetes.io/conditions': '[{"type":"ScalingLimited","status":"False"}]' };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const autoscaler = (all: JsonObject): JsonObject => ({
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', annotations: all },
    spec: { maxReplicas: 2, scaleTargetRef },
  });
  expect(answer(autoscaler(annotations)).dropped).toEqual(['metadata.annotations']);
  expect(answer(autoscaler({ ...annotations, other: '' })).dropped).toEqual([
    'metadata.annotations[autoscaling.alpha.kubernetes.io/conditions]',
  ]);
});

test('the namespace of an Event is told twice before 1.37', () => {
  const named = coreEvent({ metadata: { name: 'one', namespace: 'B' }, involvedObject: { namespace: 'B' } });
  const fields = (minor: string) => answer(named, { minor }).errors.map(it => it.split(':')[0]);
  expect(fields('1.36')).toEqual(['namespace']);
  expect(fields('1.37')).toEqual(['metadata.namespace']);
});

test('the tolerance in an annotation counts only with its gate', () => {
  const behavior = '{"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":60}],"tolerance":"-1"}}';
  const autoscaler = {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', annotations: { 'autoscaling.alpha.kubernetes.io/behavior': behavior } },
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  };
  const errors = (minor: string) => answer(autoscaler, { minor }).errors.length;
  expect(['1.34', '1.37'].map(errors)).toEqual([0, 1]);
});

test('a rule without verbs has no further reason since 1.37', () => {
  const errors = (minor: string) => answer(role({ verbs: [] }), { minor }).errors;
  expect(errors('1.36')).toEqual(['rules[0].verbs: Required verbs must contain at least one value']);
  expect(errors('1.37')).toEqual(['rules[0].verbs: Required']);
});

test('a written zero in the status of an eviction is dropped', () => {
  expect(answer({ ...eviction({ pod }), status: { observedGeneration: 0 } }).dropped).toEqual(['status']);
  expect(answer({ ...eviction({ pod }), status: {} }).dropped).toEqual([]);
});
