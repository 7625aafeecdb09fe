// `npm run bench -- explore`: what the exploration of systems costs, in the built command line. Twelve philosophers have
// 1,684,801 states; where `spin` is installed, its compiled search of the same model is the reference.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const PHILOSOPHERS = 12;
const STATES = 1_684_801;
/** At the end of a process its times in microseconds and its memory in KiB go to standard error. */
const REPORT = 'data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.resourceUsage())))';

const cli = join(root, 'dist/cli.js');
if (!existsSync(cli)) throw new Error('dist/cli.js is not there: run `npm run build -- --production` first.');
const home = mkdtempSync(join(tmpdir(), 'berth-explore-'));
process.env.BERTH_COMPILE_CACHE = join(home, 'compiled');
try {
  explorations();
} finally {
  rmSync(home, { recursive: true });
}

function explorations() {
  const small = philosophers(2);
  explore(small);
  const idle = explore(small);
  const full = explore(philosophers(PHILOSOPHERS), STATES);
  const live = explore(philosophers(PHILOSOPHERS, 'progress: [take right]'), STATES);
  const reduced = explore(philosophers(40), 4682, '--reduce');
  const bytes = ((full.kibibytes - idle.kibibytes) * 1024) / STATES;
  const own = full.seconds - idle.seconds;
  const more = (live.seconds - idle.seconds) / own - 1;
  const beyond = reduced.seconds - idle.seconds;
  console.log(`start: ${idle.seconds.toFixed(2)} s of CPU, ${Math.round(idle.kibibytes / 1024)} MiB`);
  console.log(`${PHILOSOPHERS} philosophers, ${STATES} states: ${own.toFixed(2)} s of CPU beyond that`);
  console.log(`  ${bytes.toFixed(0)} bytes a state at most; goal 48: ${bytes <= 48 ? 'reached' : 'MISSED'}`);
  console.log(
    `  with a livelock search ${(more * 100).toFixed(0)} % more; goal 50 %: ${more <= 0.5 ? 'reached' : 'MISSED'}`,
  );
  console.log(
    `40 philosophers reduced: ${beyond.toFixed(2)} s of CPU; goal 0.3 s: ${beyond <= 0.3 ? 'reached' : 'MISSED'}`,
  );
  const spin = spinSeconds();
  if (spin === undefined) console.log('spin: not installed');
  else {
    const reached = own <= spin ? 'reached' : 'MISSED';
    console.log(`spin: ${spin.toFixed(2)} s of CPU; goal at most that, here ${(own / spin).toFixed(2)} ×: ${reached}`);
  }
}

function explore(file, states, ...flags) {
  const args = ['--import', REPORT, cli, 'explore', '--format', 'json', ...flags, file];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e9 });
  const found = JSON.parse(stdout);
  if (states !== undefined && found.states !== states) throw new Error(`${found.states} states, and not ${states}.`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stderr.trim().split('\n').at(-1));
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, kibibytes: maxRSS };
}

function philosophers(n, property) {
  const file = join(home, `philosophers-${n}-${property === undefined ? 'plain' : 'live'}.yaml`);
  writeFileSync(
    file,
    `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: philosophers }
spec:
  constants: { n: ${n} }
  variables: { fork: { size: n, value: 0 } }
  processes:
    - name: p
      copies: n
      start: thinks
      steps:
        - { name: take left, from: thinks, to: waits, when: "fork[i] == 0", set: { "fork[i]": "i + 1" } }
        - { name: take right, from: waits, to: eats, when: "fork[(i + 1) % n] == 0", set: { "fork[(i + 1) % n]": "i + 1" } }
        - { name: put right, from: eats, to: ends, when: "fork[(i + 1) % n] == i + 1", set: { "fork[(i + 1) % n]": 0 } }
        - { name: put left, from: ends, to: thinks, when: "fork[i] == i + 1", set: { "fork[i]": 0 } }
${property === undefined ? '' : `  properties: [{ name: asked, ${property} }]\n`}`,
  );
  return file;
}

/** Seconds of CPU of SPIN's exhaustive search of the same model, its compilation not counted. */
function spinSeconds() {
  if (spawnSync('spin', ['-V']).status !== 0) return undefined;
  const model = `byte f[${PHILOSOPHERS}];
active [${PHILOSOPHERS}] proctype P() {
  do :: atomic { f[_pid] == 0 -> f[_pid] = _pid + 1 };
        atomic { f[(_pid + 1) % ${PHILOSOPHERS}] == 0 -> f[(_pid + 1) % ${PHILOSOPHERS}] = _pid + 1 };
        f[(_pid + 1) % ${PHILOSOPHERS}] = 0;
        f[_pid] = 0
  od
}
`;
  writeFileSync(join(home, 'model.pml'), model);
  const inHome = { cwd: home, encoding: 'utf8' };
  spawnSync('spin', ['-a', 'model.pml'], inHome);
  spawnSync('cc', ['-O2', '-DSAFETY', '-DNOREDUCE', '-o', 'pan', 'pan.c'], inHome);
  const run = spawnSync('sh', ['-c', './pan -m2000000 -c0 -w24 >/dev/null; times'], inHome);
  const [, children = ''] = run.stdout.trim().split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
