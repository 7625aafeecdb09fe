// `npm run bench -- hostile [NAME…]`: CPU time and memory of `berth check` on files that are made to be slow, and whether
// twice the text takes about twice the time; on workspaces of several such files; and of `berth place` on scenarios that are made to be large. It needs a build. NAME is a part of the name of an input.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundled } from './bundled.mjs';
import { root } from './run.mjs';

const SIZE = 1_000_000;
const GOALS = { seconds: 2, megabytes: 300, ratio: 2.3 };
/** From so many times the CPU time on, the wall's is told and counts: another process worked, that of the policy engine. */
const BESIDE = 1.5;
/** Of a placement, whose time limit counts by the clock. */
const PLACE_GOALS = { seconds: 90, megabytes: 1_500 };
/** Of a workspace whose files are each within their limits. */
const WORKSPACE_GOALS = { seconds: 6, megabytes: 400 };
/** Below this many seconds a ratio says more about the machine than about the work. */
const NOTHING = 0.25;

const { HOSTILE, SCENARIOS, WORKSPACES } = await bundled('test/bench/hostile');
const wanted = process.argv.slice(3);
const inputs = HOSTILE.filter(it => wanted.length === 0 || wanted.some(part => it.name.includes(part)));
const total = { inputs: 0, missed: 0 };
// The first run after a build compiles what later ones find in V8's compile cache.
measured({ 'file.yaml': '' });
const start = measured({ 'file.yaml': '' }).seconds;
console.log(`start: ${start.toFixed(2)} s of CPU, which is taken off before ratios`);
for (const input of inputs) {
  const whole = measured(filesOf(input, SIZE));
  const work = Math.max(0, whole.seconds - start);
  const ratio = work < NOTHING ? undefined : ratioOf(input, work);
  const beside = whole.wall > whole.seconds * BESIDE ? ` (${whole.wall.toFixed(2)} s of the wall)` : '';
  const figures = `${whole.seconds.toFixed(2)} s${beside}, ${whole.megabytes.toFixed(0)} MB, ratio ${ratio?.toFixed(2) ?? '-'}`;
  const missed = [
    ...(whole.seconds > GOALS.seconds || (beside !== '' && whole.wall > GOALS.seconds) ? ['time'] : []),
    ...(whole.megabytes > GOALS.megabytes ? ['memory'] : []),
    ...(ratio !== undefined && ratio > GOALS.ratio ? ['ratio'] : []),
  ];
  total.inputs += 1;
  if (missed.length > 0) total.missed += 1;
  console.log(`${input.name.padEnd(54)} ${figures}${missed.length === 0 ? '' : `  MISSED: ${missed.join(', ')}`}`);
}
const isWanted = it => wanted.length === 0 || wanted.some(part => it.name.includes(part));
for (const { name, files } of WORKSPACES.filter(isWanted)) tellOnce(name, measured(files()), WORKSPACE_GOALS);
for (const input of SCENARIOS.filter(isWanted)) {
  const verb = ['place', '--format', 'json', input.file];
  tellOnce(`place: ${input.name}`, measured(filesOf(input, 0), verb), PLACE_GOALS);
}
console.log(`${total.inputs} inputs, of which ${total.missed} miss a goal`);

function tellOnce(name, { seconds, megabytes, answer }, goals) {
  const missed = [...(seconds > goals.seconds ? ['time'] : []), ...(megabytes > goals.megabytes ? ['memory'] : [])];
  total.inputs += 1;
  if (missed.length > 0) total.missed += 1;
  const figures = `${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB, ${answer}`;
  console.log(`${name.padEnd(54)} ${figures}${missed.length === 0 ? '' : `  MISSED: ${missed.join(', ')}`}`);
}

/** How much longer the whole takes than its half. One run may be disturbed: a ratio that misses the goal is measured again. */
function ratioOf(input, work) {
  const half = () => Math.max(0.01, measured(filesOf(input, SIZE / 2)).seconds - start);
  const ratio = work / half();
  if (ratio <= GOALS.ratio) return ratio;
  const again = (measured(filesOf(input, SIZE)).seconds - start) / half();
  return Math.min(ratio, again);
}

/** The text of an input by the name of its file. */
function filesOf({ file, text }, size) {
  return { [file]: text(size) };
}

/** Seconds of CPU and of the wall, and the most memory, that a check of files, by their names, took. */
function measured(texts, verb = ['check', '.', '--format', 'json']) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
  const usage = join(folder, 'usage.json');
  const probe = join(folder, 'probe.cjs');
  const files = join(folder, 'files');
  const told = `require('node:fs').writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage()))`;
  try {
    mkdirSync(files);
    writeFileSync(probe, `process.on('exit', () => ${told});`);
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(files, name)), { recursive: true });
      writeFileSync(join(files, name), text);
    }
    const args = ['--require', probe, join(root, 'dist/cli.js'), ...verb, '--fail-on', 'never'];
    const start = performance.now();
    const run = spawnSync(process.execPath, args, { cwd: files, maxBuffer: 1 << 30, timeout: 120_000 });
    // A file that is no configuration is answered with 2.
    if (run.status !== 0 && run.status !== 2)
      return {
        seconds: Number.POSITIVE_INFINITY,
        wall: Number.POSITIVE_INFINITY,
        megabytes: Number.POSITIVE_INFINITY,
        answer: 'no answer',
      };
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
    return {
      seconds: (userCPUTime + systemCPUTime) / 1e6,
      wall: (performance.now() - start) / 1000,
      megabytes: maxRSS / 1024,
      answer: run.status === 0 ? 'answered' : String(run.stderr).trim(),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
