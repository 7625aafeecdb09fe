import { holdsPods } from '../../kube/podTemplates';
import type { Attempt, NodeVerdict } from '../../scheduler/result';
import type { Snapshot } from '../../workspace/workspace';
import { podsOf } from '../placement/environmentFacts';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { Placements } from '../placement/placements';
import type { CodeLens } from './annotations';
import { firstLineOf } from './firstLine';

/** A lens over each Pod and each workload with a Pod template: where it is placed. */
export function codeLensesOf(snapshot: Snapshot, placements: Placements, uri: string): readonly CodeLens[] {
  const objects = snapshot.objectsIn(uri);
  return objects.flatMap(object => {
    const placement = placements.forObject(object);
    if (!placement) return [];
    const pods = podsOf(placement, object);
    const first = pods[0];
    if (first === undefined) return [];
    const title = placementInWords(placement, pods);
    return [{ span: firstLineOf(object), title, pod: first }];
  });
}

/** Lenses before placement. Workloads without Pods have one, too, because that is not known yet. */
export function pendingLensesOf(snapshot: Snapshot, uri: string): readonly CodeLens[] {
  return snapshot
    .objectsIn(uri)
    .filter(it => holdsPods(it.group, it.kind))
    .map(it => ({ span: firstLineOf(it), title: PENDING, isPending: true }));
}

/** The title of a pending lens; after a title: the answer is outdated. */
export const PENDING = '…';

/** "lands on node-a · 2 of 4 nodes fit"; for several Pods the number of placed ones and their nodes. */
export function placementInWords(placement: EnvironmentPlacement, pods: readonly string[]): string {
  const [first] = pods;
  if (first === undefined) return 'makes no Pods';
  if (pods.length === 1) return podInWords(placement, first);
  const nodes = new Map<string, number>();
  for (const pod of pods) {
    const node = placement.nodeOf(pod);
    if (node !== undefined) nodes.set(node, (nodes.get(node) ?? 0) + 1);
  }
  const landed = [...nodes.values()].reduce((sum, it) => sum + it, 0);
  const refused = placement.rejected.filter(it => pods.includes(it.id));
  const wanted = refused.reduce((sum, it) => sum + (it.more ?? 0), pods.length);
  const isSpread = nodes.size > 1;
  const where = [...nodes].map(([node, count]) => (isSpread && count > 1 ? `${node} ×${count}` : node)).join(', ');
  if (landed === pods.length) return `${pods.length} Pods land on ${where}`;
  const stuck = pods.find(it => placement.nodeOf(it) === undefined);
  const why = stuck === undefined ? '' : ` · ${podInWords(placement, stuck)}`;
  return `${landed} of ${wanted} Pods land${where && ` on ${where}`}${why}`;
}

function podInWords(placement: EnvironmentPlacement, pod: string): string {
  const attempt = placement.attempts.get(pod);
  const evictedBy = placement.evictedBy(pod);
  if (evictedBy !== undefined) return `would be evicted to make room for ${evictedBy}`;
  if (!attempt) {
    const node = placement.nodeOf(pod);
    return node === undefined ? 'was not tried' : `runs on ${node}`;
  }
  const victims = placement.victimsOf(pod);
  return `${attemptInWords(attempt)}${victims.length > 0 ? ` · evicts ${victims.join(', ')}` : ''}`;
}

function attemptInWords(attempt: Attempt): string {
  switch (attempt.status) {
    case 'scheduled': {
      const ties = (attempt.tiedNodes ?? []).length;
      const luck = ties > 1 ? ` (or ${ties - 1} equal)` : '';
      return `lands on ${attempt.node}${luck}${fitsInWords(attempt)}`;
    }
    case 'gated':
      return `is held back: ${(attempt.preFilterRejection?.reasons ?? []).join(', ')}`;
    case 'rejected':
      return `is refused: ${attempt.message ?? 'no reason was given'}`;
    case 'ignored':
      return `is left alone: ${attempt.message ?? 'no reason was given'}`;
    default:
      return `does not fit: ${attempt.message ?? 'no reason was given'}`;
  }
}

/** Counts node verdicts only where the attempt has no counts. */
function fitsInWords(attempt: Attempt): string {
  const { feasible, of } = attempt.fits ?? countOf(attempt.nodes ?? []);
  return of > 0 ? ` · ${feasible} of ${of} nodes fit` : '';
}

function countOf(nodes: readonly NodeVerdict[]): NonNullable<Attempt['fits']> {
  return { feasible: nodes.filter(it => it.verdict === 'feasible').length, of: nodes.length };
}
