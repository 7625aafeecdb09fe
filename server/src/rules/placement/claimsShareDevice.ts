import { asList, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { ownClaimKey } from '../../cluster/devices/inventory';
import type { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { DeviceShortage, DeviceWant } from '../../scheduler/plugins/dynamicResources/shortages';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted, listed, nameLocation } from './phrases';

interface Facts {
  /** Names of devices, each with its pool. */
  readonly devices: readonly string[];
  /** How many devices those claims of this object want that get none. */
  readonly own: number;
  /** How many of them get none. */
  readonly stuck: number;
  /** Other claims that have such a device in the end. */
  readonly takers: readonly string[];
  /** How many devices those want. */
  readonly taken: number;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/claims-share-device',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'More claims want the same devices than the ResourceSlices have.',
    why: 'A device is allocated to one claim. The claims whose Pods come later get none, and these Pods stay Pending until the devices are free again.',
    remedy: 'Let the Pods share one ResourceClaim, ask for another device, or add devices.',
    details: [
      'Each device that a request could have is counted once, on all nodes together, against all requests that could have no other one. Requests for all devices, with alternatives, for shares of a device or with admin access are not counted.',
      'Which claim is served first is what placing the Pods of the environment gives. Silent unless the nodes and complete pools of the cluster are known.',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'structured.(*Allocator).Allocate', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/',
  },
  on: 'any',

  *check(target, { placement }) {
    const { object } = target;
    const isClaim = object.kind === 'ResourceClaim' && object.group === 'resource.k8s.io';
    if (!isClaim && podSpecOf(target)?.spec.resourceClaims === undefined) return;
    const facts = placement?.(object);
    const shortages = facts?.deviceShortages() ?? [];
    if (facts === undefined || shortages.length === 0) return;
    for (const { at, claims } of isClaim ? claimItself(target) : claimsOfTemplates(target, facts)) {
      const shortage = shortages.find(it => it.wants.some(want => claims.has(want.claim)));
      const found = shortage && factsOf(shortage, claims, facts);
      if (found !== undefined) yield { at, part: 'value', facts: found };
    }
  },

  message({ facts: { devices, own, stuck, takers, taken } }) {
    const names = listed(devices);
    const fit = devices.length === 1 ? t`${names} is the only device that fits` : t`only ${names} fit`;
    if (takers.length === 0) {
      const wanted = counted(own, 'device');
      return stuck === 1 ? t`this claim wants ${wanted}, and ${fit}` : t`${stuck} claims want ${wanted}, and ${fit}`;
    }
    const them = devices.length === 1 ? t('it') : taken < devices.length ? t`${taken} of them` : t('them');
    const left = stuck === 1 ? t('this claim gets none') : t`${stuck} claims get none`;
    return takers.length === 1
      ? t`${fit}, and ${takers[0]} takes ${them} first: ${left}`
      : t`${fit}, and ${listed(takers)} take ${them} first: ${left}`;
  },
});

interface Place {
  readonly at: FieldPath;
  /** NAMESPACE/NAME */
  readonly claims: ReadonlySet<string>;
}

const claimItself = ({ object }: RuleTarget): readonly Place[] => [
  { at: nameLocation(object), claims: new Set([`${object.namespace ?? 'default'}/${object.name}`]) },
];

/** The claims that are made for the Pods of an object, one place for each template that they name. */
function claimsOfTemplates(target: RuleTarget, facts: PlacementFacts): readonly Place[] {
  const place = podSpecOf(target);
  const { ownClaims } = facts.cluster.devices;
  return asList(place?.spec.resourceClaims).flatMap((it, i) => {
    const name = asText(fieldAt(it, 'name'));
    if (place === undefined || name === undefined || fieldAt(it, 'resourceClaimTemplateName') === undefined) return [];
    const claims = facts.podsOf(target.object).flatMap(pod => {
      const made = ownClaims.get(ownClaimKey(pod, { name }));
      return made === undefined ? [] : [`${pod.namespace}/${made}`];
    });
    return [
      { at: place.at.child('resourceClaims').index(i).child('resourceClaimTemplateName'), claims: new Set(claims) },
    ];
  });
}

/** What is told of claims some of which get no device, while others, or too few devices, are the cause. */
function factsOf(
  { devices, wants }: DeviceShortage,
  claims: ReadonlySet<string>,
  { nodeOf }: PlacementFacts,
): Facts | undefined {
  const isServed = (it: DeviceWant): boolean => it.pods.some(pod => nodeOf(pod) !== undefined);
  const stuck = wants.filter(it => claims.has(it.claim) && !isServed(it));
  const takers = wants.filter(it => isServed(it));
  const own = countOf(stuck);
  if (stuck.length === 0 || (takers.length === 0 && own <= devices.length)) return undefined;
  const unique = (all: readonly DeviceWant[]): readonly string[] => [...new Set(all.map(it => it.claim))];
  return {
    devices: devices.map(inWords),
    own,
    stuck: unique(stuck).length,
    taken: countOf(takers),
    takers: unique(takers).map(it => quoted(it.slice(it.indexOf('/') + 1))),
  };
}

const countOf = (wants: readonly DeviceWant[]): number => wants.reduce((sum, it) => sum + it.count, 0);

/** DRIVER/POOL/DEVICE */
function inWords(id: string): string {
  const [, pool = '', device = ''] = id.split('/');
  return `${quoted(device)} of pool ${quoted(pool)}`;
}
