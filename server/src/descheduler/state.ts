import type { UnknownObject } from '../base/json';
import { jsonText, printed } from '../base/printed';
import { mapInSteps, type Steps } from '../base/steps';
import type { PodModel } from '../cluster/pods/podModel';
import { compareText } from '../cluster/scenario';
import type { Pod } from '../kube/types';
import { settledAfter } from '../scheduler/queries';
import { type RunOptions, type Simulation, simulateSteps } from '../scheduler/scenario';
import { byNode } from './cluster';

/** The Pod that replaces an evicted one, under its new name, and its node. */
export interface Replacement {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** Absent: it is pending. */
  readonly node?: string;
  /** The FailedScheduling text of a pending Pod. */
  readonly message?: string;
}

/** A cluster after the scheduler has placed all Pods that fit. */
export interface ClusterState extends Pick<Simulation, 'scenario'> {
  readonly objects: readonly UnknownObject[];
  /** Equal for states that differ only in the names of Pods made by controllers. */
  readonly key: string;
}

/** Runs the scheduler over some objects, in steps. */
export function* placePending(
  objects: readonly UnknownObject[],
  run: RunOptions,
): Steps<{ readonly state: ClusterState; readonly landings: readonly Replacement[] }> {
  const simulation = yield* simulateSteps(objects, run);
  return { state: yield* stateAfter(objects, simulation), landings: landingsOf(simulation) };
}

/** The objects after scheduling: placed Pods have their node, pending ones have none. */
function* stateAfter(objects: readonly UnknownObject[], { scenario, result }: Simulation): Steps<ClusterState> {
  const evicted = new Set(result.evicted);
  yield;
  const settled = settledAfter(scenario, result);
  yield;
  const waiting = scenario.pending.filter(it => result.placements[it.id] === undefined && !evicted.has(it.id));
  const running = settled.cluster.running;
  const existing = new Set(objects.map(keyOf));
  const made = ['ReplicaSet', 'Job']
    .flatMap(it => scenario.cluster.objects.get(it) ?? [])
    .filter(it => !existing.has(keyOf(it)));
  yield;
  const pods = [...byNode([...running, ...waiting])].sort(([a], [b]) => compareText(a, b));
  const keys = yield* mapInSteps(pods, ([, them]) => them.map(stateKeyOf).sort(compareText).join('\n'));
  const kept = objects.filter(it => it.kind !== 'Pod' || isFinished(it as Pod));
  const written = yield* mapInSteps(running, writtenOf);
  return {
    scenario: settled,
    objects: [...kept, ...made, ...written, ...waiting.map(it => it.source as UnknownObject)],
    key: keys.join('\n'),
  };
}

function writtenOf({ source, spec, nodeName }: PodModel): UnknownObject {
  return { ...source, spec: { ...spec, nodeName } } as UnknownObject;
}

/** What scheduler and descheduler read of a Pod, without what only admission adds to a Pod that is made again. */
function stateKeyOf({ source, namespace, name, labels, priority, requests, spec, nodeName = '' }: PodModel): string {
  const owner = source.metadata?.ownerReferences?.find(it => it.controller === true);
  const { nodeSelector, affinity, topologySpreadConstraints, tolerations = [] } = spec;
  const wanted = tolerations.filter(it => it.effect !== 'NoExecute');
  const { scalar, ...basic } = requests;
  const identity = owner ? [owner.kind, owner.name] : name;
  const scheduling = [priority, basic, [...scalar], nodeSelector, affinity, topologySpreadConstraints, wanted];
  return jsonText([nodeName, namespace, identity, labels, scheduling]);
}

/** The nodes of the Pods that were pending before a run. */
function landingsOf({ scenario, result }: Simulation): readonly Replacement[] {
  const messages = new Map(result.attempts.map(it => [it.pod, it.message]));
  return scenario.pending.map(({ id }) => {
    const node = result.placements[id];
    const message = messages.get(id);
    return { pod: id, ...(node !== undefined ? { node } : message !== undefined && { message }) };
  });
}

const isFinished = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

function keyOf(object: UnknownObject): string {
  const { metadata } = object as Pod;
  return `${printed(object.kind)}/${printed(metadata?.namespace ?? 'default')}/${printed(metadata?.name ?? '')}`;
}
