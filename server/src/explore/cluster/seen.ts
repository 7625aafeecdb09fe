import { compareText } from '../../base/compareText';
import { grouped } from '../../base/multiMap';
import type { PodModel } from '../../cluster/pods/podModel';
import { nominatedPods } from '../../scheduler/cycle/schedulingCycle';
import { makeCycle, type NominatedPods } from '../../scheduler/framework/cycle';
import { memoizer } from '../../scheduler/framework/equivalenceClasses';
import type { Cycle } from '../../scheduler/framework/interface';
import { nodeInfo } from '../../scheduler/framework/nodeInfo';
import { sharedWork } from '../../scheduler/framework/sharedWork';
import { clusterOf, type ExploredPod, type ExploredState, modelOf, placeOf } from './state';
import type { ExploredWorld } from './world';

/** A state as the scheduler sees it. */
export interface SeenState {
  readonly state: ExploredState;
  /** In the order of the Pods of the state. */
  readonly models: readonly PodModel[];
  readonly cycle: Cycle & { readonly nominated: NominatedPods };
  readonly world: ExploredWorld;
}

/**
 * Shows states to the scheduler. Pods and nodes that are the same in two states are the same objects, so that what the scheduler
 * knows of them is not worked out again.
 */
export function createSight(world: ExploredWorld): (state: ExploredState) => SeenState {
  const [models, infos, works] = [memoizer(), memoizer(), memoizer()];
  const see = (pods: readonly ExploredPod[]): readonly SeenPod[] => {
    const ofKind = grouped(pods, it => it.kind);
    const counts = new Map<string, number>();
    return pods.map(pod => {
      const { name } = world.kinds[pod.kind]!.model;
      const place = placeOf(pod);
      const count = counts.get(place) ?? 0;
      counts.set(place, count + 1);
      const sign = `${place}~${count}`;
      const isAlone = ofKind.get(pod.kind)!.length === 1;
      const model = isAlone
        ? models(place, () => modelOf(pod, name, world))
        : models(sign, () => modelOf(pod, `${name}~${sign}`, world));
      return { pod, model };
    });
  };
  return state => {
    const seen = see(state.pods);
    const models = seen.map(it => it.model);
    const cluster = clusterOf(state, world, models);
    const onNodes = grouped(seen, it => it.pod.node);
    const nodes = cluster.nodes.map((node, i) => {
      const own = (onNodes.get(i) ?? []).map(it => it.model).sort((a, b) => compareText(a.id, b.id));
      return infos(`${i} ${state.nodes[i]} ${own.map(it => it.id).join()}`, () => nodeInfo(node, own, i));
    });
    const waiting = models.filter(it => it.nominatedNodeName !== undefined);
    const nominated = nominatedPods(new Map(waiting.map(it => [it.id, it])));
    // Some of what is worked out holds as long as the nodes themselves are the same.
    const work = works(state.nodes.join(), () => sharedWork(nodes.length));
    return { state, models, cycle: { ...makeCycle(cluster, nodes, work), nominated }, world };
  };
}

interface SeenPod {
  readonly pod: ExploredPod;
  readonly model: PodModel;
}
