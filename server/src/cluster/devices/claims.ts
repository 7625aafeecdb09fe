import type { UnknownObject } from '../../base/json';
import { type NodeMatcher, nodeSelectorMatcher } from '../../kube/labelSelector';
import type { Quantity } from '../../kube/quantity';
import type { NodeSelector } from '../../kube/types';
import { fieldsOf, flagOf, listOf, numberOf, textOf, textsOf } from '../decode/fields';
import { amountOf, billionths, selectorsOf } from './devices';

/** Models of ResourceClaims for placement. Immutable. */

export interface DeviceToleration {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  readonly effect: string;
}

/** An exact request, or one alternative of a prioritised list. */
export interface DeviceAsk {
  readonly name: string;
  readonly className: string;
  readonly mode: string;
  readonly count: number;
  /** Absent: not set. */
  readonly adminAccess?: boolean;
  /** CEL; undefined: a selector of another kind. */
  readonly selectors: readonly (string | undefined)[];
  readonly tolerations: readonly DeviceToleration[];
  /** Absent: no capacity is requested. */
  readonly capacity?: ReadonlyMap<string, Quantity>;
  readonly hasDerivedAttributes: boolean;
}

export interface RequestModel {
  readonly name: string;
  readonly exactly?: DeviceAsk;
  /** Alternatives; the first that can be satisfied is used. */
  readonly firstAvailable: readonly DeviceAsk[];
}

export interface ConstraintModel {
  /** Request or REQUEST/ALTERNATIVE; empty: all. */
  readonly requests: ReadonlySet<string>;
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

/** One device that is allocated to a claim. */
export interface DeviceResult {
  /** REQUEST or REQUEST/ALTERNATIVE */
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess: boolean;
  /** Whether it is a share of a device with several consumers. */
  readonly isShare: boolean;
  /** Capacity → amount in billionths. */
  readonly consumedCapacity?: ReadonlyMap<string, bigint>;
  readonly bindingConditions: readonly string[];
  readonly bindingFailureConditions: readonly string[];
}

export interface AllocationModel {
  readonly results: readonly DeviceResult[];
  /** Absent: every node reaches the devices. */
  readonly nodes?: NodeMatcher;
  /** Milliseconds since the epoch. */
  readonly allocated?: number;
}

export interface ResourceClaimModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly deleting: boolean;
  readonly owners: readonly { readonly name: string; readonly uid: string; readonly controller: boolean }[];
  /** Created by the scheduler for extended resources that are backed by devices. */
  readonly forExtendedResources: boolean;
  readonly requests: readonly RequestModel[];
  readonly constraints: readonly ConstraintModel[];
  readonly allocation?: AllocationModel;
  /** UIDs. */
  readonly reservedFor: readonly string[];
  /** DRIVER/POOL/DEVICE → the types of its conditions that are true. */
  readonly conditions: ReadonlyMap<string, ReadonlySet<string>>;
}

const EXTENDED_RESOURCE_CLAIM = 'resource.kubernetes.io/extended-resource-claim';

/** Reads ResourceClaim v1, v1beta2 and v1beta1. Throws a TypeError for invalid types. */
export function claimModel(object: UnknownObject): ResourceClaimModel {
  const metadata = fieldsOf(object.metadata);
  const status = fieldsOf(object.status);
  const { allocation } = status;
  const name = textOf(metadata.name);
  const namespace = textOf(metadata.namespace);
  return {
    id: `${namespace}/${name}`,
    name,
    namespace,
    deleting: metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null,
    owners: listOf(metadata.ownerReferences).map(it => {
      const owner = fieldsOf(it);
      return { name: textOf(owner.name), uid: textOf(owner.uid), controller: flagOf(owner.controller) };
    }),
    forExtendedResources: fieldsOf(metadata.annotations)[EXTENDED_RESOURCE_CLAIM] === 'true',
    ...claimSpec(object.spec),
    ...(allocation !== undefined && allocation !== null && { allocation: allocationOf(fieldsOf(allocation)) }),
    reservedFor: listOf(status.reservedFor).map(it => textOf(fieldsOf(it).uid)),
    conditions: new Map(
      listOf(status.devices).map(it => {
        const device = fieldsOf(it);
        const holding = listOf(device.conditions).map(fieldsOf);
        const types = holding.filter(held => held.status === 'True').map(held => textOf(held.type));
        return [`${textOf(device.driver)}/${textOf(device.pool)}/${textOf(device.device)}`, new Set(types)];
      }),
    ),
  };
}

