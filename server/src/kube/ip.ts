/**
 * IP addresses and CIDR blocks as the API server parses them: leniently first, then strictly. Written by hand:
 * libraries (ipaddr.js, ip-address) accept other texts than Go's old parser and than net/netip.
 */

/** An address: four bytes, or sixteen (an IPv4-mapped IPv6 address keeps its sixteen). */
export interface Ip {
  readonly bytes: readonly number[];
  /** Whether the strict parser accepts the text, too; if not, some number in it has leading zeros. */
  readonly isStandard: boolean;
}

export interface Cidr {
  /** The address as written. */
  readonly ip: Ip;
  /** The address with the bits after the prefix cleared. */
  readonly network: Ip;
  /** Bits of the prefix, at most 32 or 128. */
  readonly prefixLength: number;
  readonly isStandard: boolean;
}

/**
 * Whether the server refuses or accepts old forms: leading zeros, IPv4-mapped IPv6, bits after a prefix (gate
 * StrictIPCIDRValidation).
 */
export type IpStrictness = 'strict' | 'sloppy';

const badIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const badCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const badInterfaceAddress = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** An address, leading zeros allowed; undefined for anything else. Upstream: k8s.io/utils/net.ParseIPSloppy. */
export function parseIp(text: string): Ip | undefined {
  const separator = /[.:]/.exec(text)?.[0];
  if (separator === undefined) return undefined;
  return separator === '.' ? parseIpv4(text) : parseIpv6(text);
}

function parseIpv4(text: string): Ip | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every(it => /^[0-9]+$/.test(it) && Number(it) <= 255)) return undefined;
  return { bytes: octets.map(Number), isStandard: !octets.some(it => /^0./.test(it)) };
}

function parseIpv6(text: string): Ip | undefined {
  const halves = text.split('::').map(it => (it === '' ? [] : it.split(':')));
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, i) => groupsOf(half, i === halves.length - 1 ? 'last' : 'inner'));
  const [head, tail] = groups;
  if (head === undefined || groups.some(it => it === undefined)) return undefined;
  const isStandard = groups.every(it => it?.isStandard);
  if (tail === undefined) return head.bytes.length === 16 ? { bytes: head.bytes, isStandard } : undefined;
  const zeros = 16 - head.bytes.length - tail.bytes.length;
  if (zeros < 2) return undefined;
  return { bytes: [...head.bytes, ...Array<number>(zeros).fill(0), ...tail.bytes], isStandard };
}

/** The bytes of the groups between colons; the last group may be the dotted form of four bytes. */
function groupsOf(groups: readonly string[], place: 'inner' | 'last'): Ip | undefined {
  const bytes: number[] = [];
  let isStandard = true;
  for (const [i, group] of groups.entries()) {
    if (group.includes('.')) {
      const ipv4 = place === 'last' && i === groups.length - 1 ? parseIpv4(group) : undefined;
      if (ipv4 === undefined) return undefined;
      bytes.push(...ipv4.bytes);
      isStandard &&= ipv4.isStandard;
      continue;
    }
    const value = /^[0-9a-fA-F]+$/.test(group) ? Number.parseInt(group, 16) : Number.NaN;
    if (!(value <= 0xffff)) return undefined;
    bytes.push(value >> 8, value & 0xff);
    isStandard &&= group.length <= 4;
  }
  return { bytes, isStandard };
}

/** Whether an address is an IPv4-mapped IPv6 address, `::ffff:1.2.3.4`. */
export function isMappedIpv4(ip: Ip): boolean {
  return ip.bytes.length === 16 && ip.bytes.every((it, i) => i >= 12 || it === (i < 10 ? 0 : 0xff));
}

/** The family; a mapped address is IPv4. Upstream: k8s.io/utils/net.IPFamilyOf. */
export function ipFamily(ip: Ip): 'IPv4' | 'IPv6' {
  return ip.bytes.length === 4 || isMappedIpv4(ip) ? 'IPv4' : 'IPv6';
}

