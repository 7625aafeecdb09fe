import { asList } from '../../../base/json';
import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { printed } from '../../../base/printed';
import { quantityOf, quantityValue } from '../../../kube/quantity';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../kube/types';
import { bytesLike } from '../amounts';
import {
  type ChangeCandidate,
  MAX_ALTERNATIVES,
  type Proposal,
  type Propose,
  type Situation,
  specEdit,
} from '../candidate';
import { type Documents, type Edit, type ObjectRef, type PathStep, refOf, valueIn } from '../edits';

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

/** Where the spec of a claim is written. */
interface ClaimLocation {
  readonly name: string;
  readonly object: ObjectRef;
  readonly path: readonly PathStep[];
  readonly spec: ClaimSpec;
  /** The storage of an existing volume cannot be changed this way. */
  readonly isBound: boolean;
}

/** Other classes, sizes and modes for the Pod's unbound claims, and the claim that was probably meant. */
export const changeClaims = (situation: Situation, plugin: string): readonly Proposal[] => {
  const claims = claimsOf(situation);
  const open = claims.filter(it => !it.isBound);
  return [
    ...missingClaims(situation, plugin),
    ...claims.flatMap(it => volumeNameChanges(situation, it, plugin)),
    ...open.flatMap(it => classChanges(situation, it, plugin)),
    ...open.flatMap(it => delayedBinding(situation, it, plugin)),
    ...open.flatMap(it => selectorChanges(it, plugin)),
    ...open.flatMap(it => sizeChanges(situation, it, plugin)),
    ...claims.flatMap(it => modeChanges(situation, it, plugin)),
  ];
};

export const changeClaimsFor =
  (plugin: string): Propose =>
  situation =>
    changeClaims(situation, plugin);

function change(
  kind: ChangeCandidate['kind'],
  plugin: string,
  words: string,
  cost: number,
  ...edits: readonly Edit[]
): ChangeCandidate {
  return { kind, plugin, words, edits, cost, verifiedBy: 'run' };
}

function claimsOf({ holder, pod, documents }: Situation): readonly ClaimLocation[] {
  const templates = (valueIn(documents.find(holder.ref), ['spec', 'volumeClaimTemplates']) ?? []) as readonly unknown[];
  const locationOf = (
    name: string,
    object: ObjectRef,
    path: readonly PathStep[],
    volume = '',
  ): readonly ClaimLocation[] => {
    const spec = valueIn(documents.find(object), path);
    return typeof spec === 'object' && spec !== null
      ? [{ name, object, path, spec: spec as ClaimSpec, isBound: volume !== '' }]
      : [];
  };
  return (pod.spec.volumes ?? []).flatMap((volume, i): readonly ClaimLocation[] => {
    if (volume.ephemeral) {
      const at = [...holder.specPath, 'volumes', i, 'ephemeral', 'volumeClaimTemplate', 'spec'];
      return locationOf(volume.name ?? '', holder.ref, at);
    }
    const name = volume.persistentVolumeClaim?.claimName;
    if (name === undefined) return [];
    const ref: ObjectRef = { group: '', kind: 'PersistentVolumeClaim', namespace: pod.namespace, name };
    const written = documents.find(ref) as PersistentVolumeClaim | undefined;
    if (written) return locationOf(name, ref, ['spec'], written.spec?.volumeName);
    const t =
      holder.ref.kind === 'StatefulSet' ? templates.findIndex(it => `${templateName(it)}-${pod.name}` === name) : -1;
    return t < 0 ? [] : locationOf(templateName(templates[t]), holder.ref, ['spec', 'volumeClaimTemplates', t, 'spec']);
  });
}

const templateName = (template: unknown): string => printed(valueIn(template, ['metadata', 'name']) ?? '');

function missingClaims({ holder, pod, documents }: Situation, plugin: string): readonly ChangeCandidate[] {
  const names = documents
    .ofKind('', 'PersistentVolumeClaim')
    .map(refOf)
    .filter(it => it.namespace === pod.namespace)
    .map(it => it.name);
  return (holder.spec.volumes ?? []).flatMap((volume, i) => {
    const name = volume.persistentVolumeClaim?.claimName;
    if (name === undefined || names.includes(name)) return [];
    return nearestNames(name, names)
      .slice(0, 1)
      .map(it =>
        change(
          'claim',
          plugin,
          t`use the claim ${it} instead of ${name}`,
          1,
          specEdit(holder, ['volumes', i, 'persistentVolumeClaim', 'claimName'], 'set', it),
        ),
      );
  });
}

function classChanges({ documents }: Situation, claim: ClaimLocation, plugin: string): readonly ChangeCandidate[] {
  const now = claim.spec.storageClassName;
  const classes = documents.ofKind('storage.k8s.io', 'StorageClass') as readonly unknown[] as readonly StorageClass[];
  const ofVolumes = volumesIn(documents).map(it => it.spec?.storageClassName ?? '');
  // The class of a manually created volume may be a mere name.
  const names = [...new Set([...classes.map(it => it.metadata?.name ?? ''), ...ofVolumes.filter(it => it !== '')])];
  const [near] = now === undefined || names.includes(now) ? [] : nearestNames(now, names);
  return names
    .filter(it => it !== now)
    .slice(0, MAX_ALTERNATIVES)
    .map(it =>
      change(
        'storageClass',
        plugin,
        now
          ? t`take the storage class ${it} instead of ${now} for the claim ${claim.name}`
          : t`take the storage class ${it} instead of none for the claim ${claim.name}`,
        it === near ? 1 : 3,
        { object: claim.object, path: [...claim.path, 'storageClassName'], action: 'set', value: it },
      ),
    );
}

