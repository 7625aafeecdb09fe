import { durationError } from '../../../../kube/goDuration';
import { trimSpace } from '../shared/checks';
import { atoi } from './atoi';
import { locationErrors } from './timeZone';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** What Go counts as white space between fields. */
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * The error in a CronJob's schedule, with the message of the parser that Kubernetes uses; undefined for a valid one.
 * Upstream: ParseCronScheduleWithPanicRecovery and github.com/robfig/cron/v3.ParseStandard. Written by hand: libraries
 * (croner, cron-parser) accept other schedules and have other messages.
 */
export function scheduleError(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  if (!/^(CRON_)?TZ=/.test(schedule)) return specError(schedule);
  const space = schedule.indexOf(' ');
  if (space < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  const zone = schedule.slice(schedule.indexOf('=') + 1, space);
  const [problem] = locationErrors(zone);
  return problem === undefined
    ? specError(trimSpace(schedule.slice(space)))
    : `provided bad location ${zone}: ${problem}`;
}

function specError(spec: string): string | undefined {
  if (spec.startsWith('@')) return descriptorError(spec);
  const fields = spec.split(SPACE).filter(it => it !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return firstError(FIELDS, (bounds, i) => fieldError(fields[i] ?? '', bounds));
}

/** Upstream: parseDescriptor. */
function descriptorError(descriptor: string): string | undefined {
  if (DESCRIPTORS.includes(descriptor)) return undefined;
  if (!descriptor.startsWith('@every ')) return `unrecognized descriptor: ${descriptor}`;
  const problem = durationError(descriptor.slice('@every '.length));
  return problem && `failed to parse duration ${descriptor}: ${problem}`;
}

/** Upstream: getField. Empty parts between commas are ignored. */
function fieldError(field: string, bounds: Bounds): string | undefined {
  const ranges = field.split(',').filter(it => it !== '');
  return firstError(ranges, it => rangeError(it, bounds));
}

/** `N`, `N-M` or `*`, each with or without a step. Upstream: getRange. */
function rangeError(expression: string, { min, max, names = [] }: Bounds): string | undefined {
  const [range = '', step, ...more] = expression.split('/');
  const [low = '', high, ...others] = range.split('-');
  const isStar = low === '*' || low === '?';
  const start = isStar ? min : numberOrName(low, names);
  if (typeof start === 'string') return start;
  if (!isStar && others.length > 0) return `too many hyphens: ${expression}`;
  const written = isStar ? max : high === undefined ? start : numberOrName(high, names);
  if (typeof written === 'string') return written;
  if (more.length > 0) return `too many slashes: ${expression}`;
  const every = step === undefined ? 1 : positive(step);
  if (typeof every === 'string') return every;
  const end = step !== undefined && high === undefined ? max : written;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${expression}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return every === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or the error. */
function numberOrName(text: string, names: readonly string[]): number | string {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named >= 0 ? named : positive(text);
}

/** Upstream: mustParseInt. */
function positive(text: string): number | string {
  const parsed = atoi(text);
  if ('error' in parsed) return `failed to parse int from ${text}: ${parsed.error}`;
  return parsed.number < 0 ? `negative number (${parsed.number}) not allowed: ${text}` : parsed.number;
}

function firstError<T>(items: readonly T[], check: (item: T, i: number) => string | undefined): string | undefined {
  for (const [i, item] of items.entries()) {
    const problem = check(item, i);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