/** The canonical text: dotted for IPv4 and mapped addresses, else RFC 5952. Upstream: net.IP.String. */
export function formatIp(ip: Ip): string {
  return ipFamily(ip) === 'IPv4' ? ip.bytes.slice(-4).join('.') : formatIpv6(ip);
}

function formatIpv6({ bytes }: Ip): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): { readonly start: number; readonly length: number } {
  return groups.reduce(
    (best, _, start) => {
      const end = groups.findIndex((it, i) => i >= start && it !== '0');
      const length = (end < 0 ? groups.length : end) - start;
      return length > best.length ? { start, length } : best;
    },
    { start: 0, length: 0 },
  );
}

/** Whether two addresses are equal, mapped or not. Upstream: net.IP.Equal. */
export function isSameIp(a: Ip, b: Ip): boolean {
  return formatIp(a) === formatIp(b);
}

/** Whether an address is a loopback address. Upstream: net.IP.IsLoopback. */
export function isLoopback(ip: Ip): boolean {
  return ipFamily(ip) === 'IPv4' ? ip.bytes.at(-4) === 127 : formatIpv6(ip) === '::1';
}

/** Whether an address is `0.0.0.0` or `::`. Upstream: net.IP.IsUnspecified. */
export function isUnspecified(ip: Ip): boolean {
  return ['0.0.0.0', '::'].includes(formatIp(ip));
}

/** Whether an address is 169.254.0.0/16 or fe80::/10. Upstream: net.IP.IsLinkLocalUnicast. */
export function isLinkLocalUnicast(ip: Ip): boolean {
  const [first = 0, second = 0] = ip.bytes.slice(ipFamily(ip) === 'IPv4' ? -4 : 0);
  return ipFamily(ip) === 'IPv4' ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
}

/** Whether an address is 224.0.0.0/24 or ff?2::/16. Upstream: net.IP.IsLinkLocalMulticast. */
export function isLinkLocalMulticast(ip: Ip): boolean {
  const [first = 0, second = 0, third = 0] = ip.bytes.slice(ipFamily(ip) === 'IPv4' ? -4 : 0);
  if (ipFamily(ip) === 'IPv4') return first === 224 && second === 0 && third === 0;
  return first === 0xff && (second & 0x0f) === 0x02;
}

/** A block; leading zeros and bits after the prefix are allowed. Upstream: k8s.io/utils/net.ParseCIDRSloppy. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^[0-9]+$/.test(length)) return undefined;
  const address = text.slice(0, slash);
  const ip = parseIpv4(address) ?? parseIpv6(address);
  if (ip === undefined || Number(length) > 8 * ip.bytes.length) return undefined;
  const prefixLength = Number(length);
  const bytes = ip.bytes.map((it, i) => it & (0xff00 >> Math.min(8, Math.max(0, prefixLength - 8 * i))) & 0xff);
  return { ip, network: { ...ip, bytes }, prefixLength, isStandard: ip.isStandard && !/^0./.test(length) };
}

/** Whether an address lies in a block; IPv4 and IPv6 never mix. Upstream: net.IPNet.Contains. */
export function containsIp({ network, prefixLength }: Cidr, ip: Ip): boolean {
  if (ipFamily(network) !== ipFamily(ip)) return false;
  const size = ipFamily(ip) === 'IPv4' ? 4 : 16;
  const [own, other] = [network.bytes.slice(-size), ip.bytes.slice(-size)];
  const bits = shortened(network, prefixLength);
  return own.every((it, i) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * i));
    return it >> (8 - kept) === (other[i] ?? 0) >> (8 - kept);
  });
}

/** A block's network with its prefix; a mapped one as IPv4 if the prefix is long enough. Upstream: net.IPNet.String. */
export function formatCidr({ network, prefixLength }: Cidr): string {
  return `${formatIp(network)}/${shortened(network, prefixLength)}`;
}

