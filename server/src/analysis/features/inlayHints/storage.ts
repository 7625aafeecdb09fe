import { asList, asText } from '../../../base/json';
import { t } from '../../../base/l10n';
import { largest } from '../../../base/manyItems';
import type { VolumeModel } from '../../../cluster/storage/volumes';
import { type Quantity, quantityValue } from '../../../kube/quantity';
import { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { counted } from '../../../rules/placement/phrases';
import { bytesLike } from '../../../scheduler/whatIf/amounts';
import type { WorkspaceObject } from '../../../workspace/object';
import type { EnvironmentPlacement } from '../../placement/environmentPlacement';
import type { Placements } from '../../placement/placements';
import { behindValue, type InlayHint } from './hint';

/** Binding mode and free capacity of the storage class of a claim or claim template. */
export function storageHints(object: WorkspaceObject, placements: Placements): readonly InlayHint[] {
  return claimSpecs(object).flatMap((at): readonly InlayHint[] => {
    const path = at.child('storageClassName');
    const name = asText(valueAt(object.manifest.value, path));
    if (name === undefined || name === '') return [];
    const environment = placements.of(object.manifest.uri);
    const words = classInWords(name, environment, volumeOf(object, environment));
    return words === undefined ? [] : [{ offset: behindValue(object, path), label: words }];
  });
}

function claimSpecs({ kind, group, manifest }: WorkspaceObject): readonly FieldPath[] {
  if (kind === 'PersistentVolumeClaim' && group === '') return [FieldPath.of('spec')];
  if (kind !== 'StatefulSet') return [];
  const templates = FieldPath.of('spec', 'volumeClaimTemplates');
  return asList(valueAt(manifest.value, templates)).map((_, i) => templates.index(i).child('spec'));
}

/** The volume of a claim with immediate binding. */
function volumeOf({ kind, name, namespace = 'default' }: WorkspaceObject, { cluster }: EnvironmentPlacement) {
  if (kind !== 'PersistentVolumeClaim') return undefined;
  return cluster.storage.volumes.get(cluster.storage.claims.get(`${namespace}/${name}`)?.volumeName ?? '');
}

/** "binds when a Pod is placed · at most 100Gi in one place"; undefined: no file describes the class. */
function classInWords(
  name: string,
  { cluster: { storage } }: EnvironmentPlacement,
  bound: VolumeModel | undefined,
): string | undefined {
  const found = storage.classes.get(name);
  if (found === undefined) return undefined;
  const isLate = found.volumeBindingMode === 'WaitForFirstConsumer';
  if (bound !== undefined) {
    const size = bytesLike('', bytesOf(bound.capacity));
    return `${t('binds at once')} · ${t`to ${bound.name}, ${size}`}`;
  }
  const free = [...storage.volumes.values()].filter(it => it.className === name && isFree(it));
  const capacities = storage.capacities.filter(it => it.className === name);
  const room =
    capacities.length > 0
      ? [
          t`at most ${bytesLike('', largest(capacities.map(it => bytesOf(it.maximumVolumeSize ?? it.capacity))))} in one place`,
        ]
      : free.length > 0
        ? [
            t`${counted(free.length, 'free volume')}, the largest ${bytesLike('', largest(free.map(it => bytesOf(it.capacity))))}`,
          ]
        : [];
  return [isLate ? t('binds when a Pod is placed') : t('binds at once'), ...room].join(' · ');
}

const bytesOf = (quantity: Quantity | undefined): number => (quantity ? quantityValue(quantity) : 0);

const isFree = (volume: VolumeModel): boolean => volume.claimRef === undefined;