/** As much as a volume or a storage pool has, largest first. */
function sizeChanges({ documents }: Situation, claim: ClaimLocation, plugin: string): readonly Proposal[] {
  const written = claim.spec.resources?.requests?.storage;
  const now = bytesOf(written);
  if (now === undefined) return [];
  const rooms = [
    ...documents.ofKind('', 'PersistentVolume').map(it => valueIn(it, ['spec', 'capacity', 'storage'])),
    ...documents
      .ofKind('storage.k8s.io', 'CSIStorageCapacity')
      .map(it => valueIn(it, ['maximumVolumeSize']) ?? valueIn(it, ['capacity'])),
  ];
  const sizes = [...new Set(rooms.flatMap(it => bytesOf(it) ?? []))]
    .filter(it => it < now && it >= now / 20)
    .sort((a, b) => b - a)
    .slice(0, MAX_ALTERNATIVES);
  if (sizes.length === 0) return [];
  return [
    {
      count: sizes.length,
      at(i) {
        const size = sizes[i]!;
        const text = bytesLike(printed(written), size);
        const words = t`ask for ${text} of storage instead of ${printed(written)} for the claim ${claim.name}`;
        return change('storageSize', plugin, words, 1 + 9 * (1 - size / now), {
          object: claim.object,
          path: [...claim.path, 'resources', 'requests', 'storage'],
          action: 'set',
          value: text,
        });
      },
    },
  ];
}

function bytesOf(value: unknown): number | undefined {
  const quantity = value === undefined ? undefined : quantityOf(value);
  return quantity && quantityValue(quantity);
}

/**
 * Most volumes support one node at a time; other volumes support the modes that they list. A bound claim may list fewer
 * modes, too.
 */
function modeChanges(
  { documents }: Situation,
  { name, object, path, spec, isBound }: ClaimLocation,
  plugin: string,
): readonly ChangeCandidate[] {
  const written = asList(spec.accessModes);
  const now = written.join(', ');
  if (now === '' || (isBound && now !== 'ReadWriteOncePod')) return [];
  const at = [...path, 'accessModes'];
  const [, ...others] = written;
  const ofVolumes = isBound ? [] : volumesIn(documents).flatMap(it => it.spec?.accessModes ?? []);
  const modes = [...new Set(['ReadWriteOnce', ...ofVolumes])].filter(it => it !== now);
  return modes.map(mode => {
    const edits: readonly Edit[] = [
      ...others.map((_, i): Edit => ({ object, path: [...at, others.length - i], action: 'remove' })),
      { object, path: [...at, 0], action: 'set', value: mode },
    ];
    const words = t`ask for the access mode ${mode} instead of ${now} for the claim ${name}`;
    return change('claim', plugin, words, 3, ...edits);
  });
}

function volumesIn(documents: Documents): readonly PersistentVolume[] {
  const all = documents.ofKind('', 'PersistentVolume') as readonly unknown[] as readonly PersistentVolume[];
  return all.filter(it => Array.isArray(it.spec?.accessModes));
}

/** For a named volume that does not exist: the one that was probably meant, or any that fits. */
function volumeNameChanges(
  { documents }: Situation,
  { name, object, path, spec }: ClaimLocation,
  plugin: string,
): readonly ChangeCandidate[] {
  const named = spec.volumeName;
  const names = volumesIn(documents).map(it => it.metadata?.name ?? '');
  if (!named || names.includes(named)) return [];
  const at = [...path, 'volumeName'];
  return [
    ...nearestNames(named, names)
      .slice(0, 1)
      .map(it =>
        change('claim', plugin, t`name the PersistentVolume ${it} instead of ${named} in the claim ${name}`, 1, {
          object,
          path: at,
          action: 'set',
          value: it,
        }),
      ),
    change('claim', plugin, t`name no PersistentVolume (now ${named}) in the claim ${name}`, 2.5, {
      object,
      path: at,
      action: 'remove',
    }),
  ];
}

/** A class with immediate binding does not wait for the scheduler, and a Pod waits for its claim. */
function delayedBinding({ documents }: Situation, { spec }: ClaimLocation, plugin: string): readonly ChangeCandidate[] {
  const object: ObjectRef = { ...CLASS, name: spec.storageClassName ?? '' };
  const found = documents.find(object) as StorageClass | undefined;
  if (found === undefined || found.volumeBindingMode === 'WaitForFirstConsumer') return [];
  const words = t`let the StorageClass ${object.name} wait for the first Pod (WaitForFirstConsumer; it has to be made anew)`;
  return [
    change('storageClass', plugin, words, 2.5, {
      object,
      path: ['volumeBindingMode'],
      action: 'set',
      value: 'WaitForFirstConsumer',
    }),
  ];
}

const CLASS = { group: 'storage.k8s.io', kind: 'StorageClass', namespace: 'default' } as const;

/** Removes labels that no volume has. */
function selectorChanges({ name, object, path, spec }: ClaimLocation, plugin: string): readonly ChangeCandidate[] {
  if (spec.selector === undefined) return [];
  const words = t`take a volume with any labels for the claim ${name} (no selector)`;
  return [change('claim', plugin, words, 3, { object, path: [...path, 'selector'], action: 'remove' })];
}
