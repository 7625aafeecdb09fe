import { fork } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type * as vscode from 'vscode';

export interface CliAnswer {
  readonly out: string;
  /** null: the process was ended from outside. */
  readonly code: number | null;
}

/** What makes the command line answer in the language of the editor. */
export const speaking = (locale: string): NodeJS.ProcessEnv => ({ ...process.env, BERTH_LOCALE: locale });

/** Runs Berth's own command line, so that editor and terminal cannot differ. */
export async function runCli(
  context: Pick<vscode.ExtensionContext, 'asAbsolutePath'>,
  args: readonly string[],
  {
    input,
    ...options
  }: {
    readonly cwd?: string;
    readonly signal?: AbortSignal;
    readonly input?: string;
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): Promise<CliAnswer> {
  const child = fork(context.asAbsolutePath('dist/cli.js'), [...args], { silent: true, ...options });
  const ended = new Promise<number | null>(done => {
    child.once('close', done);
    child.once('error', () => done(null));
  });
  // A process that ended early reads nothing.
  child.stdin?.on('error', () => undefined).end(input ?? '');
  const [out, code] = await Promise.all([child.stdout ? text(child.stdout) : '', ended]);
  return { out, code };
}
