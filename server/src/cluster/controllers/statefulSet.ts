import type { PersistentVolumeClaim, Pod, PodSpec, StatefulSet } from '../../kube/types';
import {
  controllerRef,
  isFinished,
  MAX_PODS,
  type Plans,
  podFrom,
  type WorkloadObject,
  type World,
} from './controller';

/** One Pod with its claims for each ordinal without one, lowest ordinal first. */
export function ordinalPods(workload: WorkloadObject, world: World): Plans {
  const { ordinals, serviceName, volumeClaimTemplates = [], selector } = (workload.source as StatefulSet).spec ?? {};
  const start = ordinals?.start ?? 0;
  const there = new Set(
    world
      .podsOf(workload)
      .filter(it => !isFinished(it))
      .map(it => it.metadata?.name),
  );
  const replicas = world.replicasOf(workload);
  const missing: number[] = [];
  for (let i = start; i < start + replicas && missing.length < MAX_PODS; i += 1) {
    if (!there.has(`${workload.name}-${i}`)) missing.push(i);
  }
  const revision = `${workload.name}-${world.hashOf(workload.template)}`;
  const owner = controllerRef(workload);
  return {
    // Beyond the limit only the number is needed, for the note.
    count: missing.length < MAX_PODS ? missing.length : replicas - there.size,
    plan: i => {
      const ordinal = missing[i] ?? start + i;
      const name = `${workload.name}-${ordinal}`;
      const pod = podFrom(workload.template, name, workload.namespace, owner, {
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'controller-revision-hash': revision,
      });
      const claims = volumeClaimTemplates.map(it => claimOf(it, name, workload.namespace, selector?.matchLabels));
      return { pod: withIdentity(pod, serviceName, volumeClaimTemplates, claims), claims };
    },
  };
}

/** Upstream: getPersistentVolumeClaims. */
function claimOf(
  template: PersistentVolumeClaim,
  pod: string,
  namespace: string,
  labels: Readonly<Record<string, string>> | undefined,
): PersistentVolumeClaim {
  const all = { ...template.metadata?.labels, ...labels };
  return {
    ...template,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      ...(Object.keys(all).length > 0 && { labels: all }),
      name: `${template.metadata?.name}-${pod}`,
      namespace,
    },
  };
}

/** Upstream: initIdentity, updateStorage. */
function withIdentity(
  pod: Pod,
  serviceName: string | undefined,
  templates: readonly PersistentVolumeClaim[],
  claims: readonly PersistentVolumeClaim[],
): Pod {
  const claimed = templates.map((it, i) => ({
    name: it.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claims[i]?.metadata?.name ?? '' },
  }));
  const own = (pod.spec?.volumes ?? []).filter(it => !claimed.some(other => other.name === it.name));
  const volumes = [...claimed, ...own];
  const hostname = pod.metadata?.name;
  const spec: PodSpec = {
    ...pod.spec,
    ...(hostname !== undefined && { hostname }),
    ...(serviceName && { subdomain: serviceName }),
    ...(volumes.length > 0 && { volumes }),
  };
  return { ...pod, spec };
}
