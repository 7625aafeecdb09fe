import { t } from '@vscode/l10n';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import type { Snapshot } from '../../workspace/workspace';
import { podsOf } from '../placement/environmentFacts';
import { memoryOf } from '../placement/environmentPlacement';
import type { Placements } from '../placement/placements';
import { refusalOf } from '../preview/refusedObjects';
import type { Environment } from '../state/environments';
import type { CodeLens } from './annotations';
import { firstLineOf } from './firstLine';
import { lensTitle } from './lensTitles';

interface LensContext {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
  readonly kube: Kube;
  readonly environment: Environment;
}

interface PlacedLens {
  readonly lens: CodeLens;
  /** Whether nobody says which nodes there are. */
  readonly isExample: boolean;
}

/** A lens over each Pod and each workload with a Pod template: where it is placed. */
export function codeLensesOf(environment: LensContext, uri: string): readonly CodeLens[] {
  const { snapshot } = environment;
  const lenses = placedLensesOf(environment, uri);
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

function placedLensesOf({ snapshot, placements, kube, environment }: LensContext, uri: string): readonly PlacedLens[] {
  const { podSecurity } = environment.settings;
  return snapshot.objectsIn(uri).flatMap((object): readonly PlacedLens[] => {
    const placement = placements.forObject(object);
    if (!placement) return [];
    const pods = podsOf(placement, object);
    const first = pods[0];
    if (first === undefined) return [];
    const refusal = refusalOf(object, { snapshot, kube, podSecurity, memory: memoryOf(placement) });
    const title = lensTitle(placement, pods, refusal);
    const isExample = placement.source.kind === 'default';
    return [{ lens: { span: firstLineOf(object), title, pod: first }, isExample }];
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
