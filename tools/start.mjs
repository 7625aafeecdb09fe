// `npm start [-- --once | --web] [--port N] [FOLDER]`: what Berth says about examples/ (or FOLDER) in the terminal, then the
// same in an editor: the desktop VS Code when there is one, else VS Code as a web page on this machine.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runNode } from './run.mjs';
import { setup } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    once: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
  },
});
const folder = resolve(positionals[0] ?? join(root, 'examples'));

setup();
if ((await runNode(['tools/build.mjs'])) !== 0) process.exit(1);

const shown = relative(root, folder) || '.';
await berth('check', [shown]);
for (const scenario of scenarios(folder)) await berth('place', [join(shown, scenario)]);

if (!values.once) await open();

/** Runs a verb of the built CLI; what it finds is its answer, not a failure of this program. */
async function berth(verb, args) {
  console.log(`\n$ berth ${verb} ${args.join(' ')}`);
  const code = await runNode(['dist/cli.js', verb, ...args]);
  if (code > 1) console.log(`berth ${verb} ended with exit code ${code}.`);
}

/** Folders below this one that hold manifests themselves: each is a cluster of its own. */
function scenarios(folder, below = '') {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const isScenario = below !== '' && entries.some(it => it.isFile() && /\.ya?ml$/.test(it.name));
  if (isScenario) return [below];
  return entries
    .filter(it => it.isDirectory() && !it.name.startsWith('.') && it.name !== 'node_modules')
    .flatMap(it => scenarios(join(folder, it.name), join(below, it.name)))
    .sort();
}

async function open() {
  const code = values.web ? undefined : desktopEditor();
  if (code) {
    console.log(`\nOpening ${shown} in the desktop VS Code, with Berth from this folder.`);
    const args = ['--new-window', `--extensionDevelopmentPath=${root}`, folder];
    // code.cmd is a batch file, which wants a shell, and a shell wants names with spaces quoted.
    if (process.platform === 'win32')
      spawn(
        `"${code}"`,
        args.map(it => `"${it}"`),
        { stdio: 'inherit', shell: true },
      );
    else spawn(code, args, { stdio: 'inherit' });
    return;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error(
      '\nThere is no `code` on the PATH: in VS Code, run "Shell Command: Install \'code\' command in PATH".',
    );
    process.exitCode = 1;
    return;
  }
  const { startEditor } = await import('../test/e2e/host.mjs');
  const editor = await startEditor({ extension: root, port: Number(values.port) });
  console.log(`\nBerth runs in VS Code: ${editor.address(folder)}`);
  console.log('Ctrl+C ends it. After a rebuild, "Developer: Reload Window" takes the new code.');
}

/** Path of the `code` command, undefined when there is none. */
function desktopEditor() {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(it => join(it, name))
    .find(it => existsSync(it));
}
