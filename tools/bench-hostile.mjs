// `npm run bench -- hostile [NAME…]`: CPU time and memory of `berth check` on files that are made to be slow, and whether
// twice the text takes about twice the time; and of `berth place` on scenarios that are made to be large. It needs a build. NAME is a part of the name of an input.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from './bundled.mjs';
import { root } from './run.mjs';

const SIZE = 1_000_000;
const GOALS = { seconds: 2, megabytes: 300, ratio: 2.3 };
/** Of a placement, whose time limit counts by the clock. */
const PLACE_GOALS = { seconds: 90, megabytes: 1_500 };
/** Below this many seconds a ratio says more about the machine than about the work. */
const NOTHING = 0.25;

const { HOSTILE, SCENARIOS } = await bundled('test/bench/hostile');
const wanted = process.argv.slice(3);
const inputs = HOSTILE.filter(it => wanted.length === 0 || wanted.some(part => it.name.includes(part)));
const total = { inputs: 0, missed: 0 };
const start = measured({ file: 'file.yaml', text: () => '' }, 0).seconds;
console.log(`start: ${start.toFixed(2)} s of CPU, which is taken off before ratios`);
for (const input of inputs) {
  const whole = measured(input, SIZE);
  const work = Math.max(0, whole.seconds - start);
  const ratio = work < NOTHING ? undefined : ratioOf(input, work);
  const figures = `${whole.seconds.toFixed(2)} s, ${whole.megabytes.toFixed(0)} MB, ratio ${ratio?.toFixed(2) ?? '-'}`;
  const missed = [
    ...(whole.seconds > GOALS.seconds ? ['time'] : []),
    ...(whole.megabytes > GOALS.megabytes ? ['memory'] : []),
    ...(ratio !== undefined && ratio > GOALS.ratio ? ['ratio'] : []),
  ];
  total.inputs += 1;
  if (missed.length > 0) total.missed += 1;
  console.log(`${input.name.padEnd(54)} ${figures}${missed.length === 0 ? '' : `  MISSED: ${missed.join(', ')}`}`);
}
const places = SCENARIOS.filter(it => wanted.length === 0 || wanted.some(part => it.name.includes(part)));
for (const { name, file, text } of places) {
  const { seconds, megabytes, answer } = measured({ file, text }, 0, ['place', '--format', 'json', file]);
  const missed = [
    ...(seconds > PLACE_GOALS.seconds ? ['time'] : []),
    ...(megabytes > PLACE_GOALS.megabytes ? ['memory'] : []),
  ];
  total.inputs += 1;
  if (missed.length > 0) total.missed += 1;
  const figures = `${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB, ${answer}`;
  console.log(
    `${`place: ${name}`.padEnd(54)} ${figures}${missed.length === 0 ? '' : `  MISSED: ${missed.join(', ')}`}`,
  );
}
console.log(`${total.inputs} inputs, of which ${total.missed} miss a goal`);

/** How much longer the whole takes than its half. One run may be disturbed: a ratio that misses the goal is measured again. */
function ratioOf(input, work) {
  const ratio = work / Math.max(0.01, measured(input, SIZE / 2).seconds - start);
  if (ratio <= GOALS.ratio) return ratio;
  const again = (measured(input, SIZE).seconds - start) / Math.max(0.01, measured(input, SIZE / 2).seconds - start);
  return Math.min(ratio, again);
}

/** Seconds of CPU and the most memory that a check of one file took. */
function measured({ file, text }, size, verb = ['check', '.', '--format', 'json']) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
  const usage = join(folder, 'usage.json');
  const probe = join(folder, 'probe.cjs');
  const files = join(folder, 'files');
  const told = `require('node:fs').writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage()))`;
  try {
    mkdirSync(files);
    writeFileSync(probe, `process.on('exit', () => ${told});`);
    writeFileSync(join(files, file), text(size));
    const args = ['--require', probe, join(root, 'dist/cli.js'), ...verb, '--fail-on', 'never'];
    const run = spawnSync(process.execPath, args, { cwd: files, maxBuffer: 1 << 30, timeout: 120_000 });
    // A file that is no configuration is answered with 2.
    if (run.status !== 0 && run.status !== 2)
      return { seconds: Number.POSITIVE_INFINITY, megabytes: Number.POSITIVE_INFINITY, answer: 'no answer' };
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
    return {
      seconds: (userCPUTime + systemCPUTime) / 1e6,
      megabytes: maxRSS / 1024,
      answer: run.status === 0 ? 'answered' : String(run.stderr).trim(),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