/** The requests and constraints of a claim, or of a template's inner spec. */
export function claimSpec(value: unknown): Pick<ResourceClaimModel, 'requests' | 'constraints'> {
  const devices = fieldsOf(fieldsOf(value).devices);
  return {
    requests: listOf(devices.requests).map(it => requestModel(fieldsOf(it))),
    constraints: listOf(devices.constraints).map(it => {
      const { requests, matchAttribute, distinctAttribute } = fieldsOf(it);
      return {
        requests: new Set(textsOf(requests)),
        ...(typeof matchAttribute === 'string' && { matchAttribute }),
        ...(typeof distinctAttribute === 'string' && { distinctAttribute }),
      };
    }),
  };
}

function requestModel(written: UnknownObject): RequestModel {
  const name = textOf(written.name);
  const firstAvailable = listOf(written.firstAvailable).map(it => askOf(textOf(fieldsOf(it).name), fieldsOf(it)));
  // In v1beta1 the fields of an exact request are beside the name.
  const exactly = written.exactly ?? (written.deviceClassName === undefined ? undefined : written);
  return { name, firstAvailable, ...(exactly ? { exactly: askOf(name, fieldsOf(exactly)) } : {}) };
}

/** With the API's default of exactly one device. */
function askOf(name: string, written: UnknownObject): DeviceAsk {
  const mode = textOf(written.allocationMode) || 'ExactCount';
  const count = numberOf(written.count);
  const capacity = fieldsOf(written.capacity).requests;
  return {
    name,
    className: textOf(written.deviceClassName),
    mode,
    count: mode === 'ExactCount' && count === 0 ? 1 : count,
    ...(typeof written.adminAccess === 'boolean' && { adminAccess: written.adminAccess }),
    selectors: selectorsOf(written.selectors),
    tolerations: listOf(written.tolerations).map(it => {
      const { key, operator, value, effect } = fieldsOf(it);
      return { key: textOf(key), operator: textOf(operator), value: textOf(value), effect: textOf(effect) };
    }),
    ...(capacity !== undefined &&
      capacity !== null && {
        capacity: new Map(Object.entries(fieldsOf(capacity)).map(([key, it]) => [key, amountOf(it)])),
      }),
    hasDerivedAttributes: listOf(written.derivedAttributes).length > 0,
  };
}

function allocationOf(written: UnknownObject): AllocationModel {
  const { nodeSelector } = written;
  const allocated = Date.parse(textOf(written.allocationTimestamp));
  return {
    results: listOf(fieldsOf(written.devices).results).map(it => resultOf(fieldsOf(it))),
    ...(nodeSelector !== undefined &&
      nodeSelector !== null && { nodes: nodeSelectorMatcher(nodeSelector as NodeSelector) }),
    ...(!Number.isNaN(allocated) && { allocated }),
  };
}

function resultOf(written: UnknownObject): DeviceResult {
  const { consumedCapacity } = written;
  const consumed = Object.entries(fieldsOf(consumedCapacity));
  return {
    request: textOf(written.request),
    driver: textOf(written.driver),
    pool: textOf(written.pool),
    device: textOf(written.device),
    adminAccess: flagOf(written.adminAccess),
    isShare: written.shareID !== undefined && written.shareID !== null,
    ...(consumedCapacity !== undefined &&
      consumedCapacity !== null && {
        consumedCapacity: new Map(consumed.map(([name, it]) => [name, billionths(amountOf(it))])),
      }),
    bindingConditions: textsOf(written.bindingConditions),
    bindingFailureConditions: textsOf(written.bindingFailureConditions),
  };
}
