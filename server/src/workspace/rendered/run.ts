/** How a program ended. `missing`: the program does not exist. */
export type ToolResult =
  | { readonly end: 'exited'; readonly code: number; readonly out: string; readonly err: string }
  | { readonly end: 'missing' | 'timeout' | 'tooMuch' };

export interface ToolOptions {
  /** The job's folder. */
  readonly cwd: string;
  readonly timeout: number;
  /** The program is stopped if it prints more. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** Starts a program without a shell; only an entry point provides a real one. */
export type RunTool = (command: string, args: readonly string[], options: ToolOptions) => Promise<ToolResult>;

/** Milliseconds and bytes that a tool may use for one kustomization or chart. */
export const RENDER_LIMITS = { timeout: 20_000, maxBytes: 16 * 1024 * 1024 } as const;
