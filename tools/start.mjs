// `npm start [-- --once | --web] [--port N] [FOLDER]`: three examples and a summary of the others in the terminal (of FOLDER:
// everything), then the same in an editor: the desktop VS Code when there is one, else VS Code as a web page on this machine.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { readOptions } from './options.mjs';
import { root, runNode, runNodeQuietly } from './run.mjs';
import { setup } from './setup.mjs';

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: {
    once: { type: 'boolean', default: false },
    web: { type: 'boolean', default: false },
    port: { type: 'number', to: 65_535, default: 0 },
  },
});
const examples = join(root, 'examples');
const folder = resolve(positionals[0] ?? examples);
const STORY = [
  ['Three honest mistakes, and what to write instead', 'check', 'examples/shop'],
  ['Who waits, who preempts whom', 'place', 'examples/preemption'],
  ['What must still hold when a node goes down', 'test', 'examples/placement-tests'],
];

setup();
if ((await runNode(['tools/build.mjs'])) !== 0) process.exit(1);

const shown = relative(root, folder) || '.';
if (folder === examples) await story();
else await everything();

if (!values.once) await open();

async function story() {
  for (const [title, verb, path] of STORY) {
    console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`);
    await berth(verb, [path]);
  }
  const told = STORY.map(([, , path]) => relative('examples', path));
  const others = scenarios(folder).filter(it => !told.includes(it.replaceAll('\\', '/')));
  const [problems, ...placements] = await Promise.all([
    lines('check', shown).then(it => it.at(-1)),
    ...others.map(it => lines('place', join(shown, it)).then(([first]) => first)),
  ]);
  console.log(`\n── The other examples ${'─'.repeat(53)}\n`);
  for (const it of placements) console.log(`  ${it}`);
  console.log(`\nAll of them: ${problems}`);
  console.log(`See them with: node dist/cli.js check|place ${shown}/NAME`);
}

async function everything() {
  await berth('check', [shown]);
  for (const scenario of scenarios(folder)) await berth('place', [join(shown, scenario)]);
}

/** Runs a verb of the built CLI; what it finds is its answer, not a failure of this program. */
async function berth(verb, args) {
  console.log(`\n$ berth ${verb} ${args.join(' ')}`);
  const code = await runNode(['dist/cli.js', verb, ...args]);
  if (code > 1) console.log(`berth ${verb} ended with exit code ${code}.`);
}

/** The lines that a verb writes. */
async function lines(verb, path) {
  const said = [];
  await runNodeQuietly(['dist/cli.js', verb, path], it => said.push(it));
  return said.join('').trim().split('\n');
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
  const editor = await startEditor({ extension: root, port: values.port });
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
