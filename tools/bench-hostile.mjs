// `npm run bench -- hostile [NAME…]`: CPU time and memory of `berth check` on files that are made to be slow, and whether
// twice the text takes about twice the time. It needs a build. NAME is a part of the name of an input.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from './bundled.mjs';
import { root } from './run.mjs';

const SIZE = 1_000_000;
const GOALS = { seconds: 2, megabytes: 300, ratio: 2.3 };
/** Below this many seconds a ratio says more about the machine than about the work. */
const NOTHING = 0.25;

const { HOSTILE } = await bundled('test/bench/hostile');
const wanted = process.argv.slice(3);
const inputs = HOSTILE.filter(it => wanted.length === 0 || wanted.some(part => it.name.includes(part)));
const start = measured({ file: 'file.yaml', text: () => '' }, 0).seconds;
console.log(`start: ${start.toFixed(2)} s of CPU, which is taken off before ratios`);
for (const input of inputs) {
  const half = measured(input, SIZE / 2);
  const whole = measured(input, SIZE);
  const work = Math.max(0, whole.seconds - start);
  const ratio = work < NOTHING ? undefined : work / Math.max(0.01, half.seconds - start);
  const figures = `${whole.seconds.toFixed(2)} s, ${whole.megabytes.toFixed(0)} MB, ratio ${ratio?.toFixed(2) ?? '-'}`;
  const missed = [
    ...(whole.seconds > GOALS.seconds ? ['time'] : []),
    ...(whole.megabytes > GOALS.megabytes ? ['memory'] : []),
    ...(ratio !== undefined && ratio > GOALS.ratio ? ['ratio'] : []),
  ];
  console.log(`${input.name.padEnd(54)} ${figures}${missed.length === 0 ? '' : `  MISSED: ${missed.join(', ')}`}`);
}

/** Seconds of CPU and the most memory that a check of one file took. */
function measured({ file, text }, size) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'));
  const usage = join(folder, 'usage.json');
  const probe = join(folder, 'probe.cjs');
  const files = join(folder, 'files');
  const told = `require('node:fs').writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage()))`;
  try {
    mkdirSync(files);
    writeFileSync(probe, `process.on('exit', () => ${told});`);
    writeFileSync(join(files, file), text(size));
    const args = [
      '--require',
      probe,
      join(root, 'dist/cli.js'),
      'check',
      '--fail-on',
      'never',
      '--format',
      'json',
      '.',
    ];
    const run = spawnSync(process.execPath, args, { cwd: files, maxBuffer: 1 << 30, timeout: 120_000 });
    if (run.status !== 0) return { seconds: Number.POSITIVE_INFINITY, megabytes: Number.POSITIVE_INFINITY };
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
    return { seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
