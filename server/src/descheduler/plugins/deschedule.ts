import { largest } from '../../base/manyItems';
import type { Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../cluster/pods/requiredAffinity';
import { preferredTerms } from '../../kube/labelSelector';
import type { Taint } from '../../kube/types';
import { chosenBy, type DeschedulingEnvironment, toleratesTaints } from '../cluster';
import type { Evictor } from '../evictor';
import { fitsAny } from '../nodeFit';
import type { PodChoice } from '../policy';
import { type EvictionCandidate, evictEach, lowestFirst, type Plugin, passingEach } from './plugin';

/** The Pods of a node that pass the filters of the profile and of the plugin. */
function evictableOn(node: NodeModel, args: PodChoice, evictor: Evictor): Steps<readonly PodModel[]> {
  const isChosen = chosenBy(args);
  const passes = (it: PodModel): boolean => isChosen(it) && evictor.isEvictable(it) && evictor.passes(it);
  return passingEach(evictor.podsOn(node.name), passes);
}

/** Upstream: removepodsviolatinginterpodantiaffinity. */
export const interPodAntiAffinity: Plugin<PodChoice> = {
  name: 'RemovePodsViolatingInterPodAntiAffinity',
  point: 'deschedule',
  *run(args, environment, evictor) {
    const isChosen = chosenBy(args);
    const onNode = (name: string): readonly PodModel[] => evictor.podsOn(name).filter(isChosen);
    for (const node of environment.nodes) {
      for (const pod of lowestFirst(onNode(node.name))) {
        yield;
        const other = avoidedNear(pod, node, environment, onNode);
        if (other === undefined || !evictor.isEvictable(pod) || !evictor.passes(pod)) continue;
        const answer = evictor.evict(pod, this.name, `its anti-affinity forbids ${other.id} near it`);
        if (answer === 'totalLimit') return;
        if (answer === 'nodeLimit') break;
      }
    }
  },
};

/** Upstream: utils.CheckPodsWithAntiAffinityExist. */
function avoidedNear(
  pod: PodModel,
  node: NodeModel,
  { nodes, cluster }: DeschedulingEnvironment,
  onNode: (name: string) => readonly PodModel[],
): PodModel | undefined {
  for (const term of pod.terms.requiredAnti) {
    const value = node.labels[term.topologyKey];
    const candidates = nodes.filter(
      it => it.name === node.name || (value !== undefined && it.labels[term.topologyKey] === value),
    );
    const found = candidates
      .flatMap(it => onNode(it.name))
      .find(it => it.name !== pod.name && termMatches(term, it, cluster.namespaces));
    if (found) return found;
  }
  return undefined;
}

interface AffinityArgs extends PodChoice {
  readonly nodeAffinityType?: readonly string[];
}

/** Checks one affinity type for a Pod on its node, and whether another node is better; returns the reason to evict. */
type ViolationCheck = (pod: PodModel, node: NodeModel, nodes: readonly NodeModel[]) => string | undefined;

const VIOLATION_CHECKS: Readonly<Record<string, ViolationCheck>> = {
  requiredDuringSchedulingIgnoredDuringExecution: ({ spec }, node) =>
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution &&
    !requiredNodeAffinity(spec).matches(node)
      ? `its required node affinity does not match ${node.name} any more`
      : undefined,
  preferredDuringSchedulingIgnoredDuringExecution: ({ spec }, node, nodes) => {
    const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const { score } = preferredTerms(terms);
    const best = Math.max(0, largest(nodes.map(score)));
    const here = score(node);
    return best > here ? `its preferred node affinity gives ${node.name} ${here}, and another node ${best}` : undefined;
  },
};

/** Upstream: removepodsviolatingnodeaffinity. */
export const nodeAffinity: Plugin<AffinityArgs> = {
  name: 'RemovePodsViolatingNodeAffinity',
  point: 'deschedule',
  *run(args, environment, evictor) {
    for (const type of args.nodeAffinityType ?? []) {
      for (const node of environment.nodes) {
        const candidates: EvictionCandidate[] = [];
        for (const pod of yield* evictableOn(node, args, evictor)) {
          const reason = VIOLATION_CHECKS[type]?.(pod, node, environment.nodes);
          if (reason !== undefined && fitsAny(pod, environment.nodes, evictor.podsOn, environment))
            candidates.push({ pod, reason });
          yield;
        }
        // A reached total limit ends this type only: upstream continues with the next one, whose evictions are refused
        // as well.
        if ((yield* evictEach(this.name, candidates, evictor)) === 'end') break;
      }
    }
  },
};

interface TaintArgs extends PodChoice {
  readonly excludedTaints?: readonly string[];
  readonly includedTaints?: readonly string[];
  readonly includePreferNoSchedule?: boolean;
}

/** Upstream: removepodsviolatingnodetaints. */
export const nodeTaints: Plugin<TaintArgs> = {
  name: 'RemovePodsViolatingNodeTaints',
  point: 'deschedule',
  *run(args, environment, evictor) {
    const effects = args.includePreferNoSchedule ? ['NoSchedule', 'PreferNoSchedule'] : ['NoSchedule'];
    const names = (list: readonly string[], { key = '', value }: Taint): boolean =>
      list.includes(key) || (Boolean(value) && list.includes(`${key}=${value}`));
    const isMeant = (it: Taint): boolean =>
      effects.includes(it.effect ?? '') &&
      !names(args.excludedTaints ?? [], it) &&
      (args.includedTaints === undefined || names(args.includedTaints, it));
    for (const node of environment.nodes) {
      const reason = `it does not tolerate the taints of ${node.name}`;
      const candidates = (yield* evictableOn(node, args, evictor))
        .filter(it => !toleratesTaints(it, node, isMeant))
        .map(pod => ({ pod, reason }));
      if ((yield* evictEach(this.name, candidates, evictor)) === 'end') return;
    }
  },
};
