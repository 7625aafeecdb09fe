import { push } from '../../base/multiMap';
import { eachInSteps, type Steps } from '../../base/steps';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../cluster/pods/requiredAffinity';
import { ownConstraints, type SpreadConstraint } from '../../scheduler/plugins/podTopologySpread/constraints';
import { chosenBy, type DeschedulingEnvironment, isHard, toleratesTaints } from '../cluster';
import type { Evictor } from '../evictor';
import { fitsAnyOther } from '../nodeFit';
import type { PodChoice } from '../policy';
import { type EvictionCandidate, evictEach, type Plugin, passingEach } from './plugin';

type Action = 'DoNotSchedule' | 'ScheduleAnyway';

interface Args extends PodChoice {
  readonly constraints?: readonly Action[];
  readonly topologyBalanceNodeFit?: boolean;
}

/** A constraint with the first Pod that has it, whose affinity and tolerations select the nodes. */
interface Constraint extends SpreadConstraint {
  readonly of: PodModel;
}

/** The Pods of one value of the topology key. */
interface Domain {
  readonly value: string;
  readonly pods: PodModel[];
}

/** Moves Pods from large domains to small ones. Upstream: removepodsviolatingtopologyspreadconstraint. */
export const topologySpread: Plugin<Args> = {
  name: 'RemovePodsViolatingTopologySpreadConstraint',
  point: 'balance',
  *run(args, environment, evictor) {
    const isChosen = chosenBy(args);
    const all = environment.nodes.flatMap(it => evictor.podsOn(it.name));
    const pods = yield* passingEach(all, it => evictor.isEvictable(it) && isChosen(it));
    const candidates = new Map<PodModel, EvictionCandidate>();
    for (const namespace of new Set(pods.map(it => it.namespace))) {
      const own = pods.filter(it => it.namespace === namespace);
      for (const constraint of yield* constraintsIn(own, args)) {
        for (const it of yield* balanced(constraint, own, args, environment, evictor)) candidates.set(it.pod, it);
      }
    }
    yield* evictEach(this.name, passing(candidates.values(), evictor), evictor);
  },
};

/** Checks each candidate just before its eviction, since earlier evictions make room. */
function* passing(candidates: Iterable<EvictionCandidate>, evictor: Evictor): Generator<EvictionCandidate> {
  for (const it of candidates) if (evictor.passes(it.pod)) yield it;
}

function* constraintsIn(pods: readonly PodModel[], { constraints }: Args): Steps<readonly Constraint[]> {
  const found = new Map<string, Constraint>();
  const actions: readonly Action[] = constraints && constraints.length > 0 ? constraints : ['DoNotSchedule'];
  yield* eachInSteps(pods, pod => {
    for (const it of actions.flatMap(action => ownConstraints(pod, action))) {
      const { nodeSelector, affinity, tolerations } = pod.spec;
      const { maxSkew, topologyKey, selector, honorsAffinity, honorsTaints } = it;
      const nodes = [honorsAffinity && [nodeSelector, affinity?.nodeAffinity], honorsTaints && tolerations];
      const key = JSON.stringify([maxSkew, topologyKey, selector.kind, selector.requirements, nodes]);
      if (!found.has(key)) found.set(key, { ...it, of: pod });
    }
  });
  return [...found.values()];
}

/** The Pods to evict. Upstream: Balance, balanceDomains. */
function* balanced(
  constraint: Constraint,
  pods: readonly PodModel[],
  { topologyBalanceNodeFit = true }: Args,
  environment: DeschedulingEnvironment,
  evictor: Evictor,
): Steps<readonly EvictionCandidate[]> {
  const { topologyKey, maxSkew } = constraint;
  const eligible = environment.nodes.filter(it => isEligible(it, constraint));
  const domains = domainsOf(constraint, eligible, pods, environment.nodes);
  if (domains.length === 0) return [];
  const first = domains[0]!.pods.length;
  if (domains.at(-1)!.pods.length - first <= maxSkew) return [];
  const ideal = domains.reduce((sum, it) => sum + it.pods.length, 0) / domains.length;
  const low = new Set(domains.filter(it => it.pods.length < ideal).map(it => it.value));
  const below = eligible.filter(it => low.has(it.labels[topologyKey] ?? ''));
  const checked = new Map<PodModel, boolean>();
  const fits = (pod: PodModel): boolean => {
    const found = checked.get(pod) ?? fitsAnyOther(pod, below, evictor.podsOn, environment);
    checked.set(pod, found);
    return found;
  };
  const candidates: EvictionCandidate[] = [];
  for (let i = 0, j = domains.length - 1; i < j; ) {
    const [small, big] = [domains[i]!, domains[j]!];
    const skew = big.pods.length - small.pods.length;
    const above = big.pods.length - ideal;
    if (above <= 0) j -= 1;
    const half = Math.ceil((skew - maxSkew) / 2);
    const count = Math.min(Math.ceil(above), Math.ceil(ideal - small.pods.length), half);
    if (skew <= maxSkew || count <= 0) {
      i += 1;
      continue;
    }
    yield* passingEach(big.pods, fits);
    big.pods.sort((a, b) => Number(fits(a)) - Number(fits(b)));
    const moved = big.pods.splice(big.pods.length - count);
    const reason = `${topologyKey}=${big.value} holds ${skew} more of its kind than ${small.value}, and maxSkew is ${maxSkew}`;
    for (const pod of moved) if (!topologyBalanceNodeFit || fits(pod)) candidates.push({ pod, reason });
    for (const each of moved) small.pods.push(each);
  }
  return candidates;
}

/** Upstream: matchNodeInclusionPolicies. */
function isEligible(node: NodeModel, { of, honorsAffinity, honorsTaints, topologyKey }: Constraint): boolean {
  return (
    node.labels[topologyKey] !== undefined &&
    (!honorsAffinity || requiredNodeAffinity(of.spec).matches(node)) &&
    (!honorsTaints || toleratesTaints(of, node, isHard))
  );
}

/** The smallest domain first; in each, the first Pod to evict comes last. Upstream: sortDomains. */
function domainsOf(
  { topologyKey, selector }: Constraint,
  eligible: readonly NodeModel[],
  pods: readonly PodModel[],
  nodes: readonly NodeModel[],
): readonly Domain[] {
  const found = new Map<string, PodModel[]>(eligible.map(it => [it.labels[topologyKey]!, []]));
  const domainOf = new Map(nodes.map(it => [it.name, it.labels[topologyKey]]));
  for (const pod of pods.filter(it => !it.terminating && selector.matches(it.labels))) {
    const value = domainOf.get(pod.nodeName ?? '');
    if (value !== undefined) push(found, value, pod);
  }
  const isBound = ({ spec }: PodModel): boolean => Boolean(spec.nodeSelector ?? spec.affinity?.nodeAffinity);
  const sorted = (them: readonly PodModel[]): PodModel[] =>
    them.toSorted((a, b) => Number(isBound(b)) - Number(isBound(a)) || b.priority - a.priority);
  return [...found]
    .map(([value, them]) => ({ value, pods: sorted(them) }))
    .sort((a, b) => a.pods.length - b.pods.length);
}
