// `npm run package`: dist/berth.vsix, minified. It needs no network.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { program, root, runNode } from './run.mjs';

const out = join(root, 'dist/berth.vsix');
const args = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '-o', out];
const code = await runNode([program.vsce, ...args]);
if (code === 0) console.log(`${out} (${Math.ceil(statSync(out).size / 1024)} kB)`);
process.exitCode = code;
