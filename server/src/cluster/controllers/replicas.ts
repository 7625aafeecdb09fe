import type { Deployment, LabelSelector, ReplicaSet } from '../../kube/types';
import { controllerRef, isActive, NO_PLANS, type Plans, podFrom, type WorkloadObject, type World } from './controller';

/** The ReplicaSet and replication controllers: the missing Pods. */
export function replicaPods(workload: WorkloadObject, world: World): Plans {
  const there = world.podsOf(workload).filter(isActive).length;
  const owner = controllerRef(workload);
  return {
    count: Math.max(0, world.replicasOf(workload) - there),
    plan: i => ({ pod: podFrom(workload.template, `${workload.name}-${there + i + 1}`, workload.namespace, owner) }),
  };
}

/**
 * The deployment controller's new ReplicaSet and its Pods. Existing ReplicaSets of the Deployment make their own Pods;
 * a paused Deployment gets no new ReplicaSet.
 */
export function deploymentPods(workload: WorkloadObject, world: World): Plans {
  const { paused, selector } = (workload.source as Deployment).spec ?? {};
  const sets = world.controlled(workload, 'ReplicaSet') as readonly ReplicaSet[];
  const byTheirs = sets.reduce((sum, it) => sum + (it.spec?.replicas ?? 1), 0);
  const names = new Set(sets.map(it => it.metadata?.name));
  const there = world
    .podsOf(workload)
    .filter(it => isActive(it) && !it.metadata?.ownerReferences?.some(owner => names.has(owner.name))).length;
  const count = world.replicasOf(workload) - byTheirs - there;
  if (count <= 0 || (paused && sets.length === 0)) return NO_PLANS;
  const hash = world.hashOf(workload.template);
  const set = newReplicaSet(workload, hash, count, selector);
  const admitted = world.admitted(set.source);
  if (admitted === undefined) return NO_PLANS;
  const template = admitted === set.source ? workload.template : ((admitted as ReplicaSet).spec?.template ?? {});
  const owner = controllerRef(set);
  const labels = { 'pod-template-hash': hash };
  return {
    between: [admitted],
    count,
    plan: i => ({
      pod: podFrom(template, `${workload.name}-${there + i + 1}`, workload.namespace, owner, labels),
    }),
  };
}

/** Upstream: DeploymentController.getNewReplicaSet. */
function newReplicaSet(
  workload: WorkloadObject,
  hash: string,
  replicas: number,
  selector: LabelSelector | undefined,
): WorkloadObject {
  const { namespace, template } = workload;
  const name = `${workload.name}-${hash}`;
  const labels = { ...template.metadata?.labels, 'pod-template-hash': hash };
  const metadata = { name, namespace, labels, ownerReferences: [controllerRef(workload)] };
  const matchLabels = { ...selector?.matchLabels, 'pod-template-hash': hash };
  const source = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata,
    spec: {
      replicas,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
  return { apiVersion: source.apiVersion, kind: source.kind, name, namespace, metadata, template, source };
}
