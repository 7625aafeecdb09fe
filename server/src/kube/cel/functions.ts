import {
  type Cidr,
  formatIp,
  type Ip,
  ipFamily,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIpv4,
  isUnspecified,
  parseCidr,
  parseIp,
} from '../ip';
import { addressComplaint, prefixComplaint } from '../netip';
import {
  addQuantities,
  compareQuantities,
  type Quantity,
  quantityError,
  quantityInt64,
  readQuantity,
  subtractQuantities,
} from '../quantity';
import { compareSemvers, normalizedSemver, parseSemver, parseSemverLeniently, semverComplaint } from './semver';
import { escapedPath, hostnameOf, parseUrl, portOf, queryOf, urlComplaint } from './url';
import { CelCidr, CelIp, CelQuantity, CelSemver, CelUrl } from './values';

/** Signature → implementation. Upstream: k8s.io/apiserver/pkg/cel/library. */
export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

const sign = (order: number): bigint => BigInt(Math.sign(order));

const quantityOfInt = (value: bigint): Quantity => ({ amount: value, scale: 0, form: 'int64', format: 'DecimalSI' });

/** Upstream: Quantity.AsInt64, which does not check whether decimal places are zero. */
function isInt64({ amount, scale, form }: Quantity): boolean {
  if (form !== 'int64' || scale < 0) return false;
  if (scale >= 19) return amount === 0n;
  const value = amount * 10n ** BigInt(scale);
  return BigInt.asIntN(64, value) === value;
}

function quantity(text: string): CelQuantity {
  const read = readQuantity(text);
  if ('error' in read) throw new Error(read.error);
  return new CelQuantity(read);
}

const quantityFunctions: Functions = {
  'quantity(string): kubernetes.Quantity': quantity,
  'isQuantity(string): bool': (text: string) => quantityError(text) === undefined,
  'sign(kubernetes.Quantity): int': (a: CelQuantity) =>
    sign(Number(a.quantity.amount > 0n) - Number(a.quantity.amount < 0n)),
  'kubernetes.Quantity.isInteger(): bool': (a: CelQuantity) => isInt64(a.quantity),
  'kubernetes.Quantity.asInteger(): int': (a: CelQuantity) => {
    if (!isInt64(a.quantity)) throw new Error('cannot convert value to integer');
    return quantityInt64(a.quantity);
  },
  'kubernetes.Quantity.asApproximateFloat(): double': (a: CelQuantity) =>
    Number(`${a.quantity.amount}e${a.quantity.scale}`),
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.quantity, b.quantity) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.quantity, b.quantity) < 0,
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: CelQuantity, b: CelQuantity) =>
    sign(compareQuantities(a.quantity, b.quantity)),
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    new CelQuantity(addQuantities(a.quantity, b.quantity)),
  'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) =>
    new CelQuantity(addQuantities(a.quantity, quantityOfInt(b))),
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    new CelQuantity(subtractQuantities(a.quantity, b.quantity)),
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) =>
    new CelQuantity(subtractQuantities(a.quantity, quantityOfInt(b))),
};

function semver(text: string, mode: 'strict' | 'lenient'): CelSemver {
  const version = mode === 'lenient' ? parseSemverLeniently(text) : parseSemver(text);
  if (version === undefined) throw new Error(semverComplaint(mode === 'lenient' ? normalizedSemver(text) : text));
  return new CelSemver(version);
}

