import type { UnknownObject } from '../base/json';
import { jsonText, printed } from '../base/printed';
import { mapInSteps, type Steps } from '../base/steps';
import type { PodModel } from '../cluster/pods/podModel';
import { compareText } from '../cluster/scenario';
import type { Pod } from '../kube/types';
import { settledAfter } from '../scheduler/queries';
import { type RunOptions, type Simulation, simulateSteps } from '../scheduler/scenario';
import { byNode } from './cluster';

/** Where a Pod that was evicted comes again, under the name that it gets then. */
export interface Replacement {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** Absent: it waits. */
  readonly node?: string;
  /** The FailedScheduling text of one that waits. */
  readonly message?: string;
}

/** A cluster where everything that can be placed is. */
export interface ClusterState extends Pick<Simulation, 'scenario'> {
  readonly objects: readonly UnknownObject[];
  /** The same for states that differ in nothing but the names of Pods that a controller made. */
  readonly key: string;
}

/** What the scheduler makes of some objects, turn by turn. */
export function* placePending(
  objects: readonly UnknownObject[],
  run: RunOptions,
): Steps<{ readonly state: ClusterState; readonly landings: readonly Replacement[] }> {
  const simulation = yield* simulateSteps(objects, run);
  return { state: yield* stateAfter(objects, simulation), landings: landingsOf(simulation) };
}

/** The objects once all Pods that found a node run on it; those that wait are there without one. */
function* stateAfter(objects: readonly UnknownObject[], { scenario, result }: Simulation): Steps<ClusterState> {
  const evicted = new Set(result.evicted);
  yield;
  const settled = settledAfter(scenario, result);
  yield;
  const waiting = scenario.pending.filter(it => result.placements[it.id] === undefined && !evicted.has(it.id));
  const running = settled.cluster.running;
  const known = new Set(objects.map(keyOf));
  const made = ['ReplicaSet', 'Job']
    .flatMap(it => scenario.cluster.objects.get(it) ?? [])
    .filter(it => !known.has(keyOf(it)));
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

/** What scheduler and descheduler look at; what admission alone adds to a Pod that is made again makes no difference. */
function stateKeyOf({ source, namespace, name, labels, priority, requests, spec, nodeName = '' }: PodModel): string {
  const owner = source.metadata?.ownerReferences?.find(it => it.controller === true);
  const { nodeSelector, affinity, topologySpreadConstraints, tolerations = [] } = spec;
  const wanted = tolerations.filter(it => it.effect !== 'NoExecute');
  const { scalar, ...basic } = requests;
  const who = owner ? [owner.kind, owner.name] : name;
  const scheduling = [priority, basic, [...scalar], nodeSelector, affinity, topologySpreadConstraints, wanted];
  return jsonText([nodeName, namespace, who, labels, scheduling]);
}

/** Where the Pods came that waited before a run. */
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
  return `${printed(object.kind)}/${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`;
}
