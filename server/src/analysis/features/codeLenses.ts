import { t } from '../../base/l10n';
import type { RefusedWorkload } from '../../cluster/scenario';
import { holdsPods } from '../../kube/podTemplates';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import { type PlacedInEnvironment, placedIn } from '../placement/placedIn';
import type { Placements } from '../placement/placements';
import type { CodeLens } from './annotations';
import { firstLineOf } from './firstLine';
import { lensTitle, overlayPrefix, refusedTitle } from './lensTitles';

interface LensContext {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
}

interface PlacedLens {
  readonly lens: CodeLens;
  /** Whether nobody says which nodes there are. */
  readonly isExample: boolean;
  /** Whether all its Pods have nodes. */
  readonly isPlaced: boolean;
}

/** Lenses of overlays in one line; more of them are counted. */
const MOST_OVERLAYS = 3;

/**
 * A lens over each Pod and each workload with a Pod template: where it is placed. Over what several overlays render there is one
 * for each of them.
 */
export function codeLensesOf(environments: readonly LensContext[], uri: string): readonly CodeLens[] {
  const [environment] = environments;
  if (environment === undefined) return [];
  const { snapshot } = environment;
  const lenses = snapshot.objectsIn(uri).flatMap(it => ofFewOverlays(placedLensesOf(environments, it)));
  const isExample = lenses.some(it => it.isExample);
  const [first] = lenses;
  // Told once, as all of a file are placed on one cluster.
  const title =
    snapshot.objectsOf('', 'Node').length > 0
      ? t('Nodes of other folders are not used here: choose')
      : t('choose a cluster');
  const choice = isExample && first ? [{ span: first.lens.span, title, chooses: 'cluster' as const }] : [];
  return lenses.flatMap(({ lens }, i) => (i === 0 ? [lens, ...choice] : [lens]));
}

function placedLensesOf(environments: readonly LensContext[], object: WorkspaceObject): readonly PlacedLens[] {
  return placedIn(environments, object).flatMap(it => placedLens(it, firstLineOf(object)) ?? []);
}

function placedLens(
  { placed: { object, placement, from, overlay } }: PlacedInEnvironment<LensContext>,
  span: Span,
): PlacedLens | undefined {
  const isExample = placement.source.kind === 'default';
  const lensOf = (title: string, pod: string): CodeLens => ({ span, title, pod, ...(from && { source: from.source }) });
  const refusal = placement.refusalOf(object);
  if (refusal) {
    const { first, count } = refusal.pods();
    return { lens: lensOf(refusedTitle(refusal, count, overlay), first), isExample, isPlaced: false };
  }
  const pods = placement.podsOf(object);
  const [first] = pods;
  if (first === undefined) {
    const refused = refusedWorkloadOf(object, placement);
    if (refused === undefined) return undefined;
    const title = `${overlayPrefix(overlay)}${t`0 of ${refused.pods} Pods land · refused by a policy`}`;
    // The preview knows a refused workload by its name.
    return { lens: lensOf(title, `${refused.namespace}/${refused.name}`), isExample, isPlaced: false };
  }
  return {
    lens: lensOf(lensTitle(placement, pods, overlay), first),
    isExample,
    isPlaced: pods.every(it => placement.nodeOf(it) !== undefined),
  };
}

function refusedWorkloadOf(
  { kind, name, namespace = 'default' }: WorkspaceObject,
  { refusedWorkloads }: EnvironmentPlacement,
): RefusedWorkload | undefined {
  return refusedWorkloads.find(it => it.kind === kind && it.name === name && it.namespace === namespace);
}

/** The first ones, those with trouble before the others, and how many there are beside them. */
function ofFewOverlays(lenses: readonly PlacedLens[]): readonly PlacedLens[] {
  if (lenses.length <= MOST_OVERLAYS) return lenses;
  const ranked = [...lenses.filter(it => !it.isPlaced), ...lenses.filter(it => it.isPlaced)];
  const [next, ...others] = ranked.slice(MOST_OVERLAYS - 1);
  if (next === undefined) return ranked;
  const title = t`${others.length + 1} more overlays`;
  return [...ranked.slice(0, MOST_OVERLAYS - 1), { ...next, lens: { ...next.lens, title } }];
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
