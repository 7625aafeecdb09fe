import { t } from '../../base/l10n';
import type { Attempt } from '../../scheduler/result';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { nameLocation } from './phrases';
import { refusalsInWords } from './refusals';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly who: string;
  readonly pods: number;
  readonly stuck: number;
  readonly why: string;
  readonly message: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/unschedulable',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    isGeneral: true,
    summary: 'A Pod, or some Pods of a workload, find no node.',
    why: 'They stay Pending until something changes in the cluster. The text behind the dash is what the event FailedScheduling says.',
    remedy:
      'Look at the reasons node by node in the hover over the name or in the preview, and change what most nodes refuse.',
    details: [
      'The Pods of the whole environment are placed in the order of the queue, so that one that comes late may find the nodes full.',
      'Silent unless the nodes of the cluster are known, and, until the sources are said to be complete, where the Pod waits for',
      'something that no file defines: claims, devices and volumes that others may bring.',
      '',
      'Where a more special rule tells the reason, this one follows from it and is hidden in the editor and in text output.',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'framework.FitError.Error', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/',
  },
  on: 'podSpec',

  *check({ object }, { placement, snapshot }) {
    const facts = sizedFacts(placement?.(object));
    if (facts === undefined) return;
    const pods = facts.podsOf(object);
    const stuck = pods.filter(it => stuckAttempt(it, facts) !== undefined);
    const explained = stuck.find(it => facts.isExplained(it));
    const first = explained && stuckAttempt(explained, facts);
    if (first !== undefined && !snapshot.complete && waitsForOthers(first, facts)) return;
    if (stuck.length === 0) return;
    yield {
      at: nameLocation(object),
      part: 'value',
      facts: {
        pods: pods.length,
        stuck: stuck.length,
        who: object.kind === 'Pod' ? t('this Pod') : t('its Pod'),
        why: first === undefined ? TOO_MANY() : refusalsInWords(first, pods.length === 1 ? 'it' : 'the Pod'),
        message: first?.message ?? '',
      },
    };
  },

  message: ({ facts: { who: one, pods, stuck, why, message } }) => {
    const some = stuck === 1 ? t`1 of ${pods} Pods finds no node` : t`${stuck} of ${pods} Pods find no node`;
    const who = pods === 1 ? t`${one} finds no node` : stuck === pods ? t`none of the ${pods} Pods finds a node` : some;
    return layered(`${who}${why === '' ? '' : `: ${why}`}`, message);
  },
});

const TOO_MANY = (): string =>
  t('why is told of the first Pods only, since so many find none of so many nodes; `berth place` tells it of each');

function stuckAttempt(pod: ReturnType<PlacementFacts['podsOf']>[number], facts: PlacementFacts): Attempt | undefined {
  const attempt = facts.nodeOf(pod) === undefined ? facts.attemptOf(pod) : undefined;
  return attempt?.status === 'unschedulable' ? attempt : undefined;
}

/** Plugins that wait for objects which drivers and controllers create: claims bound to volumes, devices, groups. */
const NEED_OBJECTS: ReadonlySet<string> = new Set([
  'VolumeBinding',
  'VolumeRestrictions',
  'DynamicResources',
  'GangScheduling',
  'Coscheduling',
]);

/** Whether what the Pod lacks may exist in the cluster although no file defines it. */
function waitsForOthers(attempt: Attempt, { cluster }: PlacementFacts): boolean {
  const { preFilterRejection, rejectedBy } = attempt;
  if (preFilterRejection !== undefined && NEED_OBJECTS.has(preFilterRejection.plugin)) return true;
  // The verdicts of the nodes are computed when they are read.
  const isRefusedBy = (plugin: string): boolean =>
    rejectedBy?.includes(plugin) !== false &&
    (attempt.nodes ?? []).some(it => it.verdict === 'rejected' && it.plugin === plugin);
  const hasDevices = (cluster.objects.get('ResourceSlice') ?? []).length > 0;
  const hasCapacities = cluster.storage.capacities.length > 0 || cluster.storage.volumes.size > 0;
  return (!hasDevices && isRefusedBy('DynamicResources')) || (!hasCapacities && isRefusedBy('VolumeBinding'));
}
