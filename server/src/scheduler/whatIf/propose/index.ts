import type { Proposal, Propose, Situation } from '../candidate';
import { rename } from './admission';
import { changeDevices } from './devices';
import { smallerGang } from './gang';
import { freeNodeName, release } from './held';
import { keepLimits } from './limitRange';
import { relaxNodeAffinity } from './nodeAffinity';
import { relaxPodAffinity } from './podAffinity';
import { changePorts } from './ports';
import { keepQuota } from './quota';
import { lowerRequests } from './requests';
import { relaxSpread } from './spread';
import { changeClaimsFor } from './storage';
import { tolerateCordon, tolerateTaints } from './taints';

/** The proposals for each plugin's refusal. A plugin without an entry cannot be satisfied by a change of manifests. */
const BY_PLUGIN: Readonly<Record<string, Propose>> = {
  NodeName: freeNodeName,
  NodeUnschedulable: tolerateCordon,
  TaintToleration: tolerateTaints,
  NodeAffinity: relaxNodeAffinity,
  NodePorts: changePorts,
  NodeResourcesFit: lowerRequests,
  VolumeRestrictions: changeClaimsFor('VolumeRestrictions'),
  VolumeBinding: changeClaimsFor('VolumeBinding'),
  VolumeZone: changeClaimsFor('VolumeZone'),
  NodeVolumeLimits: changeClaimsFor('NodeVolumeLimits'),
  PodTopologySpread: relaxSpread,
  InterPodAffinity: relaxPodAffinity,
  DynamicResources: changeDevices,
};

/** All proposals for the refusals of a situation. */
export function proposalsFor(situation: Situation): readonly Proposal[] {
  const answers = [...situation.filterResult.rejections].flatMap(([plugin, it]) =>
    Object.hasOwn(BY_PLUGIN, plugin) ? (BY_PLUGIN[plugin]?.(situation, it) ?? []) : [],
  );
  return [
    ...release(situation),
    ...rename(situation),
    ...keepLimits(situation),
    ...keepQuota(situation),
    ...smallerGang(situation),
    ...answers,
  ];
}
