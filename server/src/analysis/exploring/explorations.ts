import type { UnknownObject } from '../../base/json';
import { isSameValue } from '../../base/sameValue';
import type { OrdersExploration } from '../../explore/orders/explore';
import type { OrdersProblem } from '../../explore/orders/problem';
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
  /** Orders of arrival, by the Pods that the lenses of a file ask about. */
  readonly orders: KeptByInputs<{ readonly problem: OrdersProblem; readonly found: OrdersExploration }>;
}

type Inputs = EnvironmentPlacement['inputs'];

/** Results by a name and by what the run of a placement starts from. */
export interface KeptByInputs<T> {
  readonly isEmpty: () => boolean;
  readonly known: (name: string, inputs: Inputs) => T | undefined;
  /** One of the results for other inputs. */
  readonly alike: (name: string, isAlike: (result: T) => boolean) => T | undefined;
  /** @param replaced a result that is not kept any more */
  readonly keep: (name: string, inputs: Inputs, result: T, replaced?: T) => void;
}

export function createExplorations(placed: Explorations['placed']): Explorations {
  const clusters = keptByInputs<ClusterExploration>(() => true);
  return {
    placed,
    known(placement) {
      if (clusters.isEmpty()) return undefined;
      const now = placement();
      return clusters.known(placedIn(now), now.inputs);
    },
    keep: (placement, exploration) => clusters.keep(placedIn(placement), placement.inputs, exploration),
    orders: keptByInputs(mayBePlaced),
  };
}

/** Where each Pod was placed. */
const placedIn = ({ pods, nodeOf }: EnvironmentPlacement): string => pods.map(it => `${it.id}@${nodeOf(it.id)}`).join();

/** More are not kept. */
const MOST_KEPT = 8;

/** Of the inputs what the result depends on: the rest may hold a whole state of the workspace. */
interface Compared extends Pick<Inputs, 'objects'> {
  readonly run: Pick<Inputs['run'], 'kubernetesVersion' | 'featureGates' | 'schedulerConfiguration'>;
}

/** @param isRead whether the results depend on an object */
function keptByInputs<T>(isRead: (it: UnknownObject) => boolean): KeptByInputs<T> {
  let kept: readonly { readonly name: string; readonly inputs: Compared; readonly result: T }[] = [];
  const entryOf = (name: string, inputs: Compared) =>
    kept.find(it => it.name === name && isSameInput(it.inputs, inputs));
  return {
    isEmpty: () => kept.length === 0,
    known: (name, inputs) => entryOf(name, comparedOf(inputs, isRead))?.result,
    alike: (name, isAlike) => kept.findLast(it => it.name === name && isAlike(it.result))?.result,
    keep(name, given, result, replaced) {
      const inputs = comparedOf(given, isRead);
      const before = entryOf(name, inputs);
      const others = kept.filter(it => it !== before && it.result !== replaced);
      kept = [...others, { name, inputs, result }].slice(-MOST_KEPT);
    },
  };
}

/** Kinds that do not bear on where Pods are placed. */
const NOT_PLACED: ReadonlySet<unknown> = new Set([
  ...['ConfigMap', 'Secret', 'ServiceAccount', 'Ingress', 'NetworkPolicy'],
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
]);

const mayBePlaced = ({ kind }: UnknownObject): boolean => !NOT_PLACED.has(kind);

function comparedOf({ objects, run }: Inputs, isRead: (it: UnknownObject) => boolean): Compared {
  const { kubernetesVersion, featureGates, schedulerConfiguration } = run;
  return {
    objects: objects.filter(isRead),
    run: {
      kubernetesVersion,
      ...(featureGates && { featureGates }),
      ...(schedulerConfiguration && { schedulerConfiguration }),
    },
  };
}

function isSameInput({ objects, run }: Compared, { objects: others, run: other }: Compared): boolean {
  if (objects.length !== others.length || run.kubernetesVersion !== other.kubernetesVersion) return false;
  return (
    objects.every((it, i) => it === others[i] || isSameValue(it, others[i])) &&
    isSameValue(run.featureGates, other.featureGates) &&
    isSameValue(run.schedulerConfiguration, other.schedulerConfiguration)
  );
}
