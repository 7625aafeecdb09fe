import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { type Scenario, scenarioFromObjects } from '../../server/src/cluster/scenario';

const volume = (name: string, spec: object = {}, rest: object = {}): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: { storageClassName: 'manual', capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  ...rest,
});

const claim = (name: string, spec: object = {}, metadata: object = {}): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, ...metadata },
  spec: {
    storageClassName: 'manual',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '3Gi' } },
    ...spec,
  },
});

const late: UnknownObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'late' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const phaseOf = ({ cluster }: Scenario, name: string): string | undefined =>
  cluster.storage.volumes.get(name)?.source.status?.phase;

const volumeOf = ({ cluster }: Scenario, name: string): string | undefined => {
  const found = cluster.storage.claims.get(`default/${name}`);
  return found?.bound ? found.volumeName : undefined;
};

describe('a PersistentVolume of a manifest, which has no status', () => {
  it('becomes Available, as the volume controller sets it', () => {
    expect(phaseOf(scenarioFromObjects([volume('a')]), 'a')).toBe('Available');
  });

  it.each([
    ['kept for a claim by name alone', undefined, undefined, 'Available'],
    ['left by a claim that is gone', 'old', undefined, 'Released'],
    ['left by an older claim of the same name', 'old', 'new', 'Released'],
    ['of the claim that it names', 'same', 'same', 'Bound'],
  ])('%s', (_, uid, ofClaim, phase) => {
    const kept = volume('a', { claimRef: { namespace: 'default', name: 'data', ...(uid && { uid }) } });
    const data = claim('data', { volumeName: 'a' }, { uid: ofClaim });
    expect(phaseOf(scenarioFromObjects([kept, ...(ofClaim ? [data] : [])]), 'a')).toBe(phase);
  });

  it('releases a claim that is bound elsewhere, and is deleted where it was provisioned for it', () => {
    const bound = claim('data', { volumeName: 'other' }, { uid: 'u' });
    const claimRef = { namespace: 'default', name: 'data', uid: 'u' };
    const made = volume(
      'made',
      { claimRef, persistentVolumeReclaimPolicy: 'Delete' },
      { metadata: { name: 'made', annotations: { 'pv.kubernetes.io/provisioned-by': 'disk.example.com' } } },
    );
    const found = scenarioFromObjects([bound, volume('a', { claimRef }), made]);
    expect(phaseOf(found, 'a')).toBe('Available');
    expect(phaseOf(found, 'made')).toBe('Released');
  });

  it('keeps the phase from the cluster', () => {
    expect(phaseOf(scenarioFromObjects([volume('a', {}, { status: { phase: 'Failed' } })]), 'a')).toBe('Failed');
  });

  it('is unchanged where only the scheduler runs', () => {
    const found = scenarioFromObjects([volume('a'), claim('data')], { expandWorkloads: false });
    expect(phaseOf(found, 'a')).toBeUndefined();
    expect(volumeOf(found, 'data')).toBeUndefined();
  });
});

describe('a claim with immediate binding', () => {
  it('gets the smallest volume that is large enough, each only once', () => {
    const volumes = ['20Gi', '1Gi', '5Gi'].map(it => volume(`v${it}`, { capacity: { storage: it } }));
    const found = scenarioFromObjects([...volumes, claim('first'), claim('second'), claim('third')]);
    expect(['first', 'second', 'third'].map(it => volumeOf(found, it))).toEqual(['v5Gi', 'v20Gi', undefined]);
    expect(phaseOf(found, 'v5Gi')).toBe('Bound');
  });

  it('gets a volume with the fewest access modes that suffice, even a larger one', () => {
    const many = volume('many', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], capacity: { storage: '4Gi' } });
    expect(volumeOf(scenarioFromObjects([many, volume('few'), claim('data')]), 'data')).toBe('few');
    expect(volumeOf(scenarioFromObjects([many, claim('data')]), 'data')).toBe('many');
  });

  it('gets the volume that is reserved for it, whatever its class', () => {
    const kept = volume('kept', { storageClassName: 'other', claimRef: { namespace: 'default', name: 'data' } });
    expect(volumeOf(scenarioFromObjects([volume('a'), kept, claim('data')]), 'data')).toBe('kept');
  });

  it('gets the volume that it names if that suffices', () => {
    const named = claim('data', { volumeName: 'b' });
    expect(volumeOf(scenarioFromObjects([volume('a'), volume('b'), named]), 'data')).toBe('b');
    const small = volume('b', { capacity: { storage: '1Gi' } });
    expect(volumeOf(scenarioFromObjects([volume('a'), small, named]), 'data')).toBeUndefined();
  });

  it('waits where its class waits for the first Pod, unless a volume is reserved for it', () => {
    const data = claim('data', { storageClassName: 'late' });
    const free = volume('a', { storageClassName: 'late' });
    expect(volumeOf(scenarioFromObjects([late, free, data]), 'data')).toBeUndefined();
    const kept = volume('a', { storageClassName: 'late', claimRef: { namespace: 'default', name: 'data' } });
    expect(volumeOf(scenarioFromObjects([late, kept, data]), 'data')).toBe('a');
  });
});
