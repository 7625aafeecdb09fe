import type { JsonObject } from '../../base/json';
import { has, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { podSecurityRule } from './check';
import { joinQuote, pluralize, sortedSet } from './messageText';
import type { PodView } from './pod';

const ALLOWED = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const RESTRICTED = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
];

export default defineRule(
  podSecurityRule({
    code: 'security/restricted-volumes',
    symbol: 'CheckRestrictedVolumes',
    level: 'restricted',
    summary: 'A Pod names a volume of a type that only an administrator should set up.',
    why: 'Such a volume leads to the node or to a storage server with the rights of the node; claims and the volumes of the API itself do not.',
    remedy: `Use one of ${ALLOWED.map(it => `\`${it}\``).join(', ')} or \`image\`; storage servers are reached by a claim.`,
    versions: [
      {
        since: 0,
        check(pod) {
          const bad = records(pod.spec, 'volumes').flatMap((it, i) => {
            const type = restrictedType(it, pod);
            return type === undefined ? [] : [{ name: text(it, 'name'), type, i }];
          });
          if (bad.length === 0) return undefined;
          const types = sortedSet(bad.map(it => it.type));
          const uses = pluralize('uses', 'use', bad.length);
          const kinds = pluralize('restricted volume type', 'restricted volume types', types.length);
          return {
            reason: 'restricted volume types',
            detail: `${pluralize('volume', 'volumes', bad.length)} ${joinQuote(bad.map(it => it.name))} ${uses} ${kinds} ${joinQuote(types)}`,
            fields: bad.map(({ i, type }) => {
              const at = pod.at.child('volumes').index(i);
              return { at: type === UNKNOWN ? at.child('image') : at.child(type), part: 'key' as const };
            }),
          };
        },
      },
    ],
  }),
);

const UNKNOWN = 'unknown';

/** undefined for an allowed type. A volume without a source has become an emptyDir by then. */
function restrictedType(volume: JsonObject, { knowsImageVolumes }: PodView): string | undefined {
  if (ALLOWED.some(it => has(volume, it)) || (knowsImageVolumes && has(volume, 'image'))) return undefined;
  return RESTRICTED.find(it => has(volume, it)) ?? (has(volume, 'image') ? UNKNOWN : undefined);
}
