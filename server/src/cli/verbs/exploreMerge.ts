import { asObjects, isObject } from '../../base/json';
import { printableJson } from '../../text/printable';
import { complain } from '../complain';
import { EXIT, type ExitCode, worstOf } from '../exit';
import { collect } from '../input/collect';
import { CONTRACT } from '../render/json';
import { type CliWorld, UsageError } from '../world';
import type { ExploreFlags } from './exploreRequest';
import { sentence, wrongWith } from './place';

/** Which exploration a line of `--shard` is: its number, from 0, among all explorations of the command line. */
export interface ShardField {
  readonly number: number;
  readonly of: number;
}

/** A line of `--shard --format json`, and where it is. */
interface ShardLine {
  readonly at: string;
  readonly shard: ShardField;
  readonly report: Readonly<Record<string, unknown>>;
}

/** Prints the lines of all shards as one run does without `--shard`. Throws UsageError. */
export async function mergeShards(
  paths: readonly string[],
  { format, shard }: ExploreFlags,
  world: CliWorld,
): Promise<ExitCode> {
  if (shard !== undefined) throw new UsageError('--merge and --shard exclude each other.');
  if (format !== 'text' && format !== 'json') {
    throw new UsageError(`--merge prints lines of JSON, and --format ${format} is none.`);
  }
  const lines: ShardLine[] = [];
  for (const path of paths) {
    const files = await collect([path], world);
    const unread = files.flatMap(wrongWith);
    if (unread.length > 0) throw new UsageError(sentence(unread));
    for (const each of files.flatMap(it => ('text' in it ? linesOf(it.path, it.text) : []))) lines.push(each);
  }
  return worstOf(inOrder(lines).map(({ report }) => tell(report, world)));
}

function linesOf(path: string, text: string): readonly ShardLine[] {
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [lineOf(line, `${path}:${i + 1}`)]));
}

/** Throws UsageError. */
function lineOf(text: string, at: string): ShardLine {
  const value = parsed(text);
  if (isObject(value) && value.contract === CONTRACT && isShard(value.shard)) {
    const { shard, ...report } = value;
    return { at, shard: value.shard, report };
  }
  throw new UsageError(`${at} is no line that \`berth explore --shard I/N --format json\` writes for an exploration.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isShard(value: unknown): value is ShardField {
  if (!isObject(value)) return false;
  const { number, of } = value;
  return Number.isSafeInteger(number) && Number.isSafeInteger(of) && 0 <= Number(number) && Number(number) < Number(of);
}

/** The lines by number. Throws UsageError unless each exploration of one command line is there once. */
function inOrder(lines: readonly ShardLine[]): readonly ShardLine[] {
  const [first] = lines;
  if (first === undefined) throw new UsageError('The files to merge hold no exploration.');
  const { of } = first.shard;
  const other = lines.find(it => it.shard.of !== of);
  if (other) {
    throw new UsageError(
      `${first.at} is of ${of} explorations and ${other.at} is of ${other.shard.of}: they are not of one command line.`,
    );
  }
  const sorted = lines.toSorted((a, b) => a.shard.number - b.shard.number);
  const twice = sorted.findIndex((it, i) => it.shard.number === sorted[i + 1]?.shard.number);
  if (twice >= 0) {
    const { shard, at } = sorted[twice]!;
    throw new UsageError(`Exploration ${shard.number} is there twice: ${at} and ${sorted[twice + 1]!.at}.`);
  }
  const absent = of - sorted.length;
  if (absent === 0) return sorted;
  const gap = sorted.findIndex((it, i) => it.shard.number !== i);
  const number = gap < 0 ? sorted.length : gap;
  const more = absent === 1 ? 'is' : `and ${absent - 1} more are`;
  throw new UsageError(`Exploration ${number}, counted from 0, of ${of} ${more} missing.`);
}

function tell(report: ShardLine['report'], world: CliWorld): ExitCode {
  world.out(`${printableJson(report)}\n`);
  if (report.error === undefined) return isFoundIn(report) ? EXIT.found : EXIT.clean;
  complain(world, String(report.error));
  return EXIT.failed;
}

/** Whether a report says what exit code 1 stands for. */
function isFoundIn({ deadlocks, properties, alwaysPlaced, broken, questions }: ShardLine['report']): boolean {
  if (alwaysPlaced === false || broken !== undefined) return true;
  if (isObject(deadlocks) && Number(deadlocks.count) > 0) return true;
  return [properties, questions].some(its => asObjects(its).some(it => it.holds === false));
}
