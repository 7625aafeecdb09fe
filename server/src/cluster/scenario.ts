import { objectOrEmpty, type UnknownObject } from '../base/json';
import { t } from '../base/l10n';
import { noMemo } from '../base/memo';
import { push } from '../base/multiMap';
import { printed } from '../base/printed';
import { mapInSteps, runToEnd, type Steps } from '../base/steps';
import { isPolicy } from '../kube/scheduler/policy';
import type { Pod } from '../kube/types';
import {
  type MutatedObject,
  type MutationAdmission,
  mutationAdmission,
  mutationSentences,
} from './admission/mutationAdmission';
import { admitScenario } from './admitScenario';
import { buildCluster } from './buildCluster';
import type { ClusterModel } from './clusterModel';
import { expandWorkloadSteps, isWorkload, NO_EXPANSION } from './controllers/workloads';
import { isForeign, readObjectSteps } from './decode/documents';
import { droppedPodFields, withoutPodFields } from './gatedPodFields';
import { laterHooks } from './helmHooks';
import { mutatedPods } from './mutatedPods';
import { isControlled } from './owners';
import type { RejectedPod } from './podModels';
import type { Note } from './pods/note';
import type { PodModel } from './pods/podModel';
import { type ClusterOptions, isGateOn, isScenarioOptions, readOptions, type ScenarioOptions } from './scenarioOptions';

export { compareText } from '../base/compareText';
export { CLUSTER_START } from './clusterStart';
export type { RejectedPod } from './podModels';
export type { ClusterOptions, ScenarioOptions } from './scenarioOptions';

export interface Scenario {
  readonly cluster: ClusterModel;
  /** Pods to place, in the order of the file. */
  readonly pending: readonly PodModel[];
  /** Refused by admission. */
  readonly rejected: readonly RejectedPod[];
  /** Workloads that policies refuse, so that they make no Pods; absent: none. */
  readonly refusedWorkloads?: readonly RefusedWorkload[];
  readonly options: ScenarioOptions;
  /** A KubeSchedulerConfiguration as written, or an old Policy. */
  readonly schedulerConfiguration?: UnknownObject;
  readonly notes: readonly Note[];
  /** What mutating policies changed of objects on creation. */
  readonly mutated: readonly MutatedObject[];
}

export interface RefusedWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** How many Pods it asks for at once. */
  readonly pods: number;
  /** The server's words. */
  readonly message: string;
}

/**
 * Builds the cluster and the Pods to place from plain JSON objects, after the steps of a real cluster: API defaults,
 * the Pod's create step, and the admission plugins that change placement. Never throws: unreadable objects are left out
 * and reported in `notes`.
 */
export function scenarioFromObjects(documents: readonly UnknownObject[], options: ClusterOptions = {}): Scenario {
  return runToEnd(scenarioSteps(documents, options));
}

/** The same in steps. */
export function* scenarioSteps(documents: readonly UnknownObject[], options: ClusterOptions = {}): Steps<Scenario> {
  const notes: Note[] = [];
  const onNote = (note: Note): void => {
    notes.push(note);
  };
  const memory = options.memory ?? noMemo();
  memory.startRun();
  const all = yield* readObjectSteps(documents, memory, onNote);
  const [optionsObject, ...otherOptions] = all.filter(isScenarioOptions);
  if (otherOptions.length > 0) onNote({ message: t('There are several ScenarioOptions; the first counts.') });
  const scenarioOptions = readOptions(optionsObject, options, onNote);
  const schedulerConfiguration = schedulerConfigurationIn(all, onNote);
  const first = firstOfEachName(
    all.filter(it => !isScenarioOptions(it) && !isSchedulerConfiguration(it) && !isStartedLater(it, onNote)),
    onNote,
  );
  yield;
  const isOn = (gate: string): boolean => isGateOn(gate, scenarioOptions.featureGates, options);
  const dropped = options.isGateOn === undefined ? [] : droppedPodFields(isOn);
  const namespaced = yield* mapInSteps(first, it =>
    memory.of('namespaced', it, dropped, () => withNamespace(withoutPodFields(it, dropped))),
  );
  const { expandWorkloads } = scenarioOptions;
  const policyAdmission = mutationAdmission(options.askPolicies, memory, onNote);
  const written =
    options.askPolicies && expandWorkloads
      ? namespaced.flatMap((it): readonly UnknownObject[] =>
          isWorkload(it) && !isControlled(it) ? policyAdmission.admit(it) : [it],
        )
      : namespaced;
  const expanded = expandWorkloads
    ? yield* expandWorkloadSteps(written, memory, { isOn, admitted: it => policyAdmission.admit(it)[0] }, onNote)
    : NO_EXPANSION;
  const byKind = groupByKind([...written, ...expanded.between]);
  const admitted = yield* admitScenario(byKind, expanded.pods, {
    scenarioOptions,
    options,
    mutationAdmission: policyAdmission,
    memory,
    notes,
  });
  const cluster = yield* buildCluster(byKind, admitted, { scenarioOptions, written, isOn, memory, onNote });
  const mutated = [...policyAdmission.mutated, ...mutatedPods(admitted.pending, cluster)];
  for (const message of mutated.flatMap(mutationSentences)) notes.push({ message });
  return {
    cluster,
    pending: admitted.pending,
    rejected: admitted.rejected,
    ...(policyAdmission.refused.length > 0 && { refusedWorkloads: refusedWorkloads(policyAdmission) }),
    options: scenarioOptions,
    ...(schedulerConfiguration && { schedulerConfiguration }),
    notes,
    mutated,
  };
}

