import { t } from '@vscode/l10n';
import { nearestNames } from '../../../kube/nearest';
import { quantityOf, quantityValue } from '../../../kube/quantity';
import type { PersistentVolumeClaim, StorageClass } from '../../../kube/types';
import { bytesLike } from '../amounts';
import { type Candidate, MOST_ALTERNATIVES, type Proposal, type Propose, type Situation, specEdit } from '../candidate';
import { type Edit, type ObjectRef, refOf, type Step, valueIn } from '../edits';

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;

/** Where the spec of a claim is written. */
interface ClaimPlace {
  readonly name: string;
  readonly object: ObjectRef;
  readonly path: readonly Step[];
  readonly spec: ClaimSpec;
  /** A volume that is there cannot be asked for anew. */
  readonly isBound: boolean;
}

/** Other classes, sizes and modes for the Pod's claims that have no volume yet, and the claim that was meant. */
export const changeClaims = (situation: Situation, plugin: string): readonly Proposal[] => {
  const claims = claimsOf(situation);
  const open = claims.filter(it => !it.isBound);
  return [
    ...missingClaims(situation, plugin),
    ...open.flatMap(it => classChanges(situation, it, plugin)),
    ...open.flatMap(it => sizeChanges(situation, it, plugin)),
    ...claims.flatMap(it => modeChanges(it, plugin)),
  ];
};

export const changeClaimsFor =
  (plugin: string): Propose =>
  situation =>
    changeClaims(situation, plugin);

function change(
  kind: Candidate['kind'],
  plugin: string,
  words: string,
  cost: number,
  ...edits: readonly Edit[]
): Candidate {
  return { kind, plugin, words, edits, cost, tells: 'run' };
}

function claimsOf({ holder, pod, documents }: Situation): readonly ClaimPlace[] {
  const templates = (valueIn(documents.find(holder.ref), ['spec', 'volumeClaimTemplates']) ?? []) as readonly unknown[];
  const place = (name: string, object: ObjectRef, path: readonly Step[], isBound: boolean): readonly ClaimPlace[] => {
    const spec = valueIn(documents.find(object), path);
    return typeof spec === 'object' && spec !== null ? [{ name, object, path, spec: spec as ClaimSpec, isBound }] : [];
  };
  return (pod.spec.volumes ?? []).flatMap((volume, i): readonly ClaimPlace[] => {
    if (volume.ephemeral) {
      const at = [...holder.specPath, 'volumes', i, 'ephemeral', 'volumeClaimTemplate', 'spec'];
      return place(volume.name ?? '', holder.ref, at, false);
    }
    const name = volume.persistentVolumeClaim?.claimName;
    if (name === undefined) return [];
    const ref: ObjectRef = { group: '', kind: 'PersistentVolumeClaim', namespace: pod.namespace, name };
    const written = documents.find(ref) as PersistentVolumeClaim | undefined;
    if (written) return place(name, ref, ['spec'], Boolean(written.spec?.volumeName));
    const t =
      holder.ref.kind === 'StatefulSet' ? templates.findIndex(it => `${templateName(it)}-${pod.name}` === name) : -1;
    return t < 0
      ? []
      : place(templateName(templates[t]), holder.ref, ['spec', 'volumeClaimTemplates', t, 'spec'], false);
  });
}

const templateName = (template: unknown): string => String(valueIn(template, ['metadata', 'name']) ?? '');

function missingClaims({ holder, pod, documents }: Situation, plugin: string): readonly Candidate[] {
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

function classChanges({ documents }: Situation, claim: ClaimPlace, plugin: string): readonly Candidate[] {
  const now = claim.spec.storageClassName;
  const classes = documents.ofKind('storage.k8s.io', 'StorageClass') as readonly unknown[] as readonly StorageClass[];
  const names = classes.map(it => it.metadata?.name ?? '');
  const [near] = now === undefined || names.includes(now) ? [] : nearestNames(now, names);
  return names
    .filter(it => it !== now)
    .slice(0, MOST_ALTERNATIVES)
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

/** As much as a volume or a storage pool has, the most first. */
function sizeChanges({ documents }: Situation, claim: ClaimPlace, plugin: string): readonly Proposal[] {
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
    .slice(0, MOST_ALTERNATIVES);
  if (sizes.length === 0) return [];
  return [
    {
      count: sizes.length,
      at(i) {
        const size = sizes[i]!;
        const text = bytesLike(String(written), size);
        const words = t`ask for ${text} of storage instead of ${String(written)} for the claim ${claim.name}`;
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

/** One node at a time is what most volumes can do; a claim that is bound may be written with fewer modes, too. */
function modeChanges({ name, object, path, spec, isBound }: ClaimPlace, plugin: string): readonly Candidate[] {
  const now = (spec.accessModes ?? []).join(', ');
  if (now === 'ReadWriteOnce' || (isBound && now !== 'ReadWriteOncePod')) return [];
  const at = [...path, 'accessModes'];
  const [, ...others] = spec.accessModes ?? [];
  const edits: readonly Edit[] = [
    ...others.map((_, i): Edit => ({ object, path: [...at, others.length - i], action: 'remove' })),
    { object, path: [...at, 0], action: 'set', value: 'ReadWriteOnce' },
  ];
  const words = t`ask for the access mode ReadWriteOnce instead of ${now} for the claim ${name}`;
  return (spec.accessModes ?? []).length === 0 ? [] : [change('claim', plugin, words, 3, ...edits)];
}
