import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { answer } from './answers';

const metadataErrors = (apiVersion: string, kind: string, metadata: JsonObject): readonly string[] =>
  answer({ apiVersion, kind, metadata })
    .errors.filter(it => it.startsWith('metadata.'))
    .map(it => it.split(' ').slice(0, 2).join(' '));

describe('metadata of a kind', () => {
  const cases: readonly (readonly [string, string, JsonObject, readonly string[]])[] = [
    ['networking.k8s.io/v1', 'Ingress', { name: 'One' }, ['metadata.name: Invalid']],
    ['networking.k8s.io/v1', 'Ingress', { name: 'a', namespace: 'b.c' }, ['metadata.namespace: Invalid']],
    ['networking.k8s.io/v1', 'IngressClass', { name: 'a', namespace: 'b.c' }, []],
    ['networking.k8s.io/v1', 'IPAddress', { name: '10.0.0.1' }, []],
    ['networking.k8s.io/v1', 'IPAddress', { name: '10.0.0.01' }, ['metadata.name: Invalid']],
    ['rbac.authorization.k8s.io/v1', 'Role', { name: 'system:One' }, []],
    ['rbac.authorization.k8s.io/v1', 'Role', { name: 'a/b' }, ['metadata.name: Invalid']],
    ['coordination.k8s.io/v1', 'Lease', { name: 'a', finalizers: ['mine'] }, []],
    ['v1', 'Endpoints', { name: 'a', finalizers: ['mine'] }, ['metadata.finalizers[0]: Invalid']],
    [
      'flowcontrol.apiserver.k8s.io/v1',
      'FlowSchema',
      { name: 'a', labels: { a: 'b c' } },
      ['metadata.labels: Invalid'],
    ],
    ['certificates.k8s.io/v1', 'CertificateSigningRequest', { name: 'A B' }, []],
    ['internal.apiserver.k8s.io/v1alpha1', 'StorageVersion', { name: 'apps.Pods' }, ['metadata.name: Invalid']],
    ['internal.apiserver.k8s.io/v1alpha1', 'StorageVersion', { name: 'pods' }, ['metadata.name: Invalid']],
  ];
  test.each(cases)('%s %s %j', (apiVersion, kind, metadata, expected) => {
    expect(metadataErrors(apiVersion, kind, metadata)).toEqual(expected);
  });
});
