import { t } from '../../base/l10n';
import type { ClusterModel } from '../../cluster/clusterModel';
import { controllerIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { VerticalPodAutoscaler } from './autoscaler';

/** Upstream: flags min-replicas and eviction-tolerance. */
const LEAST_REPLICAS = 2;
const TOLERANCE = 0.5;

/** The limit on disrupted Pods of each controller in one round. */
export interface Groups {
  /** Counts one more Pod, or returns why it must wait. */
  refusalOf(pod: PodModel): string | undefined;
}

/** Upstream: GetCreatorMaps, isPodDisruptable. */
export function groupsOf(pods: readonly PodModel[], cluster: ClusterModel, vpa: VerticalPodAutoscaler): Groups {
  const least = vpa.spec?.updatePolicy?.minReplicas ?? LEAST_REPLICAS;
  const running = new Map<string, number>();
  const taken = new Map<string, number>();
  for (const pod of pods) {
    const key = groupOf(pod);
    if (key !== undefined) running.set(key, (running.get(key) ?? 0) + 1);
  }
  return {
    refusalOf(pod) {
      const key = groupOf(pod);
      if (key === undefined) return t('no controller would make it again');
      const alive = running.get(key) ?? 0;
      if (alive < least) return t`it has ${alive} replicas, and the updater wants ${least} to touch one`;
      const { replicas } = (controllerIn(pod, cluster)?.spec ?? {}) as { readonly replicas?: number };
      const configured = replicas ?? alive;
      const tolerance = Math.trunc(configured * TOLERANCE);
      const gone = taken.get(key) ?? 0;
      const isDisruptable =
        alive - gone > configured - tolerance || (configured === alive && tolerance === 0 && gone === 0);
      if (!isDisruptable) return t('others of its replicas go first: half of them stay at any time');
      taken.set(key, gone + 1);
      return undefined;
    },
  };
}

function groupOf({ source, namespace }: PodModel): string | undefined {
  const owner = source.metadata?.ownerReferences?.find(it => it.controller === true);
  return owner && `${owner.kind}/${namespace}/${owner.name}`;
}