/** The prefix length for the printed form of an address. */
function shortened(ip: Ip, prefixLength: number): number {
  return isMappedIpv4(ip) && prefixLength >= 96 ? prefixLength - 96 : prefixLength;
}

const notCanonical = (canonical: string) => [`must be in canonical form (${JSON.stringify(canonical)})`];

/** Errors of an address in a field that is older than strict validation. Upstream: IsValidIPForLegacyField. */
export function legacyIpErrors(value: string, strictness: IpStrictness): readonly string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [badIp];
  if (strictness === 'sloppy') return [];
  if (!ip.isStandard) return ['must not have leading 0s'];
  return isMappedIpv4(ip) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Errors of an address that must be canonical. Upstream: IsValidIP. */
export function ipErrors(value: string): readonly string[] {
  const errors = legacyIpErrors(value, 'strict');
  const ip = parseIp(value);
  if (errors.length > 0 || ip === undefined) return errors;
  return formatIp(ip) === value ? [] : notCanonical(formatIp(ip));
}

/** The server's warnings for an accepted address, without the field's path. Upstream: GetWarningsForIP. */
export function ipWarnings(value: string): readonly string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [];
  const [written, canonical] = [JSON.stringify(value), JSON.stringify(formatIp(ip))];
  if (!ip.isStandard || isMappedIpv4(ip)) return [`non-standard IP address ${written} is invalid: use ${canonical}`];
  if (written === canonical) return [];
  return [`IPv6 address ${written} should be in RFC 5952 canonical format (${canonical})`];
}

/** Errors of a block in a field that is older than strict validation. Upstream: IsValidCIDRForLegacyField. */
export function legacyCidrErrors(value: string, strictness: IpStrictness): readonly string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [badCidr];
  if (strictness === 'sloppy') return [];
  if (!cidr.isStandard) return ['must not have leading 0s in IP or prefix length'];
  if (isMappedIpv4(cidr.ip)) return ['must not have an IPv4-mapped IPv6 address'];
  return isSameIp(cidr.ip, cidr.network) ? [] : ['must not have bits set beyond the prefix length'];
}

/** Errors of a block that must be canonical. Upstream: IsValidCIDR. */
export function cidrErrors(value: string): readonly string[] {
  const errors = legacyCidrErrors(value, 'strict');
  const cidr = parseCidr(value);
  if (errors.length > 0 || cidr === undefined) return errors;
  return formatCidr(cidr) === value ? [] : notCanonical(formatCidr(cidr));
}

/** The server's warnings for an accepted block, without the field's path. Upstream: GetWarningsForCIDR. */
export function cidrWarnings(value: string): readonly string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [];
  const [written, canonical] = [JSON.stringify(value), JSON.stringify(formatCidr(cidr))];
  const single = JSON.stringify(`${formatIp(cidr.ip)}/${8 * cidr.ip.bytes.length}`);
  const warnings = [
    ...(isSameIp(cidr.ip, cidr.network)
      ? []
      : [`CIDR value ${written} is ambiguous in this context (should be ${canonical} or ${single}?)`]),
    ...(cidr.isStandard && !isMappedIpv4(cidr.ip)
      ? []
      : [`non-standard CIDR value ${written} is invalid: use ${canonical}`]),
  ];
  if (warnings.length > 0 || written === canonical) return warnings;
  return [`IPv6 CIDR value ${written} should be in RFC 5952 canonical format (${canonical})`];
}

/** Errors of a machine's own address with its prefix, which must be canonical. Upstream: IsValidInterfaceAddress. */
export function interfaceAddressErrors(value: string): readonly string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [badInterfaceAddress];
  const length = ipFamily(cidr.ip) === 'IPv4' && cidr.prefixLength > 32 ? cidr.prefixLength - 96 : cidr.prefixLength;
  const canonical = `${formatIp(cidr.ip)}/${length}`;
  return canonical === value ? [] : notCanonical(canonical);
}
