import { isObject, type JsonValue } from '../../base/json';
import type { GoUrl } from '../goUrl';
import type { Cidr, Ip } from '../ip';
import type { Quantity } from '../quantity';
import type { Semver } from './semver';

/** Values of Kubernetes' own types. The evaluator identifies the type of a value by its class. */

export class CelQuantity {
  constructor(readonly quantity: Quantity) {}
}

export class CelSemver {
  constructor(readonly version: Semver) {}
}

export class CelIp {
  constructor(readonly ip: Ip) {}
}

export class CelCidr {
  constructor(readonly cidr: Cidr) {}
}

export class CelUrl {
  constructor(readonly url: GoUrl) {}
}

/** A JSON value in CEL's types: whole numbers are integers, objects are maps. */
export function celValue(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(celValue);
  if (!isObject(value)) return value;
  return new Map(Object.entries(value).map(([name, it]) => [name, celValue(it)]));
}

/** Nanoseconds of a duration of the evaluator, which does not export its class. */
export function nanosecondsOf(value: unknown): bigint | undefined {
  const { seconds, nanos } = (value ?? {}) as { readonly seconds?: unknown; readonly nanos?: unknown };
  return typeof seconds === 'bigint' && typeof nanos === 'number'
    ? seconds * 1_000_000_000n + BigInt(nanos)
    : undefined;
}

/** The number in an unsigned integer of the evaluator. */
export function unsignedOf(value: unknown): bigint | undefined {
  const number = typeof value === 'object' && value !== null && 'verify' in value ? value.valueOf() : undefined;
  return typeof number === 'bigint' ? number : undefined;
}
