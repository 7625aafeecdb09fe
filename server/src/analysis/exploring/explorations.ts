import { isSameValue } from '../../base/sameValue';
import type { Problem } from '../../rules/framework/problem';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { ClusterExploration, ExplorationFinding } from './exploration';

/** Where findings are shown. */
export interface ShownIn {
  readonly snapshot: Snapshot;
  readonly counts: EnvironmentPlacement['counts'];
}

/** A finding with a place where it is shown. */
export interface PlacedFinding {
  readonly finding: ExplorationFinding;
  readonly problem: Problem;
}

/** Explorations of the latest environments, as long as everything that they depend on is the same. */
export interface Explorations {
  readonly known: (placement: () => EnvironmentPlacement) => ClusterExploration | undefined;
  readonly keep: (placement: EnvironmentPlacement, exploration: ClusterExploration) => void;
  /** The findings at the fields that they come from. */
  readonly placed: (exploration: ClusterExploration, shown: ShownIn) => readonly PlacedFinding[];
}

/** More are not kept. */
const MOST_KEPT = 8;

interface Kept {
  readonly inputs: EnvironmentPlacement['inputs'];
  /** Where each Pod was placed. */
  readonly placed: string;
  readonly exploration: ClusterExploration;
}

export function createExplorations(placed: Explorations['placed']): Explorations {
  let kept: readonly Kept[] = [];
  return {
    placed,
    known(placement) {
      if (kept.length === 0) return undefined;
      const now = placement();
      const placed = placedIn(now);
      return kept.find(it => it.placed === placed && isSameInput(it.inputs, now.inputs))?.exploration;
    },
    keep(placement, exploration) {
      const { inputs } = placement;
      const others = kept.filter(it => !isSameInput(it.inputs, inputs));
      kept = [...others, { inputs, placed: placedIn(placement), exploration }].slice(-MOST_KEPT);
    },
  };
}

const placedIn = ({ pods, nodeOf }: EnvironmentPlacement): string => pods.map(it => `${it.id}@${nodeOf(it.id)}`).join();

type Inputs = EnvironmentPlacement['inputs'];

function isSameInput({ objects, run }: Inputs, { objects: others, run: other }: Inputs): boolean {
  if (objects.length !== others.length || run.kubernetesVersion !== other.kubernetesVersion) return false;
  return (
    objects.every((it, i) => it === others[i] || isSameValue(it, others[i])) &&
    isSameValue(run.featureGates, other.featureGates) &&
    isSameValue(run.schedulerConfiguration, other.schedulerConfiguration)
  );
}
