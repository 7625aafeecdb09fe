import { compareText } from '../../base/compareText';
import type { PersistentVolumeClaim, StorageClass } from '../../kube/types';
import { CLUSTER_START } from '../clusterStart';

/** The DefaultStorageClass admission plugin: the newest default class; of several the lowest name. */
export function defaultClassOf(
  classes: readonly StorageClass[],
): (claim: PersistentVolumeClaim) => PersistentVolumeClaim {
  const created = (it: StorageClass): number => Date.parse(it.metadata?.creationTimestamp ?? '') || CLUSTER_START;
  const [newest] = classes
    .filter(it => it.metadata?.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true')
    .sort((a, b) => created(b) - created(a) || compareText(a.metadata?.name ?? '', b.metadata?.name ?? ''));
  const name = newest?.metadata?.name;
  return claim => {
    const { metadata, spec } = claim;
    const isNamed = spec?.storageClassName !== undefined || spec?.volumeName;
    const isAnnotated = metadata?.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined;
    return name === undefined || isNamed || isAnnotated
      ? claim
      : { ...claim, spec: { ...spec, storageClassName: name } };
  };
}
