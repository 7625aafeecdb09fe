import type { JsonObject, UnknownObject } from '../../base/json';
import { noMemo } from '../../base/memo';
import type { IsCancelled } from '../../base/steps';
import type { AskPolicies } from '../../cluster/admission/mutationAdmission';
import type { InvalidityOf } from '../../cluster/admission/types';
import { defaultClusterObjects } from '../../cluster/sources/defaultCluster';
import type { Kube } from '../../kube/kube';
import { invalidityOf } from '../../rules/apiserver/invalidity';
import type { RunMemory } from '../../scheduler/incremental/runCache';
import type { RunOptions } from '../../scheduler/scenario';
import { type ExternalCluster, overlaidOn } from '../clusters/externalCluster';
import { inNamespace } from './inNamespace';

/** Where the Nodes come from: the objects themselves, the embedded example cluster, or a cluster that is described elsewhere. */
export type NodeSource = 'own' | 'default' | ExternalCluster;

/** What a run of the scheduler depends on beside the objects that are placed. */
export interface RunContext {
  readonly kube: Kube;
  readonly nodes: NodeSource;
  /** Where objects without a namespace are created; undefined: default. */
  readonly namespace: string | undefined;
  /** Over the gates of the cluster, and over the defaults of the Kubernetes version. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** In place of the KubeSchedulerConfiguration among the objects. */
  readonly schedulerConfiguration?: UnknownObject | undefined;
  /** What mutating policies make of created objects; undefined: there are none. */
  readonly askPolicies?: AskPolicies | undefined;
  readonly isCancelled?: IsCancelled | undefined;
  /** Of the last run; absent: everything is computed again. */
  readonly memory?: RunMemory | undefined;
}

export type ClusterRunOptions = RunOptions & Required<Pick<RunOptions, 'featureGates'>>;

/** `auto`: the objects' own Nodes, else the example cluster. Every source but `default` and `auto` means their own Nodes. */
export const nodeSource = (wanted: string, hasNodes: boolean): 'own' | 'default' =>
  wanted === 'default' || (wanted === 'auto' && !hasNodes) ? 'default' : 'own';

/** The objects in their namespaces, among those of the cluster that they are created in. */
export function objectsInCluster(
  written: readonly UnknownObject[],
  { kube, nodes, namespace, memory }: Pick<RunContext, 'kube' | 'nodes' | 'namespace' | 'memory'>,
): readonly UnknownObject[] {
  const objects = namespace === undefined ? written : written.map(it => inNamespace(it, namespace, kube));
  if (nodes === 'own') return objects;
  const memo = memory?.objects ?? noMemo();
  const cluster = nodes === 'default' ? memo.last('example cluster', [], defaultClusterObjects) : nodes.objects;
  return overlaidOn(cluster, objects, memo);
}

export function runOptions({
  kube,
  nodes,
  featureGates,
  schedulerConfiguration,
  askPolicies,
  isCancelled,
  memory,
}: Omit<RunContext, 'namespace'>): ClusterRunOptions {
  const ofCluster = typeof nodes === 'object' ? nodes.known.content.featureGates : undefined;
  const memo = memory?.objects ?? noMemo();
  return {
    kubernetesVersion: kube.minor,
    isGateOn: kube.isGateOn,
    // The same object from run to run: memory compares it by identity.
    featureGates: memo.last('gates', [ofCluster, featureGates], () => ({ ...ofCluster, ...featureGates })),
    askPolicies,
    invalidityOf: memo.last('invalidity', [kube], () => invalidityIn(kube)),
    isCancelled,
    ...(schedulerConfiguration && { schedulerConfiguration }),
    ...(memory && { memory }),
  };
}

/** Why the server refuses what admission makes of a Pod. */
export const invalidityIn =
  (kube: Kube): InvalidityOf =>
  (requested, made) =>
    invalidityOf(requested as JsonObject, made as JsonObject, kube)?.text;
