import type { PodModel } from '../../cluster/pods/podModel';
import type { GroupPostFilterAnswer, GroupSnapshot, GroupStatus, Reservation } from '../framework/interface';
import { withoutKey, withoutNomination, withPlaced } from '../framework/nodeInfo';

export const groupSuccess: GroupStatus = { code: 'Success', reasons: [] };

export const NO_VICTIMS: Pick<GroupPostFilterAnswer, 'victims' | 'nominations'> = {
  victims: [],
  nominations: new Map(),
};

/** The snapshot with the Pod on the node. Upstream: assumeAndReserve in a group's cycle. */
export function assumed(at: GroupSnapshot, pod: PodModel, node: string, taken: Reservation | undefined): GroupSnapshot {
  const placed = { ...withoutNomination(pod), nodeName: node };
  const on = at.nodes.find(it => it.name === node);
  return {
    ...at,
    cluster: taken?.cluster ?? at.cluster,
    nodes: on ? withPlaced(at.nodes, on, placed) : at.nodes,
    nominated: withoutKey(at.nominated, pod.id),
  };
}
