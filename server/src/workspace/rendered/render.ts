import { type Failure, failureOf, leftAlone } from './failure';
import type { RenderJob } from './jobs';
import { RENDER_LIMITS, type Run } from './run';

/** What came of a job: text, or why there is none. */
export type Rendering =
  | { readonly job: RenderJob; readonly text: string }
  | { readonly job: RenderJob; readonly failure: Failure };

export interface RenderOptions {
  /** The minor that charts are told to be rendered for. */
  readonly minor: string;
  readonly signal?: AbortSignal;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * What is started for a job, the first that is installed. Nothing that fetches, and no plugin: kustomize keeps its own
 * restrictions, and helm takes the dependencies that lie in charts/.
 */
export function commandsOf({ tool, chart }: Pick<RenderJob, 'tool' | 'chart'>, minor: string): readonly Command[] {
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
  return [{ command: 'helm', args: ['template', release, '.', '--kube-version', `${minor}.0`] }];
}

/** Renders with the user's own tools. Never throws. */
export async function render(job: RenderJob, run: Run, { minor, signal }: RenderOptions): Promise<Rendering> {
  if (job.obstacle !== undefined) return { job, failure: leftAlone(job, job.obstacle) };
  const commands = commandsOf(job, minor);
  for (const { command, args } of commands) {
    const ran = await run(command, args, { cwd: job.folder, ...RENDER_LIMITS, ...(signal && { signal }) });
    if (ran.end === 'missing') continue;
    if (ran.end === 'exited' && ran.code === 0) return { job, text: ran.out };
    return { job, failure: failureOf(job, [command, ...args].join(' '), ran) };
  }
  return { job, failure: failureOf(job, commands.map(it => it.command).join(' or '), { end: 'missing' }) };
}
