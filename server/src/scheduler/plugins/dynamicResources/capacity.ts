import { billionths, type DeviceCapacity, type RequestPolicy } from '../../../cluster/devices/devices';
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInt64,
  quantityMilliInt64,
} from '../../../kube/quantity';
import type { DeviceFeatures } from './features';

/** Capacity → amount in billionths. */
export type Consumed = ReadonlyMap<string, bigint>;
type Capacities = ReadonlyMap<string, DeviceCapacity>;
type RequestedCapacity = ReadonlyMap<string, Quantity> | undefined;
type Failure = { readonly error: string };

const maxInt64 = 2n ** 63n - 1n;
const notRepresentable = "capacity request cannot be represented in the device's range arithmetic";

/** Whether a device has enough capacity for a request besides its other consumers. Upstream: CmpRequestOverCapacity. */
export function hasRoom(
  requested: RequestedCapacity,
  capacities: Capacities,
  taken: Consumed | undefined,
  takenNow: Consumed | undefined,
  features: DeviceFeatures,
): boolean | Failure {
  if (requested && [...requested.keys()].some(it => !capacities.has(it))) return false;
  const wanted: (readonly [string, DeviceCapacity, Quantity])[] = [];
  for (const [name, capacity] of capacities) {
    const amount = consumedOf(requested?.get(name), capacity, features);
    if ('error' in amount) return { error: `capacity ${JSON.stringify(name)}: ${amount.error}` };
    if (amount.amount < 0n) return { error: `capacity ${JSON.stringify(name)}: capacity value is negative` };
    wanted.push([name, capacity, amount]);
  }
  return wanted.every(([name, { value, policy }, amount]) => {
    if (policy && violates(amount, policy, features)) return false;
    const sum = billionths(amount) + (taken?.get(name) ?? 0n) + (takenNow?.get(name) ?? 0n);
    return sum <= billionths(value);
  });
}

/** The capacity that a share of a device consumes. Upstream: GetConsumedCapacityFromRequest. */
export function consumedBy(requested: RequestedCapacity, capacities: Capacities, features: DeviceFeatures): Consumed {
  const res = new Map<string, bigint>();
  for (const [name, capacity] of capacities) {
    const amount = consumedOf(requested?.get(name), capacity, features);
    // `hasRoom` ran before and would have reported an error.
    if (!('error' in amount)) res.set(name, billionths(amount));
  }
  return res;
}

export function plusConsumed(a: Consumed | undefined, b: Consumed): Consumed {
  const res = new Map(a ?? []);
  for (const [name, amount] of b) res.set(name, (res.get(name) ?? 0n) + amount);
  return res;
}

/** Upstream: calculateConsumedCapacity. */
function consumedOf(
  requested: Quantity | undefined,
  { value, policy }: DeviceCapacity,
  features: DeviceFeatures,
): Quantity | Failure {
  if (requested === undefined) return policy?.default ?? value;
  const { validRange, validValues } = policy ?? {};
  if (validRange?.min) return roundUpToRange(requested, validRange.min, validRange, features);
  if (validValues) return validValues.find(it => compareQuantities(requested, it) <= 0) ?? requested;
  return requested;
}

type ValidRange = NonNullable<RequestPolicy['validRange']>;

/** Upstream: roundUpRange. */
function roundUpToRange(
  requested: Quantity,
  min: Quantity,
  range: ValidRange,
  features: DeviceFeatures,
): Quantity | Failure {
  const { step } = range;
  if (compareQuantities(requested, min) < 0) return min;
  if (!step) return requested;
  const text = formatQuantity(requested);
  const inMilli = usesMilli(range, features);
  const over = inMilli
    ? safeMilli(requested) === undefined && `request ${text} is not a representable milli value`
    : billionths(requested) > maxInt64 * 1_000_000_000n && `request ${text} exceeds MaxInt64`;
  if (over) return { error: `${notRepresentable}: ${over}` };
  const read = inMilli ? quantityMilliInt64 : quantityInt64;
  const [wanted, least, stride] = [read(requested), read(min), read(step)];
  // The API server admits no step of zero.
  if (stride === 0n) return requested;
  const added = wanted - least;
  const steps = added / stride + (added % stride === 0n ? 0n : 1n);
  if ((inMilli || least >= 0n) && steps > (maxInt64 - least) / stride) {
    const passed = inMilli ? 'the milli-value range' : 'MaxInt64';
    return { error: `${notRepresentable}: rounding request ${text} up to the next step passes ${passed}` };
  }
  return { amount: least + stride * steps, scale: inMilli ? -3 : 0, form: 'int64', format: step.format };
}

/** Upstream: violatesPolicy. */
function violates(amount: Quantity, policy: RequestPolicy, features: DeviceFeatures): boolean {
  if (policy.default && compareQuantities(amount, policy.default) === 0) return false;
  if (policy.validRange) return violatesRange(amount, policy.validRange, features);
  const { validValues = [] } = policy;
  return validValues.length > 0 && !validValues.some(it => compareQuantities(amount, it) === 0);
}

function violatesRange(amount: Quantity, range: ValidRange, features: DeviceFeatures): boolean {
  const { min, max, step } = range;
  if (max && compareQuantities(amount, max) > 0) return true;
  if (!step || !min) return false;
  const inMilli = usesMilli(range, features);
  if (inMilli && safeMilli(amount) === undefined) return true;
  const read = inMilli ? quantityMilliInt64 : quantityInt64;
  return read(step) !== 0n && (read(amount) - read(min)) % read(step) !== 0n;
}

/** Upstream: useMilli. */
function usesMilli({ min, max, step }: ValidRange, { fractionalCapacityRange }: DeviceFeatures): boolean {
  if (!fractionalCapacityRange) return false;
  const isExact = [min, max, step].every(it => it === undefined || safeMilli(it) !== undefined);
  return isExact && (step === undefined || quantityMilliInt64(step) >= 1n);
}

/** In thousandths; undefined where they cannot express the amount exactly. */
function safeMilli(quantity: Quantity): bigint | undefined {
  const milli = quantityMilliInt64(quantity);
  return milli * 1_000_000n === billionths(quantity) ? milli : undefined;
}
