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

const written = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  modes: fc.subarray(MODES, { minLength: 1 }),
  className: fc.constantFrom('fast', 'slow'),
});

const volume = ({ size, modes, className }: Written, i: number): UnknownObject => ({
  kind: 'PersistentVolume',
  metadata: { name: `v${i}` },
  spec: { capacity: { storage: `${size}Gi` }, accessModes: modes, storageClassName: className },
});

const claim = ({ size, modes, className }: Written, i: number): UnknownObject => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name: `c${i}` },
  spec: { resources: { requests: { storage: `${size}Gi` } }, accessModes: modes, storageClassName: className },
});

/** Each claim in turn gets of the volumes with the fewest modes the smallest; of what is equal the first. */
function boundOneByOne(volumes: readonly Written[], claims: readonly Written[]): readonly string[] {
  const free = new Set(volumes);
  return claims.map(wanted => {
    const able = [...free].filter(
      it => it.className === wanted.className && wanted.modes.every(mode => it.modes.includes(mode)),
    );
    const alike = [...new Set(able.map(it => it.modes.join()))].toSorted(
      (a, b) => a.split(',').length - b.split(',').length,
    );
    const sets = alike.map(modes => able.filter(it => it.modes.join() === modes && it.size >= wanted.size));
    const [chosen] = (sets.find(it => it.length > 0) ?? []).toSorted((a, b) => a.size - b.size);
    if (chosen === undefined) return '';
    free.delete(chosen);
    return `v${volumes.indexOf(chosen)}`;
  });
}

describe('the PersistentVolume controller', () => {
  it('gives each claim the same volume as a look at all of them', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), fc.array(written, { maxLength: 8 }), (volumes, claims) => {
        const byKind = new Map([
          ['PersistentVolume', volumes.map(volume)],
          ['PersistentVolumeClaim', claims.map(claim)],
        ]);
        const storage = storageOf(byKind, () => undefined);
        const bound = [...afterVolumeController(storage).claims.values()].map(it => it.volumeName);
        expect(bound).toEqual(boundOneByOne(volumes, claims));
      }),
    );
  });
});
