import type { Kube } from '../../kube/kube';
import { releaseOf, versionText } from '../../kube/version';
import { type BasesWorld, obstacleInLinks, obstacleOnDisk } from './basesOnDisk';
import { type Failure, failureOf, skippedFailure } from './failure';
import type { RenderJob } from './jobs';
import { RENDER_LIMITS, type RunTool } from './run';

/** The result of a job: the output, or why there is none. */
export type Rendering =
  | { readonly job: RenderJob; readonly text: string }
  | { readonly job: RenderJob; readonly failure: Failure };

/** The cluster's capabilities as charts see them. */
export interface RenderCapabilities {
  /** The patch release: 1.37.2, the newest of a minor that Berth knows. */
  readonly release: string;
  /** The served `GROUP/VERSION` and `GROUP/VERSION/KIND`. */
  readonly apiVersions: readonly string[];
}

/** The capabilities of a cluster with built-in APIs only. */
export function capabilitiesOf(kube: Pick<Kube, 'minor' | 'patch' | 'kinds'>): RenderCapabilities {
  const served = kube.kinds().filter(it => it.origin === 'built-in' && it.served === 'on');
  const all = served.flatMap(({ group, version, kind }) => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return [apiVersion, `${apiVersion}/${kind}`];
  });
  return { release: versionText(releaseOf(kube)), apiVersions: [...new Set(all)].sort() };
}

/** Access to the outside for rendering. */
export interface RenderTools extends BasesWorld {
  readonly run: RunTool;
}

export interface RenderOptions extends RenderCapabilities {
  readonly signal?: AbortSignal;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The commands for a job, of which the first installed one is used. None fetches or runs plugins: kustomize keeps its
 * load restrictions, and helm uses the dependencies in charts/.
 */
function commandsOf(
  { tool, chart }: RenderJob,
  { release: kubeVersion, apiVersions }: RenderCapabilities,
): readonly Command[] {
  if (tool === 'kustomize') {
    return [
      { command: 'kustomize', args: ['build', '.'] },
      { command: 'kubectl', args: ['kustomize', '.'] },
    ];
  }
  const release = (chart ?? 'chart')
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 53);
  const cluster = ['--kube-version', kubeVersion, '--api-versions', apiVersions.join(',')];
  return [{ command: 'helm', args: ['template', release, '.', ...cluster] }];
}

/** A message shows at most this many arguments of a command: the list of APIs is long. */
const SHOWN = 3;

/** Renders with the user's own tools. Never throws. */
export async function render(
  job: RenderJob,
  { run, ...bases }: RenderTools,
  { signal, ...capabilities }: RenderOptions,
): Promise<Rendering> {
  const obstacle =
    job.obstacle ??
    (job.tool === 'helm' ? await obstacleInLinks(job.folder, bases) : await obstacleOnDisk(job.unseen, bases));
  if (obstacle !== undefined) return { job, failure: skippedFailure(job, obstacle) };
  const commands = commandsOf(job, capabilities);
  for (const { command, args } of commands) {
    const ran = await run(command, args, { cwd: job.folder, ...RENDER_LIMITS, ...(signal && { signal }) });
    if (ran.end === 'missing') continue;
    if (ran.end === 'exited' && ran.code === 0) return { job, text: ran.out };
    return { job, failure: failureOf(job, [command, ...args.slice(0, SHOWN)].join(' '), ran) };
  }
  return { job, failure: failureOf(job, commands.map(it => it.command).join(' or '), { end: 'missing' }) };
}
