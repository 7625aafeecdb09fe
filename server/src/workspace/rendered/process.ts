import { delimiter, isAbsolute } from 'node:path';
import type { RunTool, ToolResult } from './run';

/**
 * Runs a program of the user's PATH without a shell and, if the system allows it, without a network. Stops it if it
 * takes too long, prints too much, is no longer wanted (reported as a timeout, which is then not shown), or once this
 * process exits; if the system allows it, also once this process is killed. Never throws.
 */
export const runProcess: RunTool = async (command, args, options) => {
  for (const [starter, ...given] of process.platform === 'linux' ? STARTERS : []) {
    const ran = await start(starter, [...given, command, ...args], options);
    if (ran.end !== 'missing' && !isOfStarter(ran)) return ran;
  }
  return start(command, args, options);
};

/** A network namespace of its own has no connection, and in a user namespace any user may create one (unshare(1)). */
const ALONE = ['unshare', '--user', '--map-root-user', '--net', '--'] as const;

/** The system kills the program once the thread that has started it is gone (PR_SET_PDEATHSIG in prctl(2), setpriv(1)). */
const ENDING = ['setpriv', '--pdeathsig', 'KILL', '--'] as const;

/**
 * Programs that start another one, the one that is wanted most first. Containers and hardened systems refuse new
 * namespaces; the environment still prevents fetching. BusyBox knows fewer options.
 */
const STARTERS = [[...ALONE, ...ENDING], ENDING, ALONE] as const;

/** Whether a program was not started at all. */
const isOfStarter = (ran: ToolResult): boolean =>
  ran.end === 'exited' && ran.code !== 0 && /^(?:unshare|setpriv): /.test(ran.err);

const start: RunTool = (command, args, { cwd, timeout, maxBytes, signal }) =>
  new Promise(resolve => {
    // Node's module loads its networking, and most processes render nothing.
    const { spawn } = require('node:child_process') as typeof import('node:child_process');
    const child = spawn(command, args, {
      cwd,
      env: ownEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let bytes = 0;
    let stopped: 'timeout' | 'tooMuch' | undefined;
    const stop = (why: 'timeout' | 'tooMuch'): void => {
      stopped ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('timeout'), timeout);
    const cancel = (): void => stop('timeout');
    signal?.addEventListener('abort', cancel, { once: true });
    // A build that never ends would go on when the editor has closed.
    process.once('exit', cancel);
    const end = (ran: ToolResult): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      process.off('exit', cancel);
      resolve(ran);
    };
    const into = (chunks: Buffer[]) => (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) stop('tooMuch');
      else chunks.push(chunk);
    };
    child.stdout.on('data', into(out));
    child.stderr.on('data', into(err));
    child.on('error', error => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      end(isMissing ? { end: 'missing' } : { end: 'exited', code: -1, out: '', err: error.message });
    });
    child.on('close', code => {
      if (stopped !== undefined) end({ end: stopped });
      else end({ end: 'exited', code: code ?? -1, out: textOf(out), err: textOf(err) });
    });
  });

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');

/** Nothing listens on the port (RFC 863), so requests through this proxy fail. */
const NO_PROXY_ANSWERS = 'http://127.0.0.1:9';

/**
 * The program starts in a folder of the workspace: no file there may be taken for the user's own tool. Fetching by git
 * or HTTP fails.
 */
function ownEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap(it => [it, it.toUpperCase()]);
  return {
    ...process.env,
    ...Object.fromEntries(proxies.map(it => [it, NO_PROXY_ANSWERS])),
    no_proxy: '',
    NO_PROXY: '',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    PATH: path,
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}
