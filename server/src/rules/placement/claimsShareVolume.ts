import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import type { VolumeModel } from '../../cluster/storage/volumes';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule, type Finding, type RuleContext } from '../framework/rule';
import { isAbsenceCertain } from '../reading/absence';
import { replicaRange } from '../reading/replicas';
import {
  isServed,
  isStaticClass,
  modelOf,
  staticClassOf,
  volumesFor,
  volumesOfClass,
  type WrittenClaim,
  writtenClaims,
} from '../reading/staticVolumes';
import { nameLocation } from './phrases';

interface Facts {
  /** The claims that this object makes; absent for a claim itself. */
  readonly replicas?: number;
  readonly volumes: readonly string[];
  /** Other claims that want one of these volumes and no other: those that take them, or all if it is not known which do. */
  readonly others: readonly string[];
  /** How many claims get none of them. */
  readonly left: number;
  /** Whether the others are certain to come first: not where the Pod that is scheduled first takes the volume. */
  readonly order: 'known' | 'unknown';
  /** The class, where something outside of the files may make volumes of it. */
  readonly unlessMade?: string;
}

/** Larger pools, and further claims of a class, are not compared. */
const MOST_VOLUMES = 20;
const MOST_CLAIMS = 100;

export default defineRule<Facts>({
  meta: {
    code: 'placement/claims-share-volume',
    category: 'placement',
    severity: 'warning',
    cost: 'workspace',
    summary: 'More claims want the same PersistentVolumes than there are such volumes.',
    why: 'A PersistentVolume is bound to one claim, and nothing makes further volumes of a class without a provisioner. The claims that come too late stay Pending, and so do their Pods.',
    remedy:
      'Define a PersistentVolume for each claim, ask for something that another volume has, or let the Pods share one claim.',
    details: [
      'Said without placing a Pod: each volume that a claim could be bound to is wanted by claims that could be bound to no other.',
      `Compared are up to ${MOST_VOLUMES} volumes that fit and the first ${MOST_CLAIMS} other claims of the class; replicas of a StatefulSet count as claims of its templates.`,
      'It is information unless the PersistentVolumes of the cluster are known. Silent where a StorageClass with a provisioner makes volumes, and where none is written and a volume is of a CSI driver. The scheduler subtracts nothing from a CSIStorageCapacity, so claims of such a class are not added up.',
    ].join('\n'),
    source: {
      project: 'kubernetes',
      symbol: 'persistentvolume.(*PersistentVolumeController).syncUnboundClaim, volume.FindMatchingVolume',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding',
  },
  on: ['PersistentVolumeClaim', 'StatefulSet'],

  *check({ object }, context) {
    if (context.snapshot.objectsOf('', 'PersistentVolume').length === 0 && !context.clusterObjects) return;
    const replicas = replicaRange(object, context.snapshot)?.least ?? 1;
    for (const own of writtenClaims(object, replicas)) {
      const className = staticClassOf(own.value);
      const known = className === undefined ? undefined : isStaticClass(className, context);
      if (className === undefined || known === undefined) continue;
      const volumes = volumesOfClass(className, context);
      // A driver that serves a volume may well make others; which one does, a missing StorageClass would say.
      if (known === 'asWritten' && volumes.some(it => it.source.spec?.csi !== undefined)) continue;
      const model = volumes.length === 0 ? undefined : modelOf(own);
      if (model?.request === undefined || isServed(model, volumes)) continue;
      const wanted = volumesFor(model, volumes);
      if (wanted.length === 0 || wanted.length > MOST_VOLUMES) continue;
      const found = shortageOf(own, new Set(wanted), rivalsOf(own, className, volumes, context));
      if (found !== undefined) yield findingFor(own, { ...found, volumes: wanted }, className, known, context);
    }
  },

  message({ facts: { replicas, volumes, others, left, order, unlessMade } }) {
    const names = listOfNames(volumes.map(quoted));
    const takers = listOfNames(others);
    const them = volumes.length === 1 ? t('it') : t('them');
    const isOne = others.length === 1;
    const rest = left === 1 ? t('1 claim stays Pending') : t`${left} claims stay Pending`;
    const unless =
      unlessMade === undefined ? '' : t`, unless something in the cluster makes volumes of class ${quoted(unlessMade)}`;
    if (replicas !== undefined) {
      const each =
        replicas === 1 ? t('its Pod wants a PersistentVolume') : t`${replicas} Pods want a PersistentVolume each`;
      const some = isOne ? t`, ${takers} wants one, too` : t`, ${takers} want one, too`;
      const all = `${each}${others.length === 0 ? '' : some}`;
      return volumes.length === 1
        ? t`${all}, and only ${names} fits: ${rest}${unless}`
        : t`${all}, and only ${names} fit: ${rest}${unless}`;
    }
    const fits =
      volumes.length === 1
        ? t`${names} is the only PersistentVolume that fits`
        : t`${names} are the only PersistentVolumes that fit`;
    if (order === 'known') {
      return isOne
        ? t`${fits}, and ${takers} takes ${them} first: this claim stays Pending${unless}`
        : t`${fits}, and ${takers} take ${them} first: this claim stays Pending${unless}`;
    }
    return isOne
      ? t`${fits}, and ${takers} wants ${them}, too: ${rest}${unless}`
      : t`${fits}, and ${takers} want ${them}, too: ${rest}${unless}`;
  },
});

const MOST_NAMES = 4;

function listOfNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const all = names.length > MOST_NAMES ? [...shown, `${names.length - MOST_NAMES} more`] : shown;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

interface Rival {
  readonly claim: WrittenClaim;
  readonly volumes: readonly string[];
}

/** Other claims of the class that have no volume yet, in the order of the files; those of StatefulSets come last. */
function* rivalsOf(
  own: WrittenClaim,
  className: string,
  volumes: readonly VolumeModel[],
  { snapshot }: RuleContext,
): Iterable<Rival | 'own'> {
  const seen = new Set<string>();
  let compared = 0;
  const all = [...snapshot.objectsOf('', 'PersistentVolumeClaim'), ...snapshot.objectsOf('apps', 'StatefulSet')];
  for (const object of all) {
    if (object === own.object) yield 'own';
    if (object.manifest === own.object.manifest) continue;
    const id = `${object.kind} ${object.namespace ?? 'default'}/${object.name}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const isWanted = (it: WrittenClaim): boolean => staticClassOf(it.value) === className;
    for (const claim of writtenClaims(object, 1).filter(isWanted)) {
      if (compared >= MOST_CLAIMS) return;
      compared += 1;
      const model = modelOf(claim);
      if (model?.request === undefined || isServed(model, volumes)) continue;
      const count = claim.template === undefined ? 1 : (replicaRange(object, snapshot)?.least ?? 1);
      yield { claim: { ...claim, count }, volumes: volumesFor(model, volumes) };
    }
  }
}

/**
 * The claims that can have only these volumes, where they are more than these, and this one is too late, or no other one
 * is told so.
 */
function shortageOf(
  own: WrittenClaim,
  wanted: ReadonlySet<string>,
  rivals: Iterable<Rival | 'own'>,
): Pick<Facts, 'others' | 'left' | 'order'> | undefined {
  const before: WrittenClaim[] = [];
  const after: Rival[] = [];
  let isOwnPassed = false;
  for (const rival of rivals) {
    if (rival === 'own') isOwnPassed = true;
    else if (rival.volumes.length === 0 || !rival.volumes.every(it => wanted.has(it))) continue;
    else if (isOwnPassed) after.push(rival);
    else before.push(rival.claim);
  }
  const earlier = before.reduce((sum, it) => sum + it.count, 0);
  const left = earlier + own.count + after.reduce((sum, it) => sum + it.claim.count, 0) - wanted.size;
  const isLate = earlier + own.count > wanted.size;
  if (left <= 0 || (!isLate && after.some(it => it.volumes.length === wanted.size))) return undefined;
  return isLate
    ? { others: before.slice(0, wanted.size).map(labelOf), left, order: 'known' }
    : { others: [...before, ...after.map(it => it.claim)].map(labelOf), left, order: 'unknown' };
}

const labelOf = ({ object, name, template }: WrittenClaim): string =>
  template === undefined ? quoted(name) : `${quoted(name)} of StatefulSet ${quoted(object.name ?? '')}`;

function findingFor(
  own: WrittenClaim,
  shortage: Pick<Facts, 'others' | 'left' | 'order' | 'volumes'>,
  className: string,
  known: 'certain' | 'asWritten',
  context: RuleContext,
): Finding<Facts> {
  const { group, kind } = NAMED.storageClass;
  const [found] = context.snapshot.find(group, kind, undefined, className);
  const isLate = fieldAt(found?.manifest.value, 'volumeBindingMode') === 'WaitForFirstConsumer';
  const isCertain = isAbsenceCertain(context, { group: '', kind: 'PersistentVolume', namespace: undefined });
  const mayBeMade = known === 'asWritten' && !isAbsenceCertain(context, { group, kind, namespace: undefined });
  return {
    at:
      own.template === undefined
        ? nameLocation(own.object)
        : FieldPath.of('spec', 'volumeClaimTemplates', own.template, 'metadata', 'name'),
    part: 'value',
    facts: {
      ...shortage,
      ...(isLate && { order: 'unknown' }),
      ...(own.template !== undefined && { replicas: own.count }),
      ...(mayBeMade && { unlessMade: className }),
    },
    ...((!isCertain || mayBeMade) && { severity: 'info' }),
  };
}
