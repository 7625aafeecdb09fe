import { drawSystem, type ExploredSystem, exploreSystem, runToEnd, type SearchLimits } from '../../analysis/explore';
import { parsedFiles } from '../../analysis/scenario';
import { lineIndex } from '../../text/lineIndex';
import { renderSystem } from '../render/exploration';
import { casesOfSystem } from '../render/explorationCases';
import { dotOf, mermaidOf } from '../render/stateGraph';
import { colourful, plain } from '../render/style';
import type { CliWorld } from '../world';
import { type Explored, type ExploreRequest, notExplored } from './exploreRequest';

/** What a search keeps at most; a state takes some 20 to 50 bytes, and a transition 5. */
const MOST_BYTES = 1_500_000_000;

/** Explores the systems of an argument, each file by itself. */
export function exploreSystemOf(
  file: { readonly uri: string; readonly text: string },
  { maxStates, maxFindings, time, flags, format }: ExploreRequest,
  world: CliWorld,
): Explored {
  const [parsed] = parsedFiles([file]).files;
  if (parsed === undefined) throw new Error('A file was read and is not there.');
  const limits: SearchLimits = {
    states: maxStates ?? Number.POSITIVE_INFINITY,
    bytes: MOST_BYTES,
    isOver: time.isOver,
    ...(maxFindings !== undefined && { findings: maxFindings }),
  };
  const explored = runToEnd(
    exploreSystem(parsed, limits, {
      search: flags.reduce === true ? 'reduced' : 'full',
      symmetry: flags.symmetry === false ? 'ignored' : 'used',
    }),
  );
  if (explored.kind !== 'explored') return failed(file, explored);
  const { report } = explored;
  const isFound = report.deadlocks.count > 0 || report.properties.some(it => it.holds === false);
  return {
    json: report,
    text: textOf(file.uri, explored, format, world),
    name: file.uri,
    cases: casesOfSystem(report),
    verdict: isFound ? 'found' : 'nothing found',
  };
}

function textOf(
  uri: string,
  { report, system }: Extract<ExploredSystem, { readonly kind: 'explored' }>,
  format: ExploreRequest['format'],
  world: CliWorld,
): string {
  if (format === 'dot') return dotOf(report.system, drawSystem(system));
  if (format === 'mermaid') return mermaidOf(drawSystem(system));
  return renderSystem(uri, report, world.colours ? colourful : plain);
}

function failed(
  { uri, text }: { readonly uri: string; readonly text: string },
  explored: Exclude<ExploredSystem, { readonly kind: 'explored' }>,
): Explored {
  const [wrong] = explored.kind === 'failed' ? [explored.failure] : explored.problems;
  const trace = explored.kind === 'failed' ? explored.failure.trace : undefined;
  const { line, character } = lineIndex(text).position(wrong?.span.start ?? 0);
  const path = wrong?.path.toString() ?? '';
  const after =
    trace === undefined ? '' : ` after ${trace.map(it => `${it.process}: ${it.step}`).join(', ') || 'no step'}`;
  const where = path === '' ? '' : ` ${path}:`;
  const sentence = `${uri}:${line + 1}:${character + 1}:${where} ${wrong?.message ?? 'this is no system'}${after}.`;
  return notExplored(uri, sentence, { errorAt: path, ...(trace && { errorTrace: trace }) });
}