const semverFunctions: Functions = {
  'semver(string): kubernetes.Semver': (text: string) => semver(text, 'strict'),
  'semver(string, bool): kubernetes.Semver': (text: string, normalize: boolean) =>
    semver(text, normalize ? 'lenient' : 'strict'),
  'isSemver(string): bool': (text: string) => parseSemver(text) !== undefined,
  'isSemver(string, bool): bool': (text: string, normalize: boolean) =>
    (normalize ? parseSemverLeniently(text) : parseSemver(text)) !== undefined,
  'kubernetes.Semver.major(): int': (a: CelSemver) => a.version.major,
  'kubernetes.Semver.minor(): int': (a: CelSemver) => a.version.minor,
  'kubernetes.Semver.patch(): int': (a: CelSemver) => a.version.patch,
  'kubernetes.Semver.isGreaterThan(kubernetes.Semver): bool': (a: CelSemver, b: CelSemver) =>
    compareSemvers(a.version, b.version) > 0,
  'kubernetes.Semver.isLessThan(kubernetes.Semver): bool': (a: CelSemver, b: CelSemver) =>
    compareSemvers(a.version, b.version) < 0,
  'kubernetes.Semver.compareTo(kubernetes.Semver): int': (a: CelSemver, b: CelSemver) =>
    sign(compareSemvers(a.version, b.version)),
};

function standardIp(text: string): Ip | undefined {
  const ip = parseIp(text);
  return ip?.isStandard && !isMappedIpv4(ip) ? ip : undefined;
}

function ip(text: string): Ip {
  const read = standardIp(text);
  if (read === undefined) throw new Error(ipComplaint(text));
  return read;
}

/** Upstream: library.parseIPAddr. */
function ipComplaint(text: string): string {
  const quoted = JSON.stringify(text);
  const complaint = addressComplaint(text);
  if (complaint !== undefined) {
    return `IP Address ${quoted} parse error during conversion from string: ${complaint}`;
  }
  return text.includes('%')
    ? `IP address ${quoted} with zone value is not allowed`
    : `IPv4-mapped IPv6 address ${quoted} is not allowed`;
}

/** Upstream: library.parseCIDR. */
function cidrComplaint(text: string): string {
  const quoted = JSON.stringify(text);
  const complaint = prefixComplaint(text);
  return complaint === undefined
    ? `IPv4-mapped IPv6 address ${quoted} is not allowed`
    : `network address parse error during conversion from string: netip.ParsePrefix(${quoted}): ${complaint}`;
}

function standardCidr(text: string): Cidr | undefined {
  const cidr = parseCidr(text);
  return cidr?.isStandard && !isMappedIpv4(cidr.ip) ? cidr : undefined;
}

function cidr(text: string): Cidr {
  const read = standardCidr(text);
  if (read === undefined) {
    throw new Error(`network address parse error during conversion from string: ${cidrComplaint(text)}`);
  }
  return read;
}

const bitsOf = ({ bytes }: Ip): string => bytes.map(it => it.toString(2).padStart(8, '0')).join('');

function containsIp({ network, prefixLength }: Cidr, address: Ip): boolean {
  return (
    network.bytes.length === address.bytes.length &&
    bitsOf(network).slice(0, prefixLength) === bitsOf(address).slice(0, prefixLength)
  );
}

/** Upstream does not report what is wrong with a text that is compared. */
function operand(read: Ip | undefined): Ip {
  if (read === undefined) throw new Error('no such overload');
  return read;
}

const containsCidr = (outer: Cidr, inner: Cidr): boolean =>
  outer.prefixLength <= inner.prefixLength && containsIp(outer, inner.ip);

const isGlobalUnicast = (it: Ip): boolean =>
  !isUnspecified(it) &&
  !isLoopback(it) &&
  !isLinkLocalUnicast(it) &&
  formatIp(it) !== '255.255.255.255' &&
  !(it.bytes.length === 4 ? ((it.bytes[0] ?? 0) & 0xf0) === 0xe0 : it.bytes[0] === 0xff);

