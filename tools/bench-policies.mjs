// `npm run bench -- policies`: what policies cost, from the first start of the engine to one edited Pod. It needs a build.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from './bundled.mjs';
import { root } from './run.mjs';

const GOALS = { start: 2_000, edit: 60, memory: 600 };

const { policyTimes, inventoryTimes, kyvernoTimes, createPolicyEngine, engineWorld } = await bundled(
  'test/bench/policies',
  'test/bench/kyverno',
  'server/src/policy/engine/engine',
  'server/src/policy/engine/process',
);
const before = megabytes(process.pid);
const world = engineWorld(join(root, 'dist'), line => console.error(line));
const engine = createPolicyEngine(world);
const readPack = name => readFileSync(join(root, 'server/data/kubernetes', name));
const { start, first, edits } = await policyTimes(engine, readPack, 100);
const sorted = [...edits].sort((a, b) => a - b);
row('first start of the engine', `${start.toFixed(0)} ms`, `${GOALS.start} ms`);
row('20 + 20 policies, checked and asked of 100 Pods', `${first.toFixed(0)} ms`, '');
row('one edited Pod, median', `${sorted[50].toFixed(1)} ms`, `${GOALS.edit} ms`);
row('one edited Pod, p95', `${sorted[95].toFixed(1)} ms`, `${GOALS.edit} ms`);
const { pods, services, others, ...inventory } = await inventoryTimes(engine, readPack, 40);
row('20 templates look at Services among 2,000 objects', `${inventory.first.toFixed(0)} ms`, '');
row('one edited Pod of those, median', `${median(pods).toFixed(1)} ms`, `${GOALS.edit} ms`);
row('one edited Service, median', `${median(services).toFixed(1)} ms`, `${GOALS.edit} ms`);
row('all 40 Services asked anew by that, median', `${median(others).toFixed(0)} ms`, '');
const own = world.pid();
row('memory of the engine while loaded', `${megabytes(own).toFixed(0)} MB`, `${GOALS.memory} MB`);
await kyvernoTimes(readPack, 1_250);
const quarter = await kyvernoTimes(readPack, 1_250);
const whole = await kyvernoTimes(readPack, 5_000);
row("5,000 files of Kyverno's policies and objects", `${whole.judged.toFixed(0)} ms`, '');
row('of what four times 1,250 of them take', (whole.judged / quarter.judged / 4).toFixed(2), '1.5');
engine.dispose();
await new Promise(resolve => setTimeout(resolve, 500));
row('memory of the engine when idle', `${megabytes(own).toFixed(0)} MB`, '0 MB');
row('what Berth itself holds of all that', `${(megabytes(process.pid) - before).toFixed(0)} MB`, '');

function median(times) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** Resident memory of a process; 0 when it is gone. */
function megabytes(pid) {
  if (pid === process.pid) return process.memoryUsage().rss / 1e6;
  try {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1e3;
  } catch {
    return 0;
  }
}

function row(name, value, goal) {
  console.log(name.padEnd(52) + value.padStart(12) + (goal === '' ? '' : `   goal ${goal}`));
}
