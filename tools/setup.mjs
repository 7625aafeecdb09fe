// First step of `npm start` and `npm test`, so that both work in a fresh clone: installs the locked dependencies when they
// are missing or not those of package-lock.json. It may import nothing but Node's own modules.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Runs `npm ci` if need be. Throws when it fails. */
export function setup() {
  if (isInstalled()) return;
  console.log('Installing the dependencies of package-lock.json');
  installLocked(root);
}

/**
 * Installs what the lock in a folder names. What npm knows already it does not ask for again: a lock has the sums, so that
 * nothing newer could come of it.
 * @param {string} folder
 * @param {string[]} more Further arguments of `npm ci`.
 */
export function installLocked(folder, more = []) {
  const args = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', ...more];
  execFileSync('npm', ['ci', ...args], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
}

/** npm writes down what it has installed once it is done; packages for other systems are optional and missing there. */
function isInstalled() {
  const file = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(file)) return false;
  const { '': _, ...wanted } = packagesOf(join(root, 'package-lock.json'));
  const there = packagesOf(file);
  const isThere = ([path, it]) => it.optional || there[path]?.version === it.version;
  return Object.entries(wanted).every(isThere) && Object.keys(there).every(it => it in wanted);
}

const packagesOf = file => JSON.parse(readFileSync(file, 'utf8')).packages;
