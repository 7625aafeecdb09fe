import { formatIp, isMappedIpv4, parseIp } from './ip';

/**
 * The complaints of Go's strict parser, which the API server printed in warnings until 1.32. Upstream: Go's
 * net/netip.ParseAddr, ParsePrefix.
 */

/** The warnings for an address until 1.32, without the field's path. Upstream: getWarningsForIP of pkg/api/service. */
export function oldIpWarnings(address: string): readonly string[] {
  const complaint = addressComplaint(address);
  if (complaint !== undefined) return [`IP address ${refusedLater}: ${complaint}`];
  const canonical = canonicalAddress(address);
  return canonical === address ? [] : [notCanonical('address', address, canonical)];
}

/** The warnings for a block until 1.32, without the field's path. Upstream: getWarningsForCIDR of pkg/api/service. */
export function oldCidrWarnings(block: string): readonly string[] {
  const complaint = prefixComplaint(block);
  if (complaint !== undefined) {
    return [`IP prefix ${refusedLater}: netip.ParsePrefix(${JSON.stringify(block)}): ${complaint}`];
  }
  const slash = block.lastIndexOf('/');
  const canonical = canonicalAddress(block.slice(0, slash)) + block.slice(slash);
  return canonical === block ? [] : [notCanonical('prefix', block, canonical)];
}

const refusedLater = 'was accepted, but will be invalid in a future Kubernetes release';

function notCanonical(what: string, written: string, canonical: string): string {
  const form = `RFC 5952 canonical format (${JSON.stringify(canonical)})`;
  return `IPv6 ${what} ${JSON.stringify(written)} is not in ${form}, which may cause controller apply-loops`;
}

/** A mapped address keeps its prefix, other than in the API server's own canonical form. */
function canonicalAddress(address: string): string {
  const ip = parseIp(address);
  if (ip === undefined) return address;
  return isMappedIpv4(ip) ? `::ffff:${formatIp(ip)}` : formatIp(ip);
}

/** The error of Go's netip.ParsePrefix. */
export function prefixComplaint(block: string): string | undefined {
  const slash = block.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const address = block.slice(0, slash);
  const complaint = addressComplaint(address);
  if (complaint !== undefined) return complaint;
  const bits = block.slice(slash + 1);
  if (!/^(0|[1-9][0-9]*)$/.test(bits)) return `bad bits after slash: ${JSON.stringify(bits)}`;
  return Number(bits) > (address.includes(':') ? 128 : 32) ? 'prefix length out of range' : undefined;
}

/** What is wrong with an address, and the rest of the text from there on. */
interface Complaint {
  readonly what: string;
  readonly rest?: string;
}

/** The error of Go's netip.ParseAddr for an address without a zone. */
export function addressComplaint(address: string): string | undefined {
  const separator = /[.:%]/.exec(address)?.[0];
  const found =
    separator === '.' ? ipv4Complaint(address) : separator === ':' ? ipv6Complaint(address) : notAnAddress(separator);
  if (found === undefined) return undefined;
  const place = found.rest === undefined ? '' : ` (at ${JSON.stringify(found.rest)})`;
  return `ParseAddr(${JSON.stringify(address)}): ${found.what}${place}`;
}

const notAnAddress = (separator: string | undefined): Complaint => ({
  what: separator === '%' ? 'missing IPv6 address' : 'unable to parse IP',
});

function ipv4Complaint(text: string): Complaint | undefined {
  const octets = text.split('.');
  let start = 0;
  for (const [i, octet] of octets.entries()) {
    const wrong = octetComplaint(octet, text.slice(start));
    if (wrong !== undefined) return wrong;
    const dot = start + octet.length;
    // An empty octet is noticed at the dot after it, an empty last one at the dot before it.
    if (octet === '' && i < octets.length - 1) return { what: noDigit, rest: text.slice(dot) };
    if (i === octets.length - 2 && octets.at(-1) === '') return { what: noDigit, rest: '.' };
    if (i === 3 && octets.length > 4) return { what: 'IPv4 address too long' };
    start = dot + 1;
  }
  return octets.length < 4 ? { what: 'IPv4 address too short' } : undefined;
}

const noDigit = 'IPv4 field must have at least one digit';

function octetComplaint(octet: string, rest: string): Complaint | undefined {
  const digits = /^[0-9]*/.exec(octet)?.[0] ?? '';
  if (/^0[0-9]/.test(digits)) return { what: 'IPv4 field has octet with leading zero' };
  if (Number(digits) > 255) return { what: 'IPv4 field has value >255' };
  return digits === octet ? undefined : { what: 'unexpected character', rest: rest.slice(digits.length) };
}

/** IPv6 with a zone, which no field of the API accepts, has no complaint. */
function ipv6Complaint(text: string): Complaint | undefined {
  let rest = text.startsWith('::') ? text.slice(2) : text;
  let isShortened = rest !== text;
  let groups = 0;
  while (rest !== '' && groups < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return { what: 'each group must have 4 or less digits', rest };
    if (digits === '') return { what: 'each colon-separated field must have at least one digit', rest };
    if (rest[digits.length] === '.') return embeddedComplaint(rest, groups, isShortened ? 'shortened' : 'whole');
    groups += 1;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { what: 'unexpected character, want colon', rest };
    if (rest === ':') return { what: 'colon must be followed by more characters', rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (isShortened) return { what: 'multiple :: in address', rest };
    isShortened = true;
    rest = rest.slice(1);
  }
  if (rest !== '') return { what: 'trailing garbage after address', rest };
  if (groups < 8) return isShortened ? undefined : { what: 'address string too short' };
  return isShortened ? { what: 'the :: must expand to at least one field of zeros' } : undefined;
}

function embeddedComplaint(rest: string, groups: number, form: 'shortened' | 'whole'): Complaint | undefined {
  if (form === 'whole' && groups !== 6) {
    return { what: 'embedded IPv4 address must replace the final 2 fields of the address', rest };
  }
  if (groups > 6) {
    return { what: 'too many hex fields to fit an embedded IPv4 at the end of the address', rest };
  }
  return ipv4Complaint(rest);
}