const networkFunctions: Functions = {
  'ip(string): net.IP': (text: string) => new CelIp(ip(text)),
  'isIP(string): bool': (text: string) => standardIp(text) !== undefined,
  'IpNamespace.isCanonical(string): bool': (_: unknown, text: string) => formatIp(ip(text)) === text,
  'string(net.IP): string': (it: CelIp) => formatIp(it.ip),
  'net.IP.family(): int': (it: CelIp) => (ipFamily(it.ip) === 'IPv4' ? 4n : 6n),
  'net.IP.isUnspecified(): bool': (it: CelIp) => isUnspecified(it.ip),
  'net.IP.isLoopback(): bool': (it: CelIp) => isLoopback(it.ip),
  'net.IP.isLinkLocalMulticast(): bool': (it: CelIp) => isLinkLocalMulticast(it.ip),
  'net.IP.isLinkLocalUnicast(): bool': (it: CelIp) => isLinkLocalUnicast(it.ip),
  'net.IP.isGlobalUnicast(): bool': (it: CelIp) => isGlobalUnicast(it.ip),
  'cidr(string): net.CIDR': (text: string) => new CelCidr(cidr(text)),
  'isCIDR(string): bool': (text: string) => standardCidr(text) !== undefined,
  'string(net.CIDR): string': (it: CelCidr) => `${formatIp(it.cidr.ip)}/${it.cidr.prefixLength}`,
  'net.CIDR.ip(): net.IP': (it: CelCidr) => new CelIp(it.cidr.ip),
  'net.CIDR.prefixLength(): int': (it: CelCidr) => BigInt(it.cidr.prefixLength),
  'net.CIDR.masked(): net.CIDR': (it: CelCidr) => new CelCidr({ ...it.cidr, ip: it.cidr.network }),
  'net.CIDR.containsIP(string): bool': (it: CelCidr, text: string) => containsIp(it.cidr, operand(standardIp(text))),
  'net.CIDR.containsIP(net.IP): bool': (it: CelCidr, other: CelIp) => containsIp(it.cidr, other.ip),
  'net.CIDR.containsCIDR(string): bool': (it: CelCidr, text: string) => containsCidr(it.cidr, cidr(text)),
  'net.CIDR.containsCIDR(net.CIDR): bool': (it: CelCidr, other: CelCidr) => containsCidr(it.cidr, other.cidr),
};

function url(text: string): CelUrl {
  const read = parseUrl(text);
  if (read === undefined) throw new Error(`URL parse error during conversion from string: ${urlComplaint(text)}`);
  return new CelUrl(read);
}

const urlFunctions: Functions = {
  'url(string): kubernetes.URL': url,
  'isURL(string): bool': (text: string) => parseUrl(text) !== undefined,
  'kubernetes.URL.getScheme(): string': (it: CelUrl) => it.url.scheme,
  'kubernetes.URL.getHost(): string': (it: CelUrl) => it.url.host,
  'kubernetes.URL.getHostname(): string': (it: CelUrl) => hostnameOf(it.url),
  'kubernetes.URL.getPort(): string': (it: CelUrl) => portOf(it.url),
  'kubernetes.URL.getEscapedPath(): string': (it: CelUrl) => escapedPath(it.url),
  'kubernetes.URL.getQuery(): map<string, list<string>>': (it: CelUrl) => queryOf(it.url),
};

/** The types that Kubernetes adds, by the class of their values. */
export const kubernetesTypes = {
  'kubernetes.Quantity': CelQuantity,
  'kubernetes.Semver': CelSemver,
  'net.IP': CelIp,
  'net.CIDR': CelCidr,
  'kubernetes.URL': CelUrl,
} as const;

/** The equality of values of each type. */
export const kubernetesEqualities: Readonly<Record<keyof typeof kubernetesTypes, (a: never, b: never) => boolean>> = {
  'kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) => compareQuantities(a.quantity, b.quantity) === 0,
  'kubernetes.Semver': (a: CelSemver, b: CelSemver) => compareSemvers(a.version, b.version) === 0,
  'net.IP': (a: CelIp, b: CelIp) => bitsOf(a.ip) === bitsOf(b.ip),
  'net.CIDR': (a: CelCidr, b: CelCidr) =>
    bitsOf(a.cidr.ip) === bitsOf(b.cidr.ip) && a.cidr.prefixLength === b.cidr.prefixLength,
  'kubernetes.URL': (a: CelUrl, b: CelUrl) => a.url.text === b.url.text,
};

export const kubernetesFunctions: Functions = {
  ...quantityFunctions,
  ...semverFunctions,
  ...networkFunctions,
  ...urlFunctions,
};
