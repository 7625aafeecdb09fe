import { holdsSystem } from '../../analysis/explore';
import { type PlaceFile, parsedFiles } from '../../analysis/scenario';
import { printableJson } from '../../text/printable';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode, worstOf } from '../exit';
import { collectManifests } from '../input/collect';
import {
  EXPLORE_FORMATS,
  type ExploreFormat,
  oneOf,
  readCount,
  readJobs,
  readQuestions,
  readShard,
} from '../input/options';
import { startTimeLimit, type TimeLimit } from '../input/timeLimit';
import { CONTRACT } from '../render/json';
import { type JunitSuite, renderJunit } from '../render/junit';
import { fitted } from '../render/width';
import { type CliWorld, UsageError } from '../world';
import { mergeShards, type ShardField } from './exploreMerge';
import { exploreOrdersOf } from './exploreOrders';
import { type Explored, type ExploreFlags, type ExploreRequest, notExplored } from './exploreRequest';
import { exploreSystemOf } from './exploreSystem';
import { sentence, wrongWith } from './place';

/** One line of the report, once it is asked for. */
type Exploration = (time: TimeLimit) => Explored | Promise<Explored>;

/** Explores each argument. Never throws for bad input: that is exit code 2 and a sentence. */
export async function explore(args: readonly string[], flags: ExploreFlags, world: CliWorld): Promise<ExitCode> {
  const inJson = flags.format === 'json' || flags.merge === true ? {} : undefined;
  return unlessBadInput(world, () => exploreAll(args, flags, world), inJson);
}

async function exploreAll(args: readonly string[], flags: ExploreFlags, world: CliWorld): Promise<ExitCode> {
  const format = oneOf('--format', flags.format, EXPLORE_FORMATS);
  const maxStates = flags.maxStates === undefined ? undefined : readCount('--max-states', flags.maxStates);
  const maxFindings = flags.maxFindings === undefined ? undefined : readCount('--max-findings', flags.maxFindings);
  const asked = readQuestions(flags.ask);
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard, 0);
  if (flags.jobs !== undefined) readJobs(flags.jobs);
  if (flags.timeLimit !== undefined) readCount('--time-limit', flags.timeLimit);
  if (flags.merge === true) return mergeShards(args, flags, world);
  const planned: (readonly Exploration[])[] = [];
  for (const argument of args) {
    planned.push(await explorationsOf({ argument, format, flags, maxStates, maxFindings, asked }, world));
  }
  const of = planned.flat().length;
  checkSaving(flags, of);
  const codes: ExitCode[] = [];
  const told: Explored[] = [];
  let next = 0;
  for (const explorations of planned) {
    const time = startTimeLimit(flags.timeLimit, world);
    for (const exploration of explorations) {
      const number = next;
      next += 1;
      if (shard !== undefined && number % shard.of !== shard.index) continue;
      const explored = await exploration(time);
      world.progress?.('');
      told.push(explored);
      codes.push(tell(explored, format, world, shard && { number, of }));
    }
  }
  if (format === 'junit') world.out(renderJunit(told.map(suiteOf)));
  return worstOf(codes);
}

/** Throws UsageError where what is saved would not be that of one search. */
function checkSaving({ save, resume, reduce }: ExploreFlags, explorations: number): void {
  const option = save === undefined ? '--resume' : '--save';
  if (save === undefined && resume === undefined) return;
  if (reduce === true) throw new UsageError(`${option} is for one search, and --reduce makes several of it.`);
  if (explorations !== 1)
    throw new UsageError(`${option} is for one system, and the paths hold ${explorations} explorations.`);
}

async function filesOf(
  argument: string,
  world: CliWorld,
): Promise<{ readonly files: readonly PlaceFile[]; readonly error?: string }> {
  const collected = await collectManifests([argument], world);
  const files = collected.flatMap(it => ('text' in it ? [{ uri: it.path, text: it.text }] : []));
  const unread = collected.flatMap(wrongWith);
  if (unread.length > 0) return { files, error: sentence(unread) };
  return files.length > 0 ? { files } : { files, error: `${argument} holds no YAML or JSON file.` };
}

/** Each system of the argument by itself; what is left is one scenario. */
async function explorationsOf(
  given: Omit<ExploreRequest, 'files' | 'time'>,
  world: CliWorld,
): Promise<readonly Exploration[]> {
  const { argument, format, flags } = given;
  const { files: all, error } = await filesOf(argument, world);
  if (error !== undefined) return [() => notExplored(argument, error)];
  const parsed = parsedFiles(all).files;
  const systems = all.filter((_, i) => holdsSystem(parsed[i]!));
  const files = all.filter(it => !systems.includes(it));
  const ofSystems = systems.map<Exploration>(it => time => exploreSystemOf(it, { ...given, files: all, time }, world));
  if (systems.length > 0 && files.length === 0) return ofSystems;
  if (format === 'dot' || format === 'mermaid' || format === 'svg') {
    const drawn = `${argument} is a scenario, and --format ${format} draws systems alone.`;
    return [...ofSystems, () => notExplored(argument, drawn)];
  }
  if (flags.save !== undefined || flags.resume !== undefined) {
    return [
      ...ofSystems,
      () => notExplored(argument, `${argument} is a scenario: only systems are saved and resumed.`),
    ];
  }
  return [...ofSystems, time => exploreOrdersOf({ ...given, files, time }, world)];
}

function suiteOf({ name, cases, error }: Explored): JunitSuite {
  return { name, cases, errors: error === undefined ? [] : [error] };
}

function tell(
  { json, text, verdict, error }: Explored,
  format: ExploreFormat,
  world: CliWorld,
  shard: ShardField | undefined,
): ExitCode {
  if (error !== undefined) complain(world, error);
  if (format === 'json') {
    const line = { contract: CONTRACT, ...json, ...(error !== undefined && { error }), ...(shard && { shard }) };
    world.out(`${printableJson(line)}\n`);
  } else if (text !== '' && format !== 'junit') world.out(format === 'text' ? fitted(text, world.columns) : text);
  if (error !== undefined) return EXIT.failed;
  return verdict === 'found' ? EXIT.found : EXIT.clean;
}
