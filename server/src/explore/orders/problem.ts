import { jsonText } from '../../base/printed';
import { isSameValue } from '../../base/sameValue';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import type { Profiles } from '../../scheduler/configuration/profiles';
import type { Gangs } from '../../scheduler/gangs/queue';
import { hasSameCycles } from '../../scheduler/incremental/runCache';
import { type EqualNodes, equalNodes } from './equalNodes';

/** Whether Pods that are equal in all but their names are told apart. */
export type Identity = 'names' | 'kinds';

/** One Pod to place. */
export interface ArrivingPod {
  readonly model: PodModel;
  /** Index into `OrdersProblem.kinds`. */
  readonly kind: number;
  /** Never attempted: PreEnqueue holds it, no profile serves it, or it is being deleted. */
  readonly isHeld: boolean;
  /** Whether another Pod to place could evict it. */
  readonly mayBeEvicted: boolean;
}

/** A cluster, and Pods that arrive in it in any order. Immutable. */
export interface OrdersProblem {
  readonly scenario: Scenario;
  readonly profiles: Profiles;
  /** Groups that are scheduled as a whole. */
  readonly gangs: Gangs;
  /** Whether Pods may wait at Permit for others. */
  readonly hasPermit: boolean;
  /** In the order of the file; the numbers of Pods are indexes into this list. */
  readonly pods: readonly ArrivingPod[];
  /** Pods that differ in their names alone, in the order of the file. */
  readonly kinds: readonly (readonly number[])[];
  readonly equalNodes: EqualNodes;
}

/** `held`: the ids of Pods that are never attempted. */
export function ordersProblem(
  { scenario, profiles, gangs }: Pick<OrdersProblem, 'scenario' | 'profiles' | 'gangs'>,
  held: ReadonlySet<string>,
): OrdersProblem {
  const { pending, cluster } = scenario;
  const preempting = pending.filter(it => !held.has(it.id) && it.spec.preemptionPolicy !== 'Never');
  // A group may have a priority above that of its Pods.
  const least = gangs.native?.size ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const highest = preempting.reduce((most, it) => Math.max(most, it.priority), least);
  const kindOf = new Map<string, number>();
  const kinds: number[][] = [];
  const pods = pending.map((model, i): ArrivingPod => {
    const sign = signOf(model, cluster);
    const kind = kindOf.get(sign) ?? kinds.length;
    kindOf.set(sign, kind);
    if (kind === kinds.length) kinds.push([]);
    kinds[kind]!.push(i);
    return { model, kind, isHeld: held.has(model.id), mayBeEvicted: model.priority < highest };
  });
  const hasPermit = [...profiles.values()].some(it => it.permit.length > 0);
  return {
    scenario,
    profiles,
    gangs,
    hasPermit,
    pods,
    kinds,
    equalNodes: equalNodes(scenario, highest),
  };
}

/** Whether the exploration of one tells the same as that of the other. Both have to be read with the same memory. */
export const isSameProblem = (a: OrdersProblem, b: OrdersProblem): boolean =>
  isSameValue(a.kinds, b.kinds) && hasSameCycles(a, b);

/** Equal for Pods that differ in their names alone. A Pod whose name something refers to is equal to no other. */
export function signOf({ id, name, spec, priority, source, namespace }: PodModel, { budgets }: ClusterModel): string {
  const { metadata, status } = source;
  const {
    name: _,
    generateName: __,
    uid: ___,
    creationTimestamp: ____,
    resourceVersion: _____,
    ...rest
  } = metadata ?? {};
  const ownsClaims = spec.volumes?.some(it => it.ephemeral !== undefined) || spec.resourceClaims !== undefined;
  const isNamed = ownsClaims === true || budgets.some(it => it.disruptedPods.has(name));
  return jsonText([isNamed ? id : '', namespace, priority, spec, rest, status]);
}
