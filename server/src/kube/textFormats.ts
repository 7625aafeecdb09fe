import { parseUrl } from './cel/url';
import { parseCidr, parseIp } from './ip';

const uuid = (version: string, variant = '[0-9a-f]'): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i');

const SHORT_NAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** Whether a text has a format, by the name without dashes. Upstream: kube-openapi pkg/validation/strfmt. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => /^[0-9a-fA-F]{24}$/.test(text),
  byte: text =>
    text !== '' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  cidr: text => parseCidr(text) !== undefined,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: text => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  hostname: isHostname,
  ipv4: text => text.includes('.') && parseIp(text) !== undefined,
  ipv6: text => text.includes(':') && parseIp(text)?.isStandard === true,
  isbn: text => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: text => text.length <= 253 && new RegExp(`^${SHORT_NAME}(\\.${SHORT_NAME})*$`).test(text),
  k8sshortname: text => text.length <= 63 && new RegExp(`^${SHORT_NAME}$`).test(text),
  mac: isMac,
  password: () => true,
  rgbcolor: text => /^rgb\(\s*(?:\d{1,3}\s*,\s*){2}\d{1,3}\s*\)$/.test(text) && rgbFits(text),
  ssn: text => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: text => parseUrl(text) !== undefined,
  uuid: text => uuid('[0-9a-f]').test(text),
  uuid3: text => uuid('3').test(text),
  uuid4: text => uuid('4', '[89ab]').test(text),
  uuid5: text => uuid('5', '[89ab]').test(text),
};

/** Whether texts are checked for a format, by its name without dashes. */
export const isTextFormat = (format: string): boolean => Object.hasOwn(formats, format);

/** Whether a text has a format; of one that is not checked every text does. */
export const hasTextFormat = (text: string, format: string): boolean =>
  !isTextFormat(format) || formats[format]?.(text) !== false;

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time) ?? [];
  return hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}

const UNITS = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/;

/** A duration of Go or of Scala: the latter may stand anywhere in the text. */
function isDuration(text: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(it => UNITS.test((it[1] ?? '').toLowerCase()));
}

/** An address, with or without a name. Upstream: Go's mail.ParseAddress, without quoted names and comments. */
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]*)>$/.exec(text.trim())?.[1] ?? text.trim();
  const atom = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\uffff]+";
  return new RegExp(`^(?:${atom}(?:\\.${atom})*|"[^"]*")@(?:${atom}(?:\\.${atom})*|\\[[^\\]]*\\])$`).test(address);
}

/** The pattern stands in the function: V8 looks up its classes of characters at once, which takes 2 ms of a start. */
function isHostname(text: string): boolean {
  const pattern =
    /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
  return text.length <= 255 && text.split('.').every(it => it.length <= 63) && pattern.test(text);
}

/** Upstream: net.ParseMAC, which since Go 1.26 reads bytes without anything between them. */
function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(text)) return [12, 16, 40].includes(text.length);
  const groups = [':', '-'].find(it => text.includes(it));
  if (groups !== undefined) {
    const bytes = text.split(groups);
    return [6, 8, 20].includes(bytes.length) && bytes.every(it => /^[0-9a-fA-F]{2}$/.test(it));
  }
  const words = text.split('.');
  return [3, 4, 10].includes(words.length) && words.every(it => /^[0-9a-fA-F]{4}$/.test(it));
}

const rgbFits = (text: string): boolean =>
  (text.match(/\d+/g) ?? []).every(it => Number(it) <= 255 && (it === '0' || !it.startsWith('0')));

const digitsOf = (text: string): readonly number[] => [...text].map(it => (it === 'X' ? 10 : Number(it)));

function isIsbn10(text: string): boolean {
  const bare = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(bare)) return false;
  return digitsOf(bare).reduce((sum, it, i) => sum + (i + 1) * it, 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const bare = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(bare)) return false;
  return digitsOf(bare).reduce((sum, it, i) => sum + (i % 2 === 0 ? 1 : 3) * it, 0) % 10 === 0;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const bare = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(bare)) return false;
  const digits = digitsOf(bare).toReversed();
  const doubled = digits.map((it, i) => (i % 2 === 0 ? it : it * 2 >= 10 ? it * 2 - 9 : it * 2));
  return doubled.reduce((sum, it) => sum + it, 0) % 10 === 0;
}
