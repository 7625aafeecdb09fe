import { isLinkLocalMulticast, isLinkLocalUnicast, isLoopback, isUnspecified, parseIp } from '../../../../kube/ip';

/** The errors of an address that must belong to another machine. Upstream: ValidateEndpointIP. */
export function endpointIpErrors(value: string): readonly string[] {
  const ip = parseIp(value);
  if (ip === undefined) return ['must be a valid IP address'];
  return [
    ...(isUnspecified(ip) ? [`may not be unspecified (${value})`] : []),
    ...(isLoopback(ip) ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : []),
    ...(isLinkLocalUnicast(ip) ? ['may not be in the link-local range (169.254.0.0/16, fe80::/10)'] : []),
    ...(isLinkLocalMulticast(ip) ? ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'] : []),
  ];
}
