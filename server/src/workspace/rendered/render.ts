import { type Failure, failureOf } from './failure';
import type { RenderJob } from './jobs';

/** How a program ended. `missing`: there is no such program. */
export type Ran =
  | { readonly end: 'exited'; readonly code: number; readonly out: string; readonly err: string }
  | { readonly end: 'missing' | 'timeout' | 'tooMuch' };

export interface RunOptions {
  /** Of the folder, as the job has it. */
  readonly cwd: string;
  readonly timeout: number;
  /** What it may print before it is stopped. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Starts a program without a shell; only an entry makes a real one. */
export type Run = (command: string, args: readonly string[], options: RunOptions) => Promise<Ran>;

/** What came of a job: text, or why there is none. */
export type Rendering =
  | { readonly job: RenderJob; readonly text: string }
  | { readonly job: RenderJob; readonly failure: Failure };

export const RENDER_LIMITS = { timeout: 20_000, maxBytes: 16 * 1024 * 1024 } as const;

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
  const commands = commandsOf(job, minor);
  for (const { command, args } of commands) {
    const ran = await run(command, args, { cwd: job.folder, ...RENDER_LIMITS, ...(signal && { signal }) });
    if (ran.end === 'missing') continue;
    if (ran.end === 'exited' && ran.code === 0) return { job, text: ran.out };
    return { job, failure: failureOf(job, [command, ...args].join(' '), ran) };
  }
  return { job, failure: failureOf(job, commands.map(it => it.command).join(' or '), { end: 'missing' }) };
}
