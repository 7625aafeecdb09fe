// `npm run bench -- policies`: what policies cost, from the first start of the engine to one edited Pod. It needs a build.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundled } from './bundled.mjs';
import { root } from './run.mjs';

const GOALS = { start: 2_000, edit: 60, memory: 600, factor: 3 };
const PODS = 2_000;

const { policyTimes, policyRepositories, inventoryTimes, kyvernoTimes, readingTimes, createPolicyEngine, engineWorld } =
  await bundled(
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
const editOf = async more =>
  median((await readingTimes(readPack, { deployments: PODS, policies: 20, edits: 40, more })).edits);
await editOf('none');
const alone = await editOf('none');
const reading = await editOf('one that clones');
row('one edited Deployment of 2,000, 20 + 1 that clones', `${reading.toFixed(0)} ms`, '');
row('of what it takes without the one that clones', (reading / alone).toFixed(2), '1.5');
engine.dispose();
await new Promise(resolve => setTimeout(resolve, 500));
row('memory of the engine when idle', `${megabytes(own).toFixed(0)} MB`, '0 MB');
row('what Berth itself holds of all that', `${(megabytes(process.pid) - before).toFixed(0)} MB`, '');

const [plain, ...judged] = policyRepositories(PODS).map(({ name, files }) => ({
  name,
  seconds: secondsOfCheck(files),
}));
row(`berth check of ${PODS.toLocaleString('en')} Pods`, `${plain.seconds.toFixed(1)} s`, '');
for (const { name, seconds } of judged) {
  const factor = `, ${(seconds / plain.seconds).toFixed(1)} ×`;
  row(`the same with ${name}`, `${seconds.toFixed(1)} s${factor}`, `${GOALS.factor} ×`);
}

/** Seconds of the wall that the built command line takes to check files, by their paths. */
function secondsOfCheck(files) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-policies-'));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const start = performance.now();
    const args = [
      join(root, 'dist/cli.js'),
      'check',
      '.',
      '--format',
      'json',
      '--require',
      'policies',
      '--fail-on',
      'never',
    ];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, maxBuffer: 1 << 30 });
    if (status !== 0) throw new Error(`berth check ended with ${status}: ${stderr}`);
    return (performance.now() - start) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
