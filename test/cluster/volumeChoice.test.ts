import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { afterVolumeController } from '../../server/src/cluster/controllers/persistentVolumes';
import { storageOf } from '../../server/src/cluster/storage/volumes';

const MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'];

interface Written {
  readonly size: number;
  readonly modes: readonly string[];
  readonly className: string;
}

/** `owner`: the claim for which a volume is reserved. */
interface WrittenVolume extends Written {
  readonly owner: number | undefined;
}

/** Claims of this class wait for their first Pod, unless a volume is reserved for them. */
const LATE = 'late';

const written = {
  size: fc.integer({ min: 1, max: 4 }),
  modes: fc.subarray(MODES, { minLength: 1 }),
  className: fc.constantFrom('fast', 'slow', LATE),
};
const writtenVolume = fc.record({ ...written, owner: fc.option(fc.nat(4), { nil: undefined }) });

const volume = ({ size, modes, className, owner }: WrittenVolume, i: number): UnknownObject => ({
  kind: 'PersistentVolume',
  metadata: { name: `v${i}` },
  spec: {
    capacity: { storage: `${size}Gi` },
    accessModes: modes,
    storageClassName: className,
    ...(owner !== undefined && { claimRef: { namespace: 'default', name: `c${owner}` } }),
  },
});

const storageClass: UnknownObject = {
  kind: 'StorageClass',
  metadata: { name: LATE },
  provisioner: 'p',
  volumeBindingMode: 'WaitForFirstConsumer',
};

const claim = ({ size, modes, className }: Written, i: number): UnknownObject => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name: `c${i}` },
  spec: { resources: { requests: { storage: `${size}Gi` } }, accessModes: modes, storageClassName: className },
});

/**
 * Each claim in turn gets of the volumes with the fewest modes one that is reserved for it, or the smallest; of what is equal the
 * first.
 */
function boundOneByOne(volumes: readonly WrittenVolume[], claims: readonly Written[]): readonly string[] {
  const free = new Set(volumes);
  return claims.map((wanted, own) => {
    const isFree = ({ className, owner }: WrittenVolume): boolean =>
      owner === undefined && className === wanted.className && className !== LATE;
    const able = [...free].filter(
      it => (it.owner === own || isFree(it)) && wanted.modes.every(mode => it.modes.includes(mode)),
    );
    const alike = [...new Set(able.map(it => it.modes.join()))].toSorted(
      (a, b) => a.split(',').length - b.split(',').length,
    );
    const sets = alike.map(modes => able.filter(it => it.modes.join() === modes && it.size >= wanted.size));
    const set = sets.find(it => it.length > 0) ?? [];
    const chosen = set.find(it => it.owner === own) ?? set.toSorted((a, b) => a.size - b.size)[0];
    if (chosen === undefined) return '';
    free.delete(chosen);
    return `v${volumes.indexOf(chosen)}`;
  });
}

describe('the PersistentVolume controller', () => {
  it('gives each claim the same volume as a look at all of them', () => {
    fc.assert(
      fc.property(
        fc.array(writtenVolume, { maxLength: 8 }),
        fc.array(fc.record(written), { maxLength: 8 }),
        (volumes, claims) => {
          const byKind = new Map([
            ['PersistentVolume', volumes.map(volume)],
            ['PersistentVolumeClaim', claims.map(claim)],
            ['StorageClass', [storageClass]],
          ]);
          const storage = storageOf(byKind, () => undefined);
          const bound = [...afterVolumeController(storage).claims.values()].map(it => it.volumeName);
          expect(bound).toEqual(boundOneByOne(volumes, claims));
        },
      ),
    );
  });
});
