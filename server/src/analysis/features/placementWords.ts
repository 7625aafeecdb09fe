import { t } from '../../base/l10n';
import type { Attempt, NodeVerdict } from '../../scheduler/result';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { UnadmittedObject } from '../placement/refusedObjects';

/** How much is said of nodes and reasons. */
export interface Wording {
  readonly node: (name: string) => string;
  /** "a, b ×2": the nodes of several Pods. */
  readonly nodes: (names: readonly string[]) => string;
  /** The nodes of those Pods that are placed, where others are not; '' leaves them out. */
  readonly nodesOfSome: (names: readonly string[]) => string;
  /** What the scheduler or the API server says. */
  readonly reason: (message: string) => string;
  /** That no node fits, or that admission refuses the Pod, with the reason. */
  readonly stuck: (why: 'unfit' | 'refused', reason: string) => string;
  /** How many nodes fit; '' leaves it out. */
  readonly fits: (feasible: number, of: number) => string;
}

/** Everything that is known. */
export const COMPLETE: Wording = {
  node: it => it,
  nodes: it => it.join(', '),
  nodesOfSome: it => it.join(', '),
  reason: it => it,
  stuck: stuckInWords,
  fits: nodesFit,
};

/** "does not fit: 2 Insufficient cpu" */
export function stuckInWords(why: 'unfit' | 'refused', reason: string): string {
  return why === 'unfit' ? t`does not fit: ${reason}` : t`is refused: ${reason}`;
}

/** " · 2 of 4 nodes fit" */
export function nodesFit(feasible: number, of: number): string {
  return t` · ${feasible} of ${of} nodes fit`;
}

/** "lands on node-a · 2 of 4 nodes fit"; for several Pods the number of placed ones and their nodes. */
export function placementInWords(
  placement: EnvironmentPlacement,
  pods: readonly string[],
  wording: Wording = COMPLETE,
): string {
  const [first] = pods;
  if (first === undefined) return t('makes no Pods');
  const refused = placement.rejected.filter(it => pods.includes(it.id));
  const wanted = refused.reduce((sum, it) => sum + (it.more ?? 0), pods.length);
  if (wanted === 1) return podInWords(placement, first, wording);
  const nodes = new Map<string, number>();
  for (const pod of pods) {
    const node = placement.nodeOf(pod);
    if (node !== undefined) nodes.set(node, (nodes.get(node) ?? 0) + 1);
  }
  const landed = [...nodes.values()].reduce((sum, it) => sum + it, 0);
  const isSpread = nodes.size > 1;
  const names = [...nodes].map(([node, n]) => `${wording.node(node)}${isSpread && n > 1 ? ` ×${n}` : ''}`);
  if (landed === pods.length) return t`${pods.length} Pods land on ${wording.nodes(names)}`;
  const stuck = pods.find(it => placement.nodeOf(it) === undefined);
  const why = stuck === undefined ? '' : ` · ${podInWords(placement, stuck, wording)}`;
  const where = wording.nodesOfSome(names);
  return where === ''
    ? t`${landed} of ${wanted} Pods land${why}`
    : t`${landed} of ${wanted} Pods land on ${where}${why}`;
}

/** What is said in place of nodes where none of the Pods comes into the cluster. */
export function refusalInWords({ by }: UnadmittedObject, pods: number): string {
  if (by === 'podSecurity')
    return pods === 1 ? t('is refused by Pod Security') : t`${pods} Pods are refused by Pod Security`;
  return t('is refused by the API server');
}

function podInWords(placement: EnvironmentPlacement, pod: string, wording: Wording): string {
  const attempt = placement.attempts.get(pod);
  const evictedBy = placement.evictedBy(pod);
  if (evictedBy !== undefined) return t`would be evicted to make room for ${evictedBy}`;
  if (!attempt) {
    const node = placement.nodeOf(pod);
    return node === undefined ? t('was not tried') : t`runs on ${wording.node(node)}`;
  }
  const victims = placement.victimsOf(pod);
  return `${attemptInWords(attempt, wording)}${victims.length > 0 ? t` · evicts ${victims.join(', ')}` : ''}`;
}

function attemptInWords(attempt: Attempt, { node, reason, stuck, fits }: Wording): string {
  const said = reason(attempt.message ?? t('no reason was given'));
  switch (attempt.status) {
    case 'scheduled': {
      const ties = (attempt.tiedNodes ?? []).length;
      const luck = ties > 1 ? t` (or ${ties - 1} equal)` : '';
      return t`lands on ${node(attempt.node ?? '')}${luck}${fitsInWords(attempt, fits)}`;
    }
    case 'gated':
      return t`is held back: ${(attempt.preFilterRejection?.reasons ?? []).join(', ')}`;
    case 'rejected':
      return stuck('refused', said);
    case 'ignored':
      return t`is left alone: ${said}`;
    default:
      return stuck('unfit', said);
  }
}

/** Counts node verdicts only where the attempt has no counts. */
function fitsInWords(attempt: Attempt, fits: Wording['fits']): string {
  const { feasible, of } = attempt.fits ?? countOf(attempt.nodes ?? []);
  return of > 0 ? fits(feasible, of) : '';
}

function countOf(nodes: readonly NodeVerdict[]): NonNullable<Attempt['fits']> {
  return { feasible: nodes.filter(it => it.verdict === 'feasible').length, of: nodes.length };
}
