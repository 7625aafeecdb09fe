import { grouped } from '../../base/multiMap';
import type { PreviewDifference, PreviewPod } from './model';

/**
 * The difference between two placements. A Pod that its controller recreates under another name counts as moved: removed
 * and new Pods of one owner are paired in order.
 */
export function differenceOf(
  now: readonly PreviewPod[],
  then: readonly PreviewPod[],
  { lost, problems }: Pick<PreviewDifference, 'lost' | 'problems'>,
): PreviewDifference {
  const before = new Map(now.map(it => [it.id, it]));
  const after = new Map(then.map(it => [it.id, it]));
  const isLost = new Set(lost);
  const left = now.filter(it => !after.has(it.id) && !isLost.has(it.id));
  const successors = pairsOf(
    left,
    then.filter(it => !before.has(it.id)),
  );
  const replaced = new Set(successors.values());
  const changes = then.map(pod => ({ pod, was: before.get(pod.id) ?? successors.get(pod) }));
  const ids = (which: (change: { readonly pod: PreviewPod; readonly was: PreviewPod | undefined }) => boolean) =>
    changes.filter(which).map(it => it.pod.id);
  return {
    moved: changes.flatMap(({ pod, was }) => {
      const [from, to] = [was && nodeOf(was), nodeOf(pod)];
      return from === undefined || to === undefined || from === to ? [] : [{ pod: pod.id, from, to }];
    }),
    lost,
    pending: ids(({ pod, was }) => pod.state === 'pending' && was?.state !== 'pending'),
    placed: ids(({ pod, was }) => nodeOf(pod) !== undefined && (was === undefined || nodeOf(was) === undefined)),
    evicted: ids(({ pod, was }) => pod.state === 'victim' && was?.state !== 'victim'),
    removed: left.filter(it => !replaced.has(it)).map(it => it.id),
    problems,
  };
}

/** An evicted Pod has left its node. */
const nodeOf = ({ state, node }: PreviewPod): string | undefined => (state === 'victim' ? undefined : node);

/** New Pod → the Pod that it replaces. */
function pairsOf(gone: readonly PreviewPod[], fresh: readonly PreviewPod[]): ReadonlyMap<PreviewPod, PreviewPod> {
  const waiting = new Map([...grouped(gone, ownerOf)].map(([owner, pods]) => [owner, [...pods]]));
  return new Map(
    fresh.flatMap(pod => {
      const was = pod.owner === undefined ? undefined : waiting.get(ownerOf(pod))?.shift();
      return was === undefined ? [] : [[pod, was] as const];
    }),
  );
}

const ownerOf = ({ namespace, owner = '' }: PreviewPod): string => `${namespace} ${owner}`;
