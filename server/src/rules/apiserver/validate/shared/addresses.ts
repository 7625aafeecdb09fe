import { cidrWarnings, ipWarnings, legacyCidrErrors, legacyIpErrors } from '../../../../kube/ip';
import type { Kube } from '../../../../kube/kube';
import { oldCidrWarnings, oldIpWarnings } from '../../../../kube/netip';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import type { Validation } from '../errors';
import { ipStrictness } from './strictness';

type WarningsOf = (value: string) => readonly string[];

/** The server's warnings for an accepted address or block, without the field's path, as a minor words them. */
export function addressWarningsOf(kube: Kube): { readonly ip: WarningsOf; readonly cidr: WarningsOf } {
  if (applies(minorChanges.addressesInvalid, kube)) return { ip: ipWarnings, cidr: cidrWarnings };
  if (!applies(minorChanges.addressWarnings, kube)) return { ip: oldIpWarnings, cidr: oldCidrWarnings };
  const milder = (warningsOf: WarningsOf) => (value: string) =>
    warningsOf(value).map(it =>
      it.replace('is invalid: use', 'will be considered invalid in a future Kubernetes release: use'),
    );
  return { ip: milder(ipWarnings), cidr: milder(cidrWarnings) };
}

/**
 * The server's warnings for the addresses and blocks of endpoints and network policies. None for one that is
 * refused, which says as much.
 */
export function acceptedAddressWarnings({ kube, isOn }: Validation): ReturnType<typeof addressWarningsOf> {
  const strictness = ipStrictness({ isOn });
  const none: WarningsOf = () => [];
  if (!applies(minorChanges.endpointAddressWarnings, kube)) return { ip: none, cidr: none };
  const { ip, cidr } = addressWarningsOf(kube);
  return {
    ip: value => (legacyIpErrors(value, strictness).length > 0 ? [] : ip(value)),
    cidr: value => (legacyCidrErrors(value, strictness).length > 0 ? [] : cidr(value)),
  };
}
