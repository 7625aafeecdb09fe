import { durationError } from '../../goDuration';
import { isInt64 } from './numbers';
import { CelDuration, CelFailure, CelTimestamp, type CelValue } from './values';

const SECOND = 1_000_000_000n;
/** Upstream: minUnixTime and maxUnixTime, the years 1 to 9999. */
const FIRST = -62_135_596_800n;
const LAST = 253_402_300_799n;

const secondsOf = (nanos: bigint): bigint => (nanos - mod(nanos, SECOND)) / SECOND;
const mod = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

/** A time, or an error outside of the years 1 to 9999. */
export function timestampOf(nanos: bigint, offset: number): CelTimestamp | CelFailure {
  const seconds = secondsOf(nanos);
  return seconds < FIRST || seconds > LAST ? new CelFailure('timestamp overflow') : new CelTimestamp(nanos, offset);
}

export const ofUnixSeconds = (seconds: bigint): CelTimestamp | CelFailure => timestampOf(seconds * SECOND, 0);
export const unixSeconds = ({ nanos }: CelTimestamp): bigint => secondsOf(nanos);

export function durationOf(nanos: bigint): CelDuration | CelFailure {
  return isInt64(nanos) ? new CelDuration(nanos) : new CelFailure('integer overflow');
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))?$/;

/** Upstream: Go's time.Parse with RFC 3339; `zone` tells whether one must be written. The year 0 is one. */
export function parseTime(text: string, zone: 'required' | 'optional'): CelTimestamp | undefined {
  const match = TIME.exec(text);
  if (match === null || (zone === 'required' && !/(?:Z|[+-]\d\d:\d\d)$/.test(text))) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = match;
  const [, , , , , , , , sign = '+', zoneHour = '0', zoneMinute = '0'] = match;
  const seconds = daySeconds(Number(year), Number(month), Number(day));
  const isClock = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  if (seconds === undefined || !isClock || Number(zoneHour) > 24 || Number(zoneMinute) >= 60) return undefined;
  const offset = (Number(zoneHour) * 3600 + Number(zoneMinute) * 60) * (sign === '-' ? -1 : 1);
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return new CelTimestamp((seconds + BigInt(clock)) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** Upstream: strfmt's date, which begins at midnight. */
export const parseDate = (text: string): CelTimestamp | undefined => parseTime(`${text}T00:00:00Z`, 'required');

/** The seconds from 1970 to a day; undefined for a day that does not exist. */
function daySeconds(year: number, month: number, day: number): bigint | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? BigInt(date.getTime()) / 1000n : undefined;
}

const two = (it: number): string => String(it).padStart(2, '0');

/** Upstream: time.Format with RFC3339Nano. */
export function timeText({ nanos, offset }: CelTimestamp): string {
  const local = dateOf(nanos, offset);
  const fraction = String(mod(nanos, SECOND)).padStart(9, '0').replace(/0+$/, '');
  const day = `${String(local.getUTCFullYear()).padStart(4, '0')}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
  const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  const minutes = Math.abs(offset) / 60;
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${day}T${clock}${fraction === '' ? '' : `.${fraction}`}${zone}`;
}

/** The clock of a zone as if it were that of UTC. */
const dateOf = (nanos: bigint, offset: number): Date => new Date(Number(secondsOf(nanos) + BigInt(offset)) * 1000);

type Part = (date: Date, nanos: bigint) => number;

const PARTS: Readonly<Record<string, Part>> = {
  getFullYear: it => it.getUTCFullYear(),
  getMonth: it => it.getUTCMonth(),
  getDayOfYear: it => Math.floor((it.getTime() - yearStart(it)) / 86_400_000),
  getDayOfMonth: it => it.getUTCDate() - 1,
  getDate: it => it.getUTCDate(),
  getDayOfWeek: it => it.getUTCDay(),
  getHours: it => it.getUTCHours(),
  getMinutes: it => it.getUTCMinutes(),
  getSeconds: it => it.getUTCSeconds(),
  getMilliseconds: (_, nanos) => Number(mod(nanos, SECOND) / 1_000_000n),
};

function yearStart(date: Date): number {
  const first = new Date(0);
  first.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return first.getTime();
}

const CLOCK: Readonly<Record<string, bigint>> = {
  getHours: 3600n * SECOND,
  getMinutes: 60n * SECOND,
  getSeconds: SECOND,
  getMilliseconds: 1_000_000n,
};

/** The names of the functions that take a part of a time. */
export const TIME_PARTS = Object.keys(PARTS);

/** A part of a time, in UTC unless a zone is given, or a duration in the unit of a function. */
export function partOf(name: string, of: CelValue, zone: CelValue | undefined): CelValue {
  if (of instanceof CelDuration) return of.nanos / (CLOCK[name] ?? SECOND);
  if (!(of instanceof CelTimestamp)) return new CelFailure('no such overload');
  const offset = typeof zone === 'string' ? zoneOffset(zone, of) : 0;
  if (offset instanceof CelFailure) return offset;
  return BigInt(PARTS[name]?.(dateOf(of.nanos, offset), of.nanos) ?? 0);
}

/** Seconds east of UTC. Upstream: types.timeZone and Go's time.LoadLocation. */
function zoneOffset(zone: string, at: CelTimestamp): number | CelFailure {
  const colon = zone.indexOf(':');
  if (colon < 0) return namedOffset(zone, at);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  const wrong = [hours, minutes].find(it => !/^[+-]?\d+$/.test(it));
  if (wrong !== undefined) return new CelFailure(`strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`);
  if (Number(minutes) < 0 || Number(minutes) > 59) {
    return new CelFailure(`timezone offset minutes out of range [0, 59]: ${zone}`);
  }
  return (Number(hours) * 60 + Number(minutes) * (zone.startsWith('-') ? -1 : 1)) * 60;
}

function namedOffset(zone: string, at: CelTimestamp): number | CelFailure {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const seconds = Number(secondsOf(at.nanos));
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    }).formatToParts(new Date(seconds * 1000));
    const read = (type: string): number => Number(parts.find(it => it.type === type)?.value);
    const local = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
    return local / 1000 - seconds;
  } catch {
    return new CelFailure(`unknown time zone ${zone}`);
  }
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

/** Upstream: Go's time.ParseDuration. */
export function parseDuration(text: string): CelDuration | undefined {
  if (durationError(text) !== undefined) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = UNITS[unit] ?? 1n;
    nanos += BigInt(whole === '' ? 0 : whole) * size;
    if (fraction !== '') nanos += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return new CelDuration(text.startsWith('-') ? -nanos : nanos);
}

/** The names of units: the last of each may be continued. */
const SCALA: readonly (readonly [names: readonly string[], nanos: bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], SECOND],
  [['m', 'min'], 60n * SECOND],
  [['h', 'hr', 'hour'], 3600n * SECOND],
  [['d', 'day'], 86_400n * SECOND],
  [['w', 'wk', 'week'], 604_800n * SECOND],
];

/** A duration of Go or of Scala, such as `2 days`. Upstream: strfmt.ParseDuration. */
export function parseFormatDuration(text: string): CelDuration | undefined {
  const read = parseDuration(text);
  if (read !== undefined) return read;
  let nanos: bigint | undefined;
  for (const [, factor = '', written = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = written.toLowerCase();
    for (const [names, size] of SCALA) {
      const count = names.filter((it, i) => unit === it || (i === names.length - 1 && unit.startsWith(it))).length;
      if (count > 0) nanos = BigInt.asIntN(64, (nanos ?? 0n) + BigInt(factor) * size * BigInt(count));
    }
  }
  return nanos === undefined ? undefined : new CelDuration(nanos);
}
