import { isObject } from '../../manifest/json';
import type { JsonValue } from '../../manifest/manifest';
import type { Cidr, Ip } from '../ip';
import type { Quantity } from '../quantity';
import type { Semver } from './semver';
import type { GoUrl } from './url';

/** Values of Kubernetes' own types. The evaluator tells the type of a value by its class. */

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

/** JSON as CEL has it: whole numbers are integers, objects maps. */
export function celValue(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(celValue);
  if (!isObject(value)) return value;
  return new Map(Object.entries(value).map(([name, it]) => [name, celValue(it)]));
}
