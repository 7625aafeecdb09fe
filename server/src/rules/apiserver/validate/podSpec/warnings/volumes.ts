import type { JsonObject } from '../../../../../base/json';
import { has, record, records } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import type { Validation } from '../../errors';
import { claimSpecWarnings } from '../../storage/claim';

/** By the field's name, with the name that the warning uses if it differs. */
const DEPRECATED: readonly (readonly [field: string, message: string, name?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Deprecated volume types, and the warnings for the claim of an ephemeral volume. */
export function volumeWarnings(spec: JsonObject, at: FieldPath, validation: Validation): readonly string[] {
  return records(spec, 'volumes').flatMap((volume, i) => {
    const path = at.index(i);
    const claim = record(record(record(volume, 'ephemeral'), 'volumeClaimTemplate'), 'spec');
    return [
      ...DEPRECATED.filter(([field]) => has(volume, field)).map(
        ([field, message, name = field]) => `${path.child(name)}: ${message}`,
      ),
      ...(has(volume, 'gitRepo') ? [`${path.child('gitRepo')}: ${gitRepoMessage(validation)}`] : []),
      ...claimSpecWarnings(claim, path.child('ephemeral', 'volumeClaimTemplate', 'spec')),
    ];
  });
}

function gitRepoMessage({ kube, isOn }: Validation): string {
  const isDisabled = kube.gate('GitRepoVolumeDriver') !== undefined && !isOn('GitRepoVolumeDriver');
  return isDisabled ? 'deprecated in v1.11, and disabled by default in v1.33+' : 'deprecated in v1.11';
}
