import type { IpStrictness } from '../../../../kube/ip';
import type { Validation } from '../errors';

/** How strictly addresses are parsed in fields that are older than strict validation. */
export function ipStrictness({ isOn }: Pick<Validation, 'isOn'>): IpStrictness {
  return isOn('StrictIPCIDRValidation') ? 'strict' : 'sloppy';
}
