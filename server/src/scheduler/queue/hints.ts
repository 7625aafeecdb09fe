import { jsonText } from '../../base/printed';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { HostPort, PodModel } from '../../cluster/pods/podModel';
import { labelMatcher } from '../../kube/labelSelector';
import type { StringMap } from '../../kube/types';

/** A Pod that got a node, or was removed, while others waited. */
export interface PodEvent {
  readonly action: 'Add' | 'Delete';
  readonly pod: PodModel;
}

export type HintNamespaces = ReadonlyMap<string, StringMap>;

/** Whether an event may make a waiting Pod schedulable that the plugin rejected. Upstream: QueueingHintFn. */
interface Hint {
  readonly actions: readonly PodEvent['action'][];
  /** Called once for each waiting Pod. */
  of(waiting: PodModel, namespaces: HintNamespaces): (event: PodEvent) => boolean;
}

/** The hints about assigned Pods, by plugin. A plugin without an entry ignores such events. */
export const POD_HINTS: Readonly<Record<string, Hint>> = {
  NodeResourcesFit: { actions: ['Delete'], of: () => () => true },
  NodePorts: {
    actions: ['Delete'],
    of:
      ({ hostPorts }) =>
      ({ pod }) =>
        hostPorts.some(it => pod.hostPorts.some(other => conflict(it, other))),
  },
  NodeVolumeLimits: {
    actions: ['Delete'],
    of:
      () =>
      ({ pod }) =>
        volumesOf(pod).some(it => it.claim || it.ephemeral),
  },
  VolumeRestrictions: {
    actions: ['Delete'],
    of:
      waiting =>
      ({ pod }) =>
        waiting.namespace === pod.namespace && shareVolumes(waiting, pod),
  },
  PodTopologySpread: { actions: ['Add', 'Delete'], of: spreadHint },
  InterPodAffinity: {
    actions: ['Add', 'Delete'],
    of: (waiting, namespaces) => {
      const { required } = waiting.terms;
      const avoids = (of: PodModel, other: PodModel): boolean =>
        of.terms.requiredAnti.some(it => termMatches(it, other, namespaces));
      return ({ action, pod }) =>
        action === 'Delete'
          ? avoids(waiting, pod) || avoids(pod, waiting)
          : required.length > 0 && required.every(it => termMatches(it, pod, namespaces));
    },
  },
  GangScheduling: {
    actions: ['Add'],
    of: waiting => {
      const group = groupOf(waiting);
      return ({ pod }) => group !== undefined && waiting.namespace === pod.namespace && group === groupOf(pod);
    },
  },
};

function conflict(a: HostPort, b: HostPort): boolean {
  const everywhere = (it: HostPort): boolean => it.ip === '0.0.0.0' || it.ip === '';
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || everywhere(a) || everywhere(b));
}

/** For a Pod that spreads only by the profile's constraints, every Pod of its namespace counts as matching. */
function spreadHint({ spec, namespace }: PodModel): (event: PodEvent) => boolean {
  const selectors = (spec.topologySpreadConstraints ?? []).map(it => labelMatcher(it.labelSelector));
  return ({ pod }) =>
    namespace === pod.namespace && (selectors.length === 0 || selectors.some(it => it.matches(pod.labels)));
}

interface VolumeUse {
  readonly claim?: string;
  readonly ephemeral: boolean;
  /** The sources that allow a single Pod only, as text. */
  readonly disk?: string;
}

function volumesOf({ spec }: PodModel): readonly VolumeUse[] {
  return (spec.volumes ?? []).map(it => {
    const claim = it.persistentVolumeClaim?.claimName;
    const disk = it.gcePersistentDisk ?? it.awsElasticBlockStore ?? it.iscsi ?? it.rbd;
    return {
      ephemeral: it.ephemeral !== undefined,
      ...(claim !== undefined && { claim }),
      ...(disk !== undefined && { disk: jsonText(disk) }),
    };
  });
}

function shareVolumes(a: PodModel, b: PodModel): boolean {
  const others = volumesOf(b);
  return volumesOf(a).some(it =>
    others.some(
      other =>
        (it.claim !== undefined && it.claim === other.claim) || (it.disk !== undefined && it.disk === other.disk),
    ),
  );
}

const groupOf = ({ spec }: PodModel): string | undefined => spec.schedulingGroup?.podGroupName;
