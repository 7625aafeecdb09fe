import type { Cidr, Ip } from '../ip';
import type { Quantity } from '../quantity';
import type { Semver } from './semver';

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
  constructor(readonly url: URL) {}
}
