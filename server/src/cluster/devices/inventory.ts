import { compareText } from '../../base/compareText';
import { asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import type { PodResourceClaim } from '../../kube/types';
import { fieldsOf, textOf } from '../decode/fields';
import type { Note } from '../pods/note';
import type { PodModel } from '../pods/podModel';
import { claimModel, claimSpec, type ResourceClaimModel } from './claims';
import {
  type DeviceClass,
  deviceClass,
  type SliceModel,
  sliceModel,
  type TaintRule,
  taintRule,
  withTaintRules,
} from './devices';
import { type GroupOwner, groupOwner, sharedWithGroups } from './groupClaims';

/** All devices, classes and claims at one moment. Immutable. */
export interface DeviceInventory {
  readonly slices: readonly SliceModel[];
  /** The same with the taints of DeviceTaintRules. */
  readonly slicesWithRules: readonly SliceModel[];
  readonly classes: ReadonlyMap<string, DeviceClass>;
  /** Extended resource → the class whose devices back it. */
  readonly classOfResource: ReadonlyMap<string, DeviceClass>;
  /** NAMESPACE/NAME → claim */
  readonly claims: ReadonlyMap<string, ResourceClaimModel>;
  /** `ownClaimKey` → name of the claim made from a template. */
  readonly ownClaims: ReadonlyMap<string, string>;
  /** `ownClaimKey` → the PodGroup with which the Pod shares the claim. */
  readonly groupClaims: ReadonlyMap<string, GroupOwner>;
}

/** The key of one of a Pod's claims from templates. */
export function ownClaimKey(pod: PodModel, { name }: PodResourceClaim): string {
  return `${pod.id}/${name ?? ''}`;
}

/** The UID, or a stand-in where the file has none. */
export function uidOf(pod: PodModel): string {
  return pod.source.metadata?.uid || `pod-${pod.namespace}-${pod.name}`;
}

export const DEVICE_CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/**
 * The devices, classes and claims among objects. Creates the claims of the pending Pods' templates, as the resource
 * claim controller does. Objects with invalid types are left out and reported to `onNote`.
 */
export function deviceInventory(
  byKind: ReadonlyMap<string, readonly UnknownObject[]>,
  pending: readonly PodModel[],
  isOn: (gate: string) => boolean,
  createdOtherwise: number,
  onNote: (note: Note) => void,
): DeviceInventory {
  const models = <T>(kind: string, make: (it: UnknownObject) => T): readonly T[] =>
    (byKind.get(kind) ?? []).flatMap(it => {
      try {
        return [make(it)];
      } catch {
        const name = asText(objectOrEmpty(it.metadata).name) ?? 'without a name';
        onNote({ message: `${kind} ${name} does not have the shape of its kind, so it is left out.` });
        return [];
      }
    });
  const rules: readonly TaintRule[] = models('DeviceTaintRule', taintRule);
  const slices = models('ResourceSlice', sliceModel);
  const classes = models('DeviceClass', it => deviceClass(it, createdOtherwise));
  const claims = new Map(models('ResourceClaim', claimModel).map(it => [it.id, it]));
  const templates = new Map(
    models('ResourceClaimTemplate', it => {
      const { name, namespace } = fieldsOf(it.metadata);
      return [`${textOf(namespace)}/${textOf(name)}`, claimSpec(fieldsOf(it.spec).spec)] as const;
    }),
  );
  const ownClaims = new Map<string, string>();
  const groupClaims = sharedWithGroups(
    isOn('DRAWorkloadResourceClaims') ? models('PodGroup', groupOwner) : [],
    pending,
  );
  for (const pod of pending) {
    for (const it of pod.spec.resourceClaims ?? []) {
      const group = groupClaims.get(ownClaimKey(pod, it));
      const spec = templates.get(`${pod.namespace}/${it.resourceClaimTemplateName}`);
      if (!spec || it.resourceClaimTemplateName === undefined || statusOf(pod, it)) continue;
      const claim = group ? claimOfGroup(group, it, spec) : claimOfTemplate(pod, it, spec);
      const existing = claims.get(claim.id);
      const uid = group?.uid ?? uidOf(pod);
      if (!existing?.owners.some(owner => owner.controller && owner.uid === uid)) claims.set(claim.id, claim);
      ownClaims.set(ownClaimKey(pod, it), claim.name);
    }
  }
  return {
    slices,
    slicesWithRules: rules.length === 0 ? slices : slices.map(it => withTaintRules(it, rules)),
    classes: new Map(classes.map(it => [it.name, it])),
    classOfResource: classesByResource(classes),
    claims,
    ownClaims,
    groupClaims,
  };
}

/** The Pod status's entry for the claim of one of its templates. */
export function statusOf(
  pod: PodModel,
  { name }: PodResourceClaim,
): { readonly resourceClaimName?: string } | undefined {
  const { resourceClaimStatuses } = (pod.source.status ?? {}) as UnknownObject;
  if (!Array.isArray(resourceClaimStatuses)) return undefined;
  return resourceClaimStatuses.find(it => (it as UnknownObject | null)?.name === name);
}

/** A claim that the resource claim controller creates once for a whole group. */
function claimOfGroup(
  { name: group, namespace, uid, claimNames }: GroupOwner,
  { name = '' }: PodResourceClaim,
  spec: Pick<ResourceClaimModel, 'requests' | 'constraints'>,
): ResourceClaimModel {
  const made = claimNames.get(name) ?? `${group}-${name}`;
  return { ...unownedClaim(namespace, made), owners: [{ name: group, uid, controller: true }], ...spec };
}

function claimOfTemplate(
  pod: PodModel,
  { name }: PodResourceClaim,
  spec: Pick<ResourceClaimModel, 'requests' | 'constraints'>,
): ResourceClaimModel {
  return { ...newClaim(pod, `${pod.name}-${name ?? ''}`), ...spec };
}

/** A claim that a controller or the scheduler creates for a Pod. */
export function newClaim(pod: PodModel, name: string): ResourceClaimModel {
  const owners = [{ name: pod.name, uid: uidOf(pod), controller: true }];
  return { ...unownedClaim(pod.namespace, name), owners };
}

function unownedClaim(namespace: string, name: string): ResourceClaimModel {
  return {
    id: `${namespace}/${name}`,
    name,
    namespace,
    deleting: false,
    owners: [],
    forExtendedResources: false,
    requests: [],
    constraints: [],
    reservedFor: [],
    conditions: new Map(),
  };
}

/**
 * Of several classes with the same extended resource the newest counts, then the lowest name. Upstream processes the
 * classes by name, so a class that loses against an earlier one does not even get its own implicit resource. Upstream:
 * extendedresourcecache.
 */
function classesByResource(classes: readonly DeviceClass[]): ReadonlyMap<string, DeviceClass> {
  const res = new Map<string, DeviceClass>();
  for (const it of [...classes].sort((a, b) => compareText(a.name, b.name))) {
    const other = it.extendedResourceName === undefined ? undefined : res.get(it.extendedResourceName);
    if (other && it.created <= other.created) continue;
    if (it.extendedResourceName !== undefined) res.set(it.extendedResourceName, it);
    res.set(`${DEVICE_CLASS_PREFIX}${it.name}`, it);
  }
  return res;
}
