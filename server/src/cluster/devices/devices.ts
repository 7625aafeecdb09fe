import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { DeviceAttribute } from '../../kube/cel/deviceSelector';
import { type NodeMatcher, nodeSelectorMatcher } from '../../kube/labelSelector';
import { type Quantity, quantityOf } from '../../kube/quantity';
import type { NodeSelector } from '../../kube/types';
import { fieldsOf, flagOf, listOf, numberOf, textOf, textsOf } from '../decode/fields';

/** Models of devices as drivers publish them. Immutable. */

export interface DeviceTaint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** Which nodes reach a slice or a device. Upstream: the arguments of NodeMatches. */
export interface NodeReach {
  /** Empty: not set. */
  readonly nodeName: string;
  readonly allNodes: boolean;
  readonly nodeSelector?: { readonly written: NodeSelector; readonly matcher: NodeMatcher };
}

/** How much of a capacity one request may consume. Upstream: resource.CapacityRequestPolicy. */
export interface RequestPolicy {
  readonly default?: Quantity;
  readonly validValues?: readonly Quantity[];
  readonly validRange?: { readonly min?: Quantity; readonly max?: Quantity; readonly step?: Quantity };
}

export interface DeviceCapacity {
  readonly value: Quantity;
  readonly policy?: RequestPolicy;
}

/** Counter → amount in billionths. */
export type Counters = ReadonlyMap<string, bigint>;

export interface DeviceModel {
  /** DRIVER/POOL/DEVICE */
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly attributes: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity: ReadonlyMap<string, DeviceCapacity>;
  /** Quantities as written. */
  readonly capacityTexts: Readonly<Record<string, string>>;
  /** Its own taints and those of DeviceTaintRules. */
  readonly taints: readonly DeviceTaint[];
  readonly consumesCounters: readonly { readonly counterSet: string; readonly counters: Counters }[];
  readonly allowMultipleAllocations?: boolean;
  /** Absent: not declared, which differs from an empty list. */
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions: readonly string[];
  readonly bindsToNode: boolean;
  /** Used where the slice delegates node selection to its devices. */
  readonly reach: NodeReach;
}

export interface SliceModel {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  /** DRIVER/POOL */
  readonly poolId: string;
  readonly generation: number;
  readonly sliceCount: number;
  readonly reach: NodeReach;
  readonly perDeviceNodeSelection?: boolean;
  readonly devices: readonly DeviceModel[];
  readonly counterSets: readonly { readonly name: string; readonly counters: Counters }[];
  readonly usesCompatibilityGroups: boolean;
}

/** Upstream: resource.DeviceTaintRule. Absent fields select every driver, pool or device. */
export interface TaintRule {
  readonly selector?: { readonly driver?: string; readonly pool?: string; readonly device?: string };
  readonly taint: DeviceTaint;
}

