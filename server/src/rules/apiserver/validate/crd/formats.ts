import { parseCidr, parseIp } from '../../../../kube/ip';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';

const uuid = (version: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i');

/** Whether a text has a format, by the name without dashes. Upstream: kube-openapi pkg/validation/strfmt. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  byte: text => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0,
  cidr: text => parseCidr(text) !== undefined,
  date: text => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  datetime: text => /^\d{4}-\d{2}-\d{2}[tT ]\d{2}:\d{2}:\d{2}(\.\d+)?([zZ]|[+-]\d{2}:?\d{2})?$/.test(text),
  duration: text => /^[-+]?(\d+(\.\d*)?|\.\d+)\s*[a-zµ]+/.test(text) || text === '0',
  hexcolor: text => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  ipv4: text => parseIp(text)?.bytes.length === 4,
  ipv6: text => text.includes(':') && parseIp(text) !== undefined,
  k8slongname: text => dns1123SubdomainErrors(text).length === 0,
  k8sshortname: text => dns1123LabelErrors(text).length === 0,
  mac: text => /^([0-9a-fA-F]{2}[:-]){5}([0-9a-fA-F]{2})$/.test(text),
  uri: text => text.startsWith('/') || URL.canParse(text),
  uuid: text => uuid('[0-9a-f]').test(text),
  uuid3: text => uuid('3').test(text),
  uuid4: text => uuid('4').test(text),
  uuid5: text => uuid('5').test(text),
};

/** The format that a text does not conform to; undefined if it does, and for formats that are not checked here. */
export function formatError(text: string, format: string): string | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) && formats[name]?.(text) === false ? format : undefined;
}
