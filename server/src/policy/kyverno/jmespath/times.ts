import { formatDuration, parseDuration, parseInt64 } from '../go/goValues';
import { Indeterminate, KyvernoError } from '../results/failures';
import { formatTime, type GoTime, localDate, parseTime, RFC3339 } from './goTime';
import { functions, type QueryFunctions } from './signature';

/** Seconds from year 1, from which upstream counts when it truncates, to 1970. */
const EPOCH = 62_135_596_800n * 1_000_000_000n;

/**
 * Functions of time. `now`: milliseconds since 1970; without it, functions of the current time are indeterminate.
 * Upstream: pkg/engine/jmespath/time.go.
 */
export function timeFunctions(now: number | undefined): QueryFunctions {
  const present = (): GoTime => {
    if (now === undefined) throw new Indeterminate('the policy asks what time it is');
    return { at: BigInt(now) * 1_000_000n, offset: 0 };
  };
  return functions({
    time_now: ['', () => formatTime(present(), RFC3339)],
    time_now_utc: ['', () => formatTime(present(), RFC3339)],
    time_since: [
      'string string string',
      (layout: string, from: string, to: string) => {
        const read = (text: string) => momentOf(text, layout === '' ? RFC3339 : layout);
        const start = read(from);
        return formatDuration((to === '' ? present() : read(to)).at - start.at);
      },
    ],
    time_add: ['string string', (it: string, by: string) => shifted(momentOf(it), lengthOf(by))],
    time_parse: ['string string', timeParse],
    time_to_cron: ['string', timeToCron],
    time_utc: ['string', (it: string) => formatTime({ at: momentOf(it).at, offset: 0 }, RFC3339)],
    time_diff: ['string string', (a: string, b: string) => formatDuration(momentOf(b).at - momentOf(a).at)],
    time_before: ['string string', (a: string, b: string) => momentOf(a).at < momentOf(b).at],
    time_after: ['string string', (a: string, b: string) => momentOf(a).at > momentOf(b).at],
    time_between: [
      'string string string',
      (it: string, from: string, to: string) => {
        const { at } = momentOf(it);
        return at > momentOf(from).at && at < momentOf(to).at;
      },
    ],
    time_truncate: ['string string', timeTruncate],
  });
}

function momentOf(text: string, layout = RFC3339): GoTime {
  const moment = parseTime(layout, text);
  if (moment === undefined)
    throw new KyvernoError(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse`);
  return moment;
}

function lengthOf(text: string): bigint {
  const length = parseDuration(text);
  if (length === undefined) throw new KyvernoError(`time: invalid duration ${JSON.stringify(text)}`);
  return length;
}

const shifted = ({ at, offset }: GoTime, by: bigint): string => formatTime({ at: at + by, offset }, RFC3339);

/** A numeric layout means seconds since 1970. */
function timeParse(layout: string, text: string): string {
  if (parseInt64(layout) === undefined) return formatTime(momentOf(text, layout), RFC3339);
  const seconds = parseInt64(text);
  if (seconds === undefined)
    throw new KyvernoError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return formatTime({ at: seconds * 1_000_000_000n, offset: 0 }, RFC3339);
}

function timeToCron(text: string): string {
  const date = localDate(momentOf(text));
  return [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay()].join(
    ' ',
  );
}

function timeTruncate(text: string, to: string): string {
  const { at, offset } = momentOf(text);
  const by = lengthOf(to);
  return by <= 0n ? formatTime({ at, offset }, RFC3339) : formatTime({ at: at - ((at + EPOCH) % by), offset }, RFC3339);
}
