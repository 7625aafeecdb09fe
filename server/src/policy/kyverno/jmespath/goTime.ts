import { regexOf } from '../../../base/regexText';

/** Go's time layouts. Written by hand: libraries of dates (dayjs, luxon) have other layouts and accept other texts. */

/** A point in time with the offset in which it was written. Upstream: time.Time. */
export interface GoTime {
  /** Nanoseconds since 1970 in UTC. */
  readonly at: bigint;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export const RFC3339 = '2006-01-02T15:04:05Z07:00';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const short = (names: readonly string[]): readonly string[] => names.map(it => it.slice(0, 3));
const oneOf = (names: readonly string[]): string => `(${names.join('|')})`;

type Parts = Map<string, number>;

/** For each layout element: the pattern it matches, and the part that it sets. */
interface Chunk {
  readonly pattern: string;
  readonly read: (text: string) => readonly (readonly [part: string, value: number])[];
  readonly write: (moment: GoTime, date: Date) => string;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');
const numeric = (part: string, pattern: string, write: (date: Date) => string): Chunk => ({
  pattern: `(${pattern})`,
  read: text => [[part, Number(text.trim())]],
  write: (_, date) => write(date),
});
const named = (part: string, names: readonly string[], indexIn: (date: Date) => number): Chunk => ({
  pattern: oneOf(names),
  read: text => [[part, names.findIndex(it => it.toLowerCase() === text.toLowerCase())]],
  write: (_, date) => names[indexIn(date)] ?? '',
});
const zone = (pattern: string, separator: string, utc: string | undefined): Chunk => ({
  pattern: `(${pattern})`,
  read: text => [['offset', offsetOf(text)]],
  write: ({ offset }) => (offset === 0 && utc !== undefined ? utc : offsetText(offset, separator)),
});

const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;

/** Upstream: nextStdChunk. */
const chunks: Readonly<Record<string, Chunk>> = {
  'Z07:00': zone('Z|[-+]\\d\\d:\\d\\d', ':', 'Z'),
  Z0700: zone('Z|[-+]\\d{4}', '', 'Z'),
  '-07:00': zone('[-+]\\d\\d:\\d\\d', ':', undefined),
  '-0700': zone('[-+]\\d{4}', '', undefined),
  '-07': zone('[-+]\\d\\d', 'hours', undefined),
  '2006': numeric('year', '\\d{4}', it => pad(it.getUTCFullYear(), 4)),
  January: named('month', months, it => it.getUTCMonth()),
  Monday: named('weekday', days, it => it.getUTCDay()),
  Jan: named('month', short(months), it => it.getUTCMonth()),
  Mon: named('weekday', short(days), it => it.getUTCDay()),
  MST: {
    pattern: '(UTC|GMT|[A-Z]{3,4})',
    read: () => [],
    write: ({ offset }) => (offset === 0 ? 'UTC' : offsetText(offset, '')),
  },
  '01': { ...numeric('month', '\\d{2}', it => pad(it.getUTCMonth() + 1, 2)), read: it => [['month', Number(it) - 1]] },
  '02': numeric('day', '\\d{2}', it => pad(it.getUTCDate(), 2)),
  '03': numeric('hour', '\\d{2}', it => pad(hour12(it), 2)),
  '04': numeric('minute', '\\d{2}', it => pad(it.getUTCMinutes(), 2)),
  '05': numeric('second', '\\d{2}', it => pad(it.getUTCSeconds(), 2)),
  '06': {
    pattern: '(\\d{2})',
    read: it => [['year', Number(it) + (Number(it) >= 69 ? 1900 : 2000)]],
    write: (_, date) => pad(date.getUTCFullYear() % 100, 2),
  },
  '15': numeric('hour', '\\d{2}', it => pad(it.getUTCHours(), 2)),
  _2: numeric('day', ' ?\\d{1,2}', it => String(it.getUTCDate()).padStart(2, ' ')),
  PM: {
    pattern: '(AM|PM)',
    read: it => [['pm', it === 'PM' ? 1 : 0]],
    write: (_, it) => (it.getUTCHours() >= 12 ? 'PM' : 'AM'),
  },
  pm: {
    pattern: '(am|pm)',
    read: it => [['pm', it === 'pm' ? 1 : 0]],
    write: (_, it) => (it.getUTCHours() >= 12 ? 'pm' : 'am'),
  },
  '1': { ...numeric('month', '\\d{1,2}', it => String(it.getUTCMonth() + 1)), read: it => [['month', Number(it) - 1]] },
  '2': numeric('day', '\\d{1,2}', it => String(it.getUTCDate())),
  '3': numeric('hour', '\\d{1,2}', it => String(hour12(it))),
  '4': numeric('minute', '\\d{1,2}', it => String(it.getUTCMinutes())),
  '5': numeric('second', '\\d{1,2}', it => String(it.getUTCSeconds())),
};

const chunkNames = Object.keys(chunks).sort((a, b) => b.length - a.length);

const fraction = /^[.,](?:0+|9+)(?!\d)/;

/** The layout in pieces: an element, a fraction of a second, or literal text. */
function* piecesOf(layout: string): Iterable<Chunk | { readonly fraction: string } | string> {
  for (let rest = layout; rest !== ''; ) {
    const dots = fraction.exec(rest)?.[0];
    const name = dots === undefined ? chunkNames.find(it => rest.startsWith(it)) : undefined;
    const taken = dots ?? name ?? rest.charAt(0);
    yield dots !== undefined ? { fraction: dots } : ((name !== undefined ? chunks[name] : undefined) ?? taken);
    rest = rest.slice(taken.length);
  }
}

/** undefined for a text that does not match the layout or is no valid date. Upstream: time.Parse. */
export function parseTime(layout: string, text: string): GoTime | undefined {
  const readers: ((text: string) => readonly (readonly [string, number])[])[] = [];
  const readFraction = (it: string) => [['nanosecond', Number(it.slice(1).padEnd(9, '0').slice(0, 9))] as const];
  let pattern = '';
  for (const piece of piecesOf(layout)) {
    if (typeof piece === 'string') pattern += regexOf(piece);
    else if ('fraction' in piece) {
      pattern += '([.,]\\d+)';
      readers.push(readFraction);
    } else {
      pattern += piece.pattern;
      readers.push(piece.read);
      // Upstream accepts a fraction after the seconds even when the layout has none.
      if (piece === chunks['05'] && !/05[.,](?:0+|9+)/.test(layout)) {
        pattern += '([.,]\\d+)?';
        readers.push(readFraction);
      }
    }
  }
  const match = new RegExp(`^${pattern}$`, 'i').exec(text);
  if (match === null) return undefined;
  const parts: Parts = new Map(
    readers.flatMap((read, i) => (match[i + 1] === undefined ? [] : read(match[i + 1] ?? ''))),
  );
  return momentOf(parts);
}

function momentOf(parts: Parts): GoTime | undefined {
  const part = (name: string, otherwise: number) => parts.get(name) ?? otherwise;
  const [year, month, day] = [part('year', 0), part('month', 0), part('day', 1)];
  const afternoon = parts.get('pm');
  const hour = afternoon === undefined ? part('hour', 0) : (part('hour', 0) % 12) + afternoon * 12;
  const [minute, second] = [part('minute', 0), part('second', 0)];
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  if (month < 0 || date.getUTCMonth() !== month || hour > 23 || minute > 59 || second > 59) return undefined;
  date.setUTCHours(hour, minute, second);
  const offset = part('offset', 0);
  const at = BigInt(date.getTime() - offset * 60_000) * 1_000_000n + BigInt(part('nanosecond', 0));
  return { at, offset };
}

function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([-+])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

function offsetText(offset: number, separator: string): string {
  const minutes = Math.abs(offset);
  const hours = `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}`;
  return separator === 'hours' ? hours : `${hours}${separator}${pad(minutes % 60, 2)}`;
}

/** Upstream: time.Time.Format. */
export function formatTime(moment: GoTime, layout: string): string {
  const date = localDate(moment);
  return [...piecesOf(layout)]
    .map(it => {
      if (typeof it === 'string') return it;
      if (!('fraction' in it)) return it.write(moment, date);
      const digits = pad(Number(((moment.at % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n), 9).slice(
        0,
        it.fraction.length - 1,
      );
      return it.fraction.includes('9') ? `.${digits}`.replace(/\.?0*$/, '') : `.${digits}`;
    })
    .join('');
}

/** The local wall clock time, in the UTC fields of a Date. */
export function localDate({ at, offset }: GoTime): Date {
  const milliseconds = at >= 0n ? at / 1_000_000n : -((-at + 999_999n) / 1_000_000n);
  return new Date(Number(milliseconds) + offset * 60_000);
}
