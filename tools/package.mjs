// `npm run package`: dist/berth.vsix, minified. It needs no network. `--test` builds the suite of the editor tests beside it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { program, root, runNode } from './run.mjs';

const out = join(root, 'dist/berth.vsix');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// A gallery takes the README's links and pictures from the repository, once package.json names one.
const links = repository === undefined ? ['--allow-missing-repository', '--no-rewrite-relative-links'] : [];
const args = ['package', '--no-dependencies', ...links, '-o', out];
const env = { ...process.env, ...(process.argv.includes('--test') && { BERTH_BUILD_SUITE: '1' }) };
const code = await runNode([program.vsce, ...args], { env });
if (code === 0) console.log(`${out} (${Math.ceil(statSync(out).size / 1024)} kB)`);
process.exitCode = code;
