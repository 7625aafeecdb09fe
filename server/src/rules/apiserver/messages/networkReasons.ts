import { t } from '../../../base/l10n';
import { quoted } from '../../../base/quoted';
import { formatCidr, formatIp, parseCidr } from '../../../kube/ip';
import { field, type Reason, shown } from './reasonWords';

/** Reasons of FieldValueInvalid of the kinds of networking. Upstream: the messages of pkg/apis/networking and discovery. */
export const REASONS_OF_NETWORK: readonly Reason[] = [
  {
    pattern: /^must match `ingressClassName` when both are specified/,
    describe: e => t`the annotation names another class (${shown(e)}) than "ingressClassName": remove the annotation`,
  },
  {
    pattern: /^must be a DNS name, not an IP address/,
    describe: e =>
      t`${shown(e)} is an IP address: write a DNS name, or leave the host out to take requests for every host`,
  },
  {
    pattern: /^cannot set both port name & port number/,
    describe: () => t('a backend has a port name or a port number, this one has both: keep one'),
  },
  {
    pattern: /^cannot set both resource and service backends/,
    describe: () => t('a backend is a service or a resource, this one is both: keep one'),
  },
  {
    pattern: /^resource or service backend is required/,
    describe: () => t('the backend leads nowhere: write service: { name: …, port: { number: … } }'),
  },
  {
    pattern: /^either `defaultBackend` or `rules` must be specified/,
    describe: () => t('the Ingress leads nowhere: write "rules", or a "defaultBackend"'),
  },
  {
    pattern: /^must be a domain-prefixed path/,
    describe: e => t`${shown(e)} must be a domain and a path, such as example.com/name`,
  },
  {
    pattern: /^Invalid path \(regex/,
    describe: e => t`${shown(e)} is no path: leave out blanks and other characters that a URL may not have`,
  },
  {
    pattern: /^must not contain '(.+)'$/,
    describe: (e, [, part = '']) => t`${field(e)} must not contain ${quoted(part)}`,
  },
  {
    pattern: /^cannot end with '(.+)'$/,
    describe: (e, [, part = '']) => t`${field(e)} must not end with ${quoted(part)}`,
  },
  {
    pattern: /^may not contain '(.)'$/,
    describe: (e, [, part = '']) => t`${shown(e)} contains ${quoted(part)}, which ${field(e)} must not`,
  },
  { pattern: /^may not be '(\.+)'$/, describe: e => t`${shown(e)} means a folder and is no name: choose another` },
  {
    pattern: /^must not have bits set beyond the prefix length/,
    describe: ({ value }) => beyondPrefix(String(value)),
  },
  { pattern: /^must be in canonical form \((.+)\)/, describe: (e, [, form]) => t`${shown(e)} must be written ${form}` },
  {
    pattern: /^must be a strict subset of `cidr`/,
    describe: e => t`${shown(e)} is no smaller range inside of "cidr": only a part of "cidr" can be left out`,
  },
  {
    pattern: /^may not specify more than two policyTypes/,
    describe: e => t`${field(e)} has more than two entries: Ingress and Egress, each once, are all`,
  },
  {
    pattern: /may specify no more than one IP for each IP family, i\.e/,
    describe: () => t('both ranges are of the same family: use one of IPv4 and one of IPv6'),
  },
  {
    pattern: /^may not be unspecified/,
    describe: e => t`${shown(e)} stands for every address: write that of one machine`,
  },
  {
    pattern: /^must be an (IPv4|IPv6) address/,
    describe: (e, [, family]) => t`${shown(e)} is no ${family} address: correct it, or change "addressType"`,
  },
  {
    pattern: /^should be a domain with at least two segments/,
    describe: e => t`${shown(e)} must be a domain with a dot in it, such as db.example.com`,
  },
];

/** Either the range or the single address may be meant. */
function beyondPrefix(written: string): string {
  const [range, address] = rangesOf(written);
  if (range === undefined || address === undefined) return `${quoted(written)} has bits beyond its prefix`;
  return t`${quoted(written)} is an address inside of a range: write ${range} for the range, or ${address} for the address`;
}

/** The range and the single address that a block with bits beyond its prefix may mean. */
export function rangesOf(written: string): readonly string[] {
  const cidr = parseCidr(written);
  return cidr === undefined ? [] : [formatCidr(cidr), `${formatIp(cidr.ip)}/${8 * cidr.ip.bytes.length}`];
}
