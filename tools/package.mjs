// `npm run package`: dist/berth.vsix, minified. It needs no network. `--test` builds the suite of the editor tests beside it.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program, root, runNode } from './run.mjs';

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

async function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-package-'));
  try {
    stage(folder);
    return await runNode([join(root, program.vsce), 'package', '--no-dependencies', ...links, '-o', out], {
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
