// What the verbs share: running a program of the project, and telling how long a step took.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Where what is large and lasts is kept for all checkouts of this user. */
export const cacheFolder = (env = process.env) =>
  env.BERTH_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'berth');

/**
 * Makes a folder that lasts, unless it is there, in a new one beside it that is renamed at the end: a parallel or a broken
 * start leaves nothing half done.
 * @param {string} folder
 * @param {(fresh: string) => unknown} make Fills the new folder.
 */
export async function madeOnce(folder, make) {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.unfinished-`);
  try {
    await make(fresh);
    try {
      renameSync(fresh, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Path of the script behind a program of node_modules, so that it runs without a shell on every system. */
export const program = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/**
 * Runs `node SCRIPT ARGS…` in the project's folder and resolves to its exit code; a signal counts as 1.
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function runNode(args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', fail);
    child.once('close', code => done(code ?? 1));
  });
}

/**
 * The same, with all that the script says told in one piece at its end.
 * @param {string[]} args
 * @param {(text: string) => void} tell
 */
export function runNodeQuietly(args, tell) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', it => said.push(it));
    child.once('error', fail);
    child.once('close', code => {
      tell(Buffer.concat(said).toString('utf8'));
      done(code ?? 1);
    });
  });
}

/** Seconds with one digit, for progress lines. */
export const seconds = since => `${((Date.now() - since) / 1000).toFixed(1)} s`;