export interface DeviceClass {
  readonly name: string;
  /** CEL; undefined: a selector of another kind. */
  readonly selectors: readonly (string | undefined)[];
  readonly extendedResourceName?: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** Reads ResourceSlice v1, v1beta2 and v1beta1. Throws a TypeError for invalid types. */
export function sliceModel(object: UnknownObject): SliceModel {
  const spec = fieldsOf(object.spec);
  const pool = fieldsOf(spec.pool);
  const driver = textOf(spec.driver);
  const poolName = textOf(pool.name);
  // In v1beta1 the description of a device is nested one level deeper.
  const devices = listOf(spec.devices).map(it => ({ ...fieldsOf(it), ...fieldsOf(fieldsOf(it).basic) }));
  return {
    name: textOf(fieldsOf(object.metadata).name),
    driver,
    pool: poolName,
    poolId: `${driver}/${poolName}`,
    generation: numberOf(pool.generation),
    sliceCount: numberOf(pool.resourceSliceCount),
    reach: reachOf(spec),
    ...(typeof spec.perDeviceNodeSelection === 'boolean' && { perDeviceNodeSelection: spec.perDeviceNodeSelection }),
    devices: devices.map(it => deviceModel(it, driver, poolName)),
    counterSets: listOf(spec.sharedCounters).map(it => ({
      name: textOf(fieldsOf(it).name),
      counters: countersOf(fieldsOf(it).counters),
    })),
    usesCompatibilityGroups: devices.some(it =>
      listOf(it.consumesCounters).some(used => listOf(fieldsOf(used).compatibilityGroups).length > 0),
    ),
  };
}

/** The slice with the taints of the rules that select its devices. Upstream: Tracker.applyPatches. */
export function withTaintRules(slice: SliceModel, rules: readonly TaintRule[]): SliceModel {
  const applying = rules.filter(
    ({ selector }) =>
      selector !== undefined &&
      (selector.driver ?? slice.driver) === slice.driver &&
      (selector.pool ?? slice.pool) === slice.pool,
  );
  if (applying.length === 0) return slice;
  const taintsFor = ({ name }: DeviceModel) => applying.filter(it => (it.selector?.device ?? name) === name);
  const devices = slice.devices.map(it => ({
    ...it,
    taints: [...it.taints, ...taintsFor(it).map(rule => rule.taint)],
  }));
  return { ...slice, devices };
}

function deviceModel(written: UnknownObject, driver: string, pool: string): DeviceModel {
  const name = textOf(written.name);
  const { allowMultipleAllocations, bindingConditions } = written;
  const capacity = Object.entries(fieldsOf(written.capacity)).map(([key, it]) => [key, capacityOf(it)] as const);
  const attributes = fieldsOf(written.attributes);
  for (const it of Object.values(attributes)) fieldsOf(it);
  return {
    id: `${driver}/${pool}/${name}`,
    name,
    driver,
    pool,
    attributes: attributes as Readonly<Record<string, DeviceAttribute>>,
    capacity: new Map(capacity.map(([key, it]) => [key, it.capacity])),
    capacityTexts: Object.fromEntries(capacity.map(([key, it]) => [key, it.text])),
    taints: listOf(written.taints).map(taintOf),
    consumesCounters: listOf(written.consumesCounters).map(it => ({
      counterSet: textOf(fieldsOf(it).counterSet),
      counters: countersOf(fieldsOf(it).counters),
    })),
    ...(typeof allowMultipleAllocations === 'boolean' && { allowMultipleAllocations }),
    ...(Array.isArray(bindingConditions) && { bindingConditions: textsOf(bindingConditions) }),
    bindingFailureConditions: textsOf(written.bindingFailureConditions),
    bindsToNode: flagOf(written.bindsToNode),
    reach: reachOf(written),
  };
}

function reachOf({ nodeName, allNodes, nodeSelector }: UnknownObject): NodeReach {
  const written = nodeSelector === undefined || nodeSelector === null ? undefined : (nodeSelector as NodeSelector);
  return {
    nodeName: textOf(nodeName),
    allNodes: flagOf(allNodes),
    ...(written && { nodeSelector: { written, matcher: nodeSelectorMatcher(written) } }),
  };
}

/** Before v1beta1 a capacity was a plain quantity. */
function capacityOf(value: unknown): { readonly capacity: DeviceCapacity; readonly text: string } {
  const written = typeof value === 'object' ? fieldsOf(value) : { value };
  const policy = policyOf(written.requestPolicy);
  return {
    capacity: { value: amountOf(written.value), ...(policy && { policy }) },
    text: printed(written.value ?? '0'),
  };
}

function policyOf(value: unknown): RequestPolicy | undefined {
  if (value === undefined || value === null) return undefined;
  const policy = fieldsOf(value);
  const optional = (of: UnknownObject, name: string): Quantity | undefined =>
    of[name] === undefined || of[name] === null ? undefined : amountOf(of[name]);
  const byDefault = optional(policy, 'default');
  const range = policy.validRange === undefined || policy.validRange === null ? undefined : fieldsOf(policy.validRange);
  const [min, max, step] = ['min', 'max', 'step'].map(it => range && optional(range, it));
  return {
    ...(byDefault && { default: byDefault }),
    ...(Array.isArray(policy.validValues) && { validValues: policy.validValues.map(amountOf) }),
    ...(range && { validRange: { ...(min && { min }), ...(max && { max }), ...(step && { step }) } }),
  };
}

export function taintOf(value: unknown): DeviceTaint {
  const taint = fieldsOf(value);
  return { key: textOf(taint.key), value: textOf(taint.value), effect: textOf(taint.effect) };
}

function countersOf(value: unknown): Counters {
  return new Map(Object.entries(fieldsOf(value)).map(([name, it]) => [name, billionths(amountOf(fieldsOf(it).value))]));
}

export function amountOf(value: unknown): Quantity {
  const quantity = quantityOf(value ?? null);
  if (quantity === undefined) throw new TypeError('not a quantity');
  return quantity;
}

/** No real quantity is larger; prevents numbers with a million digits. */
const MAX_ORDERS = 100;

/** A quantity as an integer number of billionths, the finest unit. */
export function billionths({ amount, scale }: Quantity): bigint {
  return amount * 10n ** BigInt(Math.min(Math.max(scale + 9, 0), MAX_ORDERS));
}

export function taintRule(object: UnknownObject): TaintRule {
  const spec = fieldsOf(object.spec);
  const taint = taintOf(spec.taint);
  if (spec.deviceSelector === undefined || spec.deviceSelector === null) return { taint };
  const { driver, pool, device } = fieldsOf(spec.deviceSelector);
  return {
    taint,
    selector: {
      ...(typeof driver === 'string' && { driver }),
      ...(typeof pool === 'string' && { pool }),
      ...(typeof device === 'string' && { device }),
    },
  };
}

export function deviceClass(object: UnknownObject, createdOtherwise: number): DeviceClass {
  const metadata = fieldsOf(object.metadata);
  const { extendedResourceName, selectors } = fieldsOf(object.spec);
  const created = Date.parse(textOf(metadata.creationTimestamp));
  return {
    name: textOf(metadata.name),
    selectors: selectorsOf(selectors),
    ...(typeof extendedResourceName === 'string' && { extendedResourceName }),
    created: Number.isNaN(created) ? createdOtherwise : created,
  };
}

export function selectorsOf(value: unknown): readonly (string | undefined)[] {
  return listOf(value).map(it => {
    const { cel } = fieldsOf(it);
    return cel === undefined || cel === null ? undefined : textOf(fieldsOf(cel).expression);
  });
}
