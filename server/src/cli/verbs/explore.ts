import { holdsSystem } from '../../analysis/explore';
import { type PlaceFile, parsedFiles } from '../../analysis/scenario';
import { printableJson } from '../../text/printable';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { collectManifests } from '../input/collect';
import { EXPLORE_FORMATS, type ExploreFormat, oneOf, readCount } from '../input/options';
import { startTimeLimit } from '../input/timeLimit';
import { CONTRACT } from '../render/json';
import { type JunitSuite, renderJunit } from '../render/junit';
import type { CliWorld } from '../world';
import { exploreOrdersOf } from './exploreOrders';
import { type Explored, type ExploreFlags, type ExploreRequest, notExplored } from './exploreRequest';
import { exploreSystemOf } from './exploreSystem';
import { sentence, wrongWith } from './place';

/** Explores each argument. Never throws for bad input: that is exit code 2 and a sentence. */
export async function explore(args: readonly string[], flags: ExploreFlags, world: CliWorld): Promise<ExitCode> {
  return unlessBadInput(world, () => exploreAll(args, flags, world), flags.format === 'json' ? {} : undefined);
}

async function exploreAll(args: readonly string[], flags: ExploreFlags, world: CliWorld): Promise<ExitCode> {
  const format = oneOf('--format', flags.format, EXPLORE_FORMATS);
  const maxStates = flags.maxStates === undefined ? undefined : readCount('--max-states', flags.maxStates);
  const maxFindings = flags.maxFindings === undefined ? undefined : readCount('--max-findings', flags.maxFindings);
  const codes: ExitCode[] = [];
  const told: Explored[] = [];
  for (const argument of args) {
    const time = startTimeLimit(flags.timeLimit, world);
    const { files, error } = await filesOf(argument, world);
    const explored: readonly Explored[] =
      error === undefined
        ? await exploreOne({ argument, files, format, flags, time, maxStates, maxFindings }, world)
        : [notExplored(argument, error)];
    told.push(...explored);
    for (const it of explored) codes.push(tell(it, format, world));
  }
  if (format === 'junit') world.out(renderJunit(told.map(suiteOf)));
  return ([EXIT.failed, EXIT.found] as const).find(it => codes.includes(it)) ?? EXIT.clean;
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
async function exploreOne(request: ExploreRequest, world: CliWorld): Promise<readonly Explored[]> {
  const parsed = parsedFiles(request.files).files;
  const systems = request.files.filter((_, i) => holdsSystem(parsed[i]!));
  const files = request.files.filter(it => !systems.includes(it));
  const explored = systems.map(it => exploreSystemOf(it, request, world));
  if (systems.length > 0 && files.length === 0) return explored;
  if (request.format === 'dot' || request.format === 'mermaid') {
    const error = `${request.argument} is a scenario, and --format ${request.format} draws systems alone.`;
    return [...explored, notExplored(request.argument, error)];
  }
  return [...explored, await exploreOrdersOf({ ...request, files }, world)];
}

function suiteOf({ name, cases, error }: Explored): JunitSuite {
  return { name, cases, errors: error === undefined ? [] : [error] };
}

function tell({ json, text, verdict, error }: Explored, format: ExploreFormat, world: CliWorld): ExitCode {
  if (error !== undefined) complain(world, error);
  if (format === 'json') {
    world.out(`${printableJson({ contract: CONTRACT, ...json, ...(error !== undefined && { error }) })}\n`);
  } else if (text !== '' && format !== 'junit') world.out(text);
  if (error !== undefined) return EXIT.failed;
  return verdict === 'found' ? EXIT.found : EXIT.clean;
}
