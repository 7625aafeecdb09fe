import { posix } from 'node:path';
import {
  dotOf,
  drawSystem,
  type ExploredSystem,
  exploreSystem,
  mermaidOf,
  runToEnd,
  type SearchLimits,
} from '../../analysis/explore';
import { parsedFiles } from '../../analysis/scenario';
import { lineIndex } from '../../text/lineIndex';
import { OUTSIDE } from '../input/borders';
import { readJobs } from '../input/options';
import { renderSystem } from '../render/exploration';
import { casesOfSystem } from '../render/explorationCases';
import { colourful, plain } from '../render/style';
import { type CliWorld, UsageError } from '../world';
import { type Explored, type ExploreRequest, notExplored } from './exploreRequest';

/** What a search keeps at most; a state takes some 20 to 50 bytes, and a transition 5. */
const MOST_BYTES = 1_500_000_000;

/** The search inserts all states in one thread: more threads than these only wait for it. */
const MOST_JOBS = 8;

/** Node reads no larger file at once. */
const MOST_SAVED_BYTES = 2 ** 31 - 1;

/** Explores one file of kind System. */
export async function exploreSystemOf(
  file: { readonly uri: string; readonly text: string },
  { maxStates, maxFindings, time, flags, format }: ExploreRequest,
  world: CliWorld,
): Promise<Explored> {
  const [parsed] = parsedFiles([file]).files;
  if (parsed === undefined) throw new Error('A file was read and is not there.');
  const limits: SearchLimits = {
    states: maxStates ?? Number.POSITIVE_INFINITY,
    bytes: MOST_BYTES,
    isOver: time.isOver,
    onStates: it => world.progress?.(`${file.uri}: ${it.toLocaleString('en')} states`),
    ...(maxFindings !== undefined && { findings: maxFindings }),
  };
  const saved = flags.resume === undefined ? undefined : await savedAt(flags.resume, world);
  const symmetry = flags.symmetry === false ? 'ignored' : 'used';
  const others = Math.min(MOST_JOBS, readJobs(flags.jobs ?? '1')) - 1;
  const start = () => Array.from({ length: others }, () => world.expandInThread({ ...file, symmetry }));
  const explored = runToEnd(
    exploreSystem(parsed, limits, {
      search: flags.reduce === true ? 'reduced' : 'full',
      symmetry,
      ...(saved && { saved }),
      ...(others > 0 && { ahead: { start } }),
    }),
  );
  if (explored.kind === 'refused') throw new UsageError(`${flags.resume} ${explored.reason}.`);
  if (explored.kind !== 'explored') return failed(file, explored);
  const { report } = explored;
  const isFound = report.deadlocks.count > 0 || report.properties.some(it => it.holds === false);
  const unsaved = await save(explored, flags.save, world);
  const text = format === 'svg' ? await pictureOf(explored, world) : textOf(file.uri, explored, format, world);
  const error = unsaved ?? (text === undefined ? `${file.uri}: ${TOO_LARGE}` : undefined);
  return {
    json: report,
    text: text ?? '',
    name: file.uri,
    cases: casesOfSystem(report),
    verdict: isFound ? 'found' : 'nothing found',
    ...(error !== undefined && { error }),
  };
}

/** Throws UsageError. */
async function savedAt(path: string, world: CliWorld): Promise<Uint8Array> {
  const bounds = await world.borders.named(path);
  const entry = await world.entry(path, bounds);
  if (entry.kind !== 'file') throw new UsageError(`${path} is no file that --save wrote.`);
  const read = await world.read(path, bounds, MOST_SAVED_BYTES);
  if ('failure' in read) throw new UsageError(`${path} cannot be read: ${read.failure}.`);
  return read.value;
}

/** Why a search that was stopped could not be saved, a sentence. */
async function save(
  { save: bytes }: Extract<ExploredSystem, { readonly kind: 'explored' }>,
  path: string | undefined,
  world: CliWorld,
): Promise<string | undefined> {
  if (path === undefined || bytes === undefined) return undefined;
  const at = await world.entry(path, await world.borders.of(posix.dirname(path)));
  if (at.kind === 'outside') return `${path} is not written: ${OUTSIDE}.`;
  const written = await world.write(path, bytes());
  return 'failure' in written ? `${path} cannot be written: ${written.failure}.` : undefined;
}

/** Graphviz takes minutes for some graphs. */
const MOST_MILLISECONDS = 60_000;
const TOO_LARGE = 'the picture was not there after a minute; --format dot needs no picture.';

/** undefined: it takes too long. */
async function pictureOf({ report, system }: ExploredOne, world: CliWorld): Promise<string | undefined> {
  const dot = dotOf(report.system, drawSystem(system));
  return world.layOut({ dot, format: 'svg' }, MOST_MILLISECONDS);
}

type ExploredOne = Extract<ExploredSystem, { readonly kind: 'explored' }>;

function textOf(
  uri: string,
  { report, system }: ExploredOne,
  format: ExploreRequest['format'],
  world: CliWorld,
): string {
  if (format === 'dot') return dotOf(report.system, drawSystem(system));
  if (format === 'mermaid') return mermaidOf(drawSystem(system));
  return renderSystem(uri, report, world.colours ? colourful : plain);
}

function failed(
  { uri, text }: { readonly uri: string; readonly text: string },
  explored: Extract<ExploredSystem, { readonly kind: 'invalid' | 'failed' }>,
): Explored {
  const [wrong] = explored.kind === 'failed' ? [explored.failure] : explored.problems;
  const trace = explored.kind === 'failed' ? explored.failure.trace : undefined;
  const { line, character } = lineIndex(text).position(wrong?.span.start ?? 0);
  const path = wrong?.path.toString() ?? '';
  const after =
    trace === undefined ? '' : ` after ${trace.map(it => `${it.process}: ${it.step}`).join(', ') || 'no step'}`;
  const where = path === '' ? '' : ` ${path}:`;
  const says = `${wrong?.message ?? 'this is no system'}${after}`;
  const sentence = `${uri}:${line + 1}:${character + 1}:${where} ${says}${says.endsWith('?') ? '' : '.'}`;
  return notExplored(uri, sentence, { errorAt: path, ...(trace && { errorTrace: trace }) });
}
