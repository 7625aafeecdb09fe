// First step of `npm start` and `npm test`, so that both work in a fresh clone: installs the locked dependencies when they
// are missing or not those of package-lock.json. It may import nothing but Node's own modules.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Runs `npm ci` if need be. Throws when it fails. */
export function setup() {
  const wanted = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamp = join(root, 'node_modules/.installed-lock.json'); // `npm ci` deletes it with the folder.
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing the dependencies of package-lock.json');
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(stamp, wanted);
}
