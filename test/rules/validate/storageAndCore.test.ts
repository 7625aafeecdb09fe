import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { loadKube } from '../../../server/src/kube/load';
import { coreStrategies } from '../../../server/src/rules/apiserver/validate/core/index';
import { storageStrategies } from '../../../server/src/rules/apiserver/validate/storage/index';
import { readPack } from '../../support/packs';

const strategies = { ...storageStrategies(), ...coreStrategies() };
const metadata = { name: 'one' };

const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['/PersistentVolumeClaim', { metadata, spec: {} }, ['spec.accessModes', 'spec.resources[storage]']],
  ['/PersistentVolume', { metadata, spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } }, ['spec']],
  ['storage.k8s.io/StorageClass', { metadata, reclaimPolicy: 'Recycle' }, ['provisioner', 'reclaimPolicy']],
  ['storage.k8s.io/VolumeAttributesClass', { metadata, driverName: 'a.b' }, ['parameters']],
  ['storage.k8s.io/CSIDriver', { metadata, spec: { fsGroupPolicy: 'Some' } }, ['spec.fsGroupPolicy']],
  ['storage.k8s.io/CSIDriver', { metadata, spec: { fsGroupPolicy: '' } }, ['spec.fsGroupPolicy']],
  ['storage.k8s.io/CSIDriver', { metadata, spec: {} }, []],
  ['storage.k8s.io/CSINode', { metadata, spec: { drivers: [{ name: 'a' }] } }, ['spec.drivers[0].nodeID']],
  ['storage.k8s.io/CSIStorageCapacity', { metadata, storageClassName: 'a', capacity: '-1' }, ['capacity']],
  ['storage.k8s.io/VolumeAttachment', { metadata, spec: { attacher: 'a', nodeName: 'n' } }, ['spec.source']],
  ['scheduling.k8s.io/PriorityClass', { metadata, value: 1000000001 }, ['value']],
  ['policy/PodDisruptionBudget', { metadata, spec: { minAvailable: '101%' } }, ['spec.minAvailable']],
  ['/ConfigMap', { metadata, data: { '..': '' } }, ['data[..]']],
  ['/Secret', { metadata, type: 'kubernetes.io/ssh-auth' }, ['data[ssh-privatekey]']],
  ['/Namespace', { metadata, spec: { finalizers: ['mine'] } }, ['spec.finalizers']],
  ['/ServiceAccount', { metadata: { name: 'One' } }, ['metadata.name']],
  ['/ResourceQuota', { metadata, spec: { hard: { pods: '1500m' } } }, ['spec.hard[pods]']],
  ['node.k8s.io/RuntimeClass', { metadata }, ['handler']],
];

describe('what the API server refuses', () => {
  test.each(cases)('%s', (kind, object, fields) => {
    const strategy = strategies[kind];
    const kube = loadKube('1.37', {}, readPack);
    const validation = { kube, isOn: (gate: string) => kube.isGateOn(gate) };
    const defaulted = strategy?.defaults?.(object, validation) ?? object;
    const stored = strategy?.drop?.(defaulted, validation).object ?? defaulted;
    expect([...(strategy?.validate(stored, validation) ?? [])].map(it => it.at.toString())).toEqual(fields);
  });
});
