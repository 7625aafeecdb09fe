import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { answer } from './answers';

const configMap = (metadata: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'one', ...metadata },
});
const FINALIZERS = { name: 'one', finalizers: ['x y', 'x y'] };
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u1' };
const ownedBy = (...ownerReferences: JsonObject[]) => configMap({ ownerReferences });

const SUBDOMAIN = 'a lowercase RFC 1123 subdomain must consist of';

/** How often the server reports that a finalizer of this kind has no name. */
const repeatsOf = (apiVersion: string, kind: string, minor: string) =>
  answer({ apiVersion, kind, metadata: FINALIZERS }, { minor }).errors.filter(it =>
    it.startsWith('metadata.finalizers: '),
  ).length;

describe('errors of metadata', () => {
  test('are reported once if declarative validation is enforced', () => {
    expect(repeatsOf('v1', 'ConfigMap', '1.36')).toBe(2);
    expect(repeatsOf('v1', 'ConfigMap', '1.37')).toBe(1);
    expect(repeatsOf('scheduling.k8s.io/v1alpha2', 'PodGroup', '1.36')).toBe(1);
  });

  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['a name', { name: 'One' }, ['metadata.name: Invalid']],
    ['no name', { name: '' }, ['metadata.name: Required']],
    ['a name made of a prefix', { name: '', generateName: 'one-' }, []],
    ['a bad prefix', { name: '', generateName: 'One-' }, ['metadata.generateName: Invalid', 'metadata.name: Invalid']],
    ['a namespace with a dot', { namespace: 'a.b' }, ['metadata.namespace: Invalid']],
    ['a negative generation', { generation: -1 }, ['metadata.generation: Invalid']],
    ['a label key and value', { labels: { 'a b': 'c d' } }, ['metadata.labels: Invalid', 'metadata.labels: Invalid']],
    ['an annotation key in capitals', { annotations: { 'Example.com/A': '' } }, []],
    ['too much annotation', { annotations: { a: 'x'.repeat(262_144) } }, ['metadata.annotations: TooLong']],
    ['a plain finalizer', { finalizers: ['mine', 'kubernetes'] }, ['metadata.finalizers[0]: Invalid']],
    ['finalizers at odds', { finalizers: ['orphan', 'foregroundDeletion'] }, ['metadata.finalizers: Invalid']],
    ['managed fields, which the server replaces', { managedFields: [{ operation: 'Delete' }] }, []],
  ];
  test.each(cases)('%s', (_, metadata, expected) => {
    const { errors } = answer(configMap(metadata));
    expect(errors.map(it => it.split(' ').slice(0, 2).join(' '))).toEqual(expected);
  });

  test('an invalid name is reported with the rule', () => {
    expect(answer(configMap({ name: 'One' })).errors[0]).toContain(`metadata.name: Invalid ${SUBDOMAIN}`);
  });

  test('finalizers of a RuntimeClass may be plain', () => {
    const runtimeClass = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', handler: 'runc' };
    expect(answer({ ...runtimeClass, metadata: { name: 'one', finalizers: ['mine'] } }).errors).toEqual([]);
  });

  test('metadata of a disruption budget is checked only if the budget is valid', () => {
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a', namespace: 'B' } };
    expect(answer({ ...budget, spec: { minAvailable: 1 } }).errors[0]).toContain('metadata.namespace: Invalid');
    expect(answer({ ...budget, spec: { minAvailable: -1 } }).errors).toEqual([
      'spec.minAvailable: Invalid must be greater than or equal to 0',
    ]);
  });

  test('the prefix of a ReplicationController is checked only if all else is valid', () => {
    const controller = {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'a', generateName: 'A-' },
      spec: { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
    };
    expect(answer(controller).errors).toEqual([]);
    expect(answer({ ...controller, metadata: { name: 'A' } }).errors[0]).toContain('metadata.name: Invalid');
  });
});

describe('owner references', () => {
  test('an empty field carries an index since 1.37', () => {
    expect(answer(ownedBy(owner, { ...owner, uid: '' })).errors).toEqual([
      'metadata.ownerReferences[1].uid: Required must not be empty',
    ]);
    expect(answer(ownedBy(owner, { ...owner, uid: '' }), { minor: '1.36' }).errors).toEqual([
      'metadata.ownerReferences.uid: Invalid must not be empty',
    ]);
  });

  test('an API version of three parts', () => {
    expect(answer(ownedBy({ ...owner, apiVersion: 'a/b/c' })).errors).toEqual([
      'metadata.ownerReferences[0].apiVersion: Invalid must be <group>/<version> or <version>',
    ]);
    expect(answer(ownedBy({ ...owner, apiVersion: 'a/b/c' }), { minor: '1.36' }).errors).toEqual([
      'metadata.ownerReferences.apiVersion: Invalid version must not be empty',
    ]);
  });

  test('an event owns nothing', () => {
    expect(answer(ownedBy({ ...owner, apiVersion: 'v1', kind: 'Event' })).errors[0]).toContain('is disallowed');
    expect(answer(ownedBy({ ...owner, apiVersion: 'events.k8s.io/v1', kind: 'Event' })).errors).toEqual([]);
  });

  test('two controllers are one too many, the same one twice is a warning', () => {
    const controller = { ...owner, controller: true };
    expect(answer(ownedBy(controller, { ...controller, name: 'db' })).errors).toEqual([
      'metadata.ownerReferences: Invalid Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/web and ReplicaSet/db',
    ]);
    const twice = answer(ownedBy(controller, controller));
    expect(twice.errors).toEqual([]);
    expect(twice.warnings[0]).toMatch(/contains duplicate entries.*duplicate UID\(s\) observed: u1$/);
  });
});

describe('metadata that the server removes', () => {
  test('all fields that it sets itself', () => {
    const written = {
      uid: 'u1',
      selfLink: '/x',
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    };
    expect(answer(configMap(written)).dropped).toEqual(Object.keys(written).map(it => `metadata.${it}`));
  });

  test('not empty values', () => {
    const empty = { uid: '', selfLink: '', creationTimestamp: '0001-01-01T00:00:00Z', deletionTimestamp: null };
    expect(answer(configMap(empty)).dropped).toEqual([]);
  });

  test('the namespace of a cluster-scoped object', () => {
    const metadata = { name: 'one', namespace: 'Somewhere' };
    const said = answer({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata, value: 1 });
    expect(said).toEqual({ errors: [], dropped: ['metadata.namespace'], warnings: [] });
  });

  test('a generation that the server counts itself', () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', generation: -1 }, spec };
    expect(answer(pod)).toEqual({ errors: [], dropped: [], warnings: [] });
  });
});