function refusedWorkloads({ refused }: Pick<MutationAdmission, 'refused'>): readonly RefusedWorkload[] {
  return refused.flatMap(({ object, message }): readonly RefusedWorkload[] => {
    if (!isWorkload(object)) return [];
    const { kind = '', metadata } = object as Pod;
    const pods = podsAskedFor(object);
    return [{ kind, namespace: metadata?.namespace ?? 'default', name: metadata?.name ?? '', pods, message }];
  });
}

/** How many Pods a workload asks for at once, as far as it says so. */
export function podsAskedFor({ spec }: UnknownObject): number {
  const { replicas, parallelism } = objectOrEmpty(spec);
  return [replicas, parallelism, 1].find(it => typeof it === 'number') as number;
}

function isStartedLater(object: UnknownObject, onNote: (note: Note) => void): boolean {
  const hooks = laterHooks(object);
  if (hooks === undefined) return false;
  const { kind, metadata } = object as Pod;
  onNote({
    message: t`${printed(kind)} ${metadata?.name ?? ''} is not placed: it is a Helm hook (${hooks}), which no install starts.`,
  });
  return true;
}

function schedulerConfigurationIn(
  objects: readonly UnknownObject[],
  onNote: (note: Note) => void,
): UnknownObject | undefined {
  const [first, ...others] = objects.filter(it => isSchedulerConfiguration(it) && !printed(it.kind).endsWith('Args'));
  if (others.length > 0) onNote({ message: t('There are several scheduler configurations; the first counts.') });
  return first;
}

/**
 * A cluster holds one Pod and one Node of each name; the server refuses to create another, and a Node without a name.
 */
function firstOfEachName(objects: readonly UnknownObject[], onNote: (note: Note) => void): readonly UnknownObject[] {
  const names = new Set<string>();
  return objects.filter(object => {
    if (object.kind !== 'Pod' && object.kind !== 'Node') return true;
    const { name, namespace = 'default' } = (object as Pod).metadata ?? {};
    if (object.kind === 'Node' && !name) onNote({ message: t('A Node without a name is left out.') });
    if (!name) return object.kind === 'Pod';
    const id = object.kind === 'Pod' ? `Pod ${namespace}/${name}` : `Node ${name}`;
    if (names.has(id)) onNote({ message: t`There are several objects ${id}; the first counts.` });
    return names.size < names.add(id).size;
  });
}

function isSchedulerConfiguration(object: UnknownObject): boolean {
  return printed(object.apiVersion).startsWith('kubescheduler.config.k8s.io/') || isPolicy(object);
}

/** Cluster-scoped objects get a namespace too, which is not read. Pods are left as they are, since there are many. */
function withNamespace(object: UnknownObject): UnknownObject {
  const { metadata, kind } = object;
  if (kind === 'Pod' || kind === 'Node' || (metadata as { readonly namespace?: string } | undefined)?.namespace) {
    return object;
  }
  return { ...object, metadata: { ...(metadata as UnknownObject | undefined), namespace: 'default' } };
}

function groupByKind(objects: readonly UnknownObject[]): Map<string, readonly UnknownObject[]> {
  const res = new Map<string, UnknownObject[]>();
  for (const object of objects) {
    const name = printed(object.kind ?? '');
    const kind = isForeign(name, object.apiVersion) ? `${name} of ${printed(object.apiVersion)}` : name;
    push(res, kind, object);
  }
  return res;
}
