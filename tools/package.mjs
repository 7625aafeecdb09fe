// `npm run package`: dist/berth.vsix, minified. Only its first run on a machine needs the network. `--test` builds the suite of
// the editor tests beside it.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cacheFolder, madeOnce, root, runNode } from './run.mjs';
import { installLocked } from './setup.mjs';

const out = join(root, 'dist/berth.vsix');
// Built before: vsce would run the script that does it.
const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// A gallery takes the README's links and pictures from the repository, once package.json names one.
const links = manifest.repository === undefined ? ['--allow-missing-repository', '--no-rewrite-relative-links'] : [];

/**
 * Copies what .vscodeignore lets through, with what lies beside it. In the whole project vsce takes eight seconds for
 * that list, as it compiles each of its patterns for each file.
 */
function stage(folder) {
  const patterns = readFileSync(join(root, '.vscodeignore'), 'utf8').match(/(?<=^!)[^/\n]+/gm);
  const isWanted = new RegExp(`^(?:${patterns.join('|').replaceAll('.', '\\.').replaceAll('*', '.*')})$`);
  const filter = path => !path.endsWith('.vsix');
  for (const name of readdirSync(root).filter(it => it === '.vscodeignore' || isWanted.test(it)))
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/**
 * The script of vsce. It is no devDependency of the project, because most of it, such as the libraries of Azure, is there to
 * publish: it would be half of what `npm ci` installs in each clone. It is kept in the user's cache folder by what its lock names.
 */
async function vsce() {
  const pins = ['package.json', 'package-lock.json'].map(it => join(root, 'tools/vsce', it));
  const hash = createHash('sha256');
  for (const it of pins) hash.update(readFileSync(it));
  const home = join(cacheFolder(), `vsce-${hash.digest('hex').slice(0, 12)}`);
  await madeOnce(home, fresh => {
    console.log(`Installing what packs the extension (once) into ${home}`);
    for (const it of pins) cpSync(it, join(fresh, basename(it)));
    // To sign and to keep tokens takes programs for each system.
    installLocked(fresh, ['--omit=optional']);
  });
  return join(home, 'node_modules/@vscode/vsce/vsce');
}

async function pack() {
  const script = await vsce();
  const folder = mkdtempSync(join(tmpdir(), 'berth-package-'));
  try {
    stage(folder);
    return await runNode([script, 'package', '--no-dependencies', ...links, '-o', out], {
      cwd: folder,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const suite = process.argv.includes('--test') ? ['--test'] : [];
const built = await runNode(['tools/build.mjs', '--production', ...suite]);
const code = built === 0 ? await pack() : built;
if (code === 0) console.log(`${out} (${Math.ceil(statSync(out).size / 1024)} kB)`);
process.exitCode = code;
