/** How a program ended. `missing`: there is no such program. */
export type Ran =
  | { readonly end: 'exited'; readonly code: number; readonly out: string; readonly err: string }
  | { readonly end: 'missing' | 'timeout' | 'tooMuch' };

export interface ToolOptions {
  /** Of the folder, as the job has it. */
  readonly cwd: string;
  readonly timeout: number;
  /** What it may print before it is stopped. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Starts a program without a shell; only an entry makes a real one. */
export type RunTool = (command: string, args: readonly string[], options: ToolOptions) => Promise<Ran>;

/** Milliseconds and bytes that a tool may take for one kustomization or chart. */
export const RENDER_LIMITS = { timeout: 20_000, maxBytes: 16 * 1024 * 1024 } as const;
