import { posix } from 'node:path';
import type { Analysis, AnalysisHost } from '../../analysis/analysis';
import { findPathKinds, type Rendering, type RenderTools, render, renderedUri } from '../../analysis/rendering';
import type { PlaceFile } from '../../analysis/scenario';
import type { Bounds } from '../../disk/within';
import type { CliWorld } from '../world';
import { collect } from './collect';

/** Gives an analysis the kinds of the paths that kustomizations name and that are no manifests. */
export async function lookAround(host: AnalysisHost, bounds: Bounds, world: CliWorld): Promise<void> {
  const wanted = host.analysis().wantedPaths;
  const places = await findPathKinds(wanted, uri => pathKind(uri, bounds, world));
  if (places.length > 0) host.apply({ pathKinds: places });
}

async function pathKind(
  path: string,
  bounds: Bounds,
  world: CliWorld,
): Promise<'file' | 'folder' | 'nothing' | undefined> {
  const { kind } = await world.entry(path, bounds);
  if (kind === 'outside') return undefined;
  if (kind === 'folder') return 'folder';
  return kind === 'missing' ? 'nothing' : 'file';
}

const toolsOf = (bounds: Bounds, world: CliWorld): RenderTools => ({
  run: world.runProcess,
  pathKind: path => pathKind(path, bounds, world),
  async readText(path) {
    const [file] = await collect([{ path, bounds }], world);
    return file !== undefined && 'text' in file ? file.text : undefined;
  },
  linkOut: folder => linkOut(folder, bounds, world),
});

async function linkOut(folder: string, bounds: Bounds, world: CliWorld): Promise<string | undefined> {
  const listed = await world.list(folder);
  for (const { name, kind } of 'value' in listed ? listed.value : []) {
    const path = posix.join(folder, name);
    const out =
      kind === 'folder'
        ? await linkOut(path, bounds, world)
        : kind === 'link' && (await world.entry(path, bounds)).kind === 'outside' && path;
    if (out) return out;
  }
  return undefined;
}

const AT_ONCE = 4;

export interface RenderedFiles {
  readonly files: readonly PlaceFile[];
  /** The folders of what was rendered. */
  readonly folders: readonly string[];
  /** A sentence for each that cannot be rendered. */
  readonly problems: readonly string[];
}

/**
 * The files of a scenario with what kustomizations and charts among them are rendered to, and a sentence for each that cannot
 * be rendered: its sources are then placed.
 */
export async function withRendered(
  files: readonly PlaceFile[],
  host: AnalysisHost,
  bounds: Bounds,
  world: CliWorld,
): Promise<RenderedFiles> {
  host.apply({ files });
  await lookAround(host, bounds, world);
  const rendered = await renderingsOf(host.analysis(), bounds, world);
  return {
    files: [
      ...files,
      ...rendered.flatMap(it => ('text' in it ? { uri: renderedUri(it.job.folder), text: it.text } : [])),
    ],
    folders: rendered.flatMap(it => ('text' in it ? [it.job.folder] : [])),
    problems: rendered.flatMap(it => ('failure' in it ? `${it.failure.uri}: ${it.failure.message}` : [])),
  };
}

/**
 * Renders everything that can be, with the tools that are installed. Resolves when the analysis has it all, to a sentence
 * when a tool is missing: who asked for rendering must not take silence for a clean answer.
 */
export async function renderAll(host: AnalysisHost, bounds: Bounds, world: CliWorld): Promise<string | undefined> {
  const rendered = await renderingsOf(host.analysis(), bounds, world);
  if (rendered.length > 0) host.apply({ rendered });
  const missing = rendered.flatMap(it => ('failure' in it && it.failure.kind === 'missing' ? [it.failure] : []));
  return missing[0] && `--render could not do its work. ${missing[0].uri}: ${missing[0].message}`;
}

/** Runs the jobs of an analysis, a few at once. */
export async function renderingsOf(
  { renderJobs, capabilities }: Pick<Analysis, 'renderJobs' | 'capabilities'>,
  bounds: Bounds,
  world: CliWorld,
): Promise<readonly Rendering[]> {
  const left = [...renderJobs];
  const rendered: Rendering[] = [];
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      rendered.push(await render(job, toolsOf(bounds, world), capabilities));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return rendered;
}
