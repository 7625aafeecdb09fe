// `npm run bench -- explore`: what the exploration of systems costs, in the built command line. Twelve philosophers have
// 1,684,801 states; where `spin` is installed, its compiled search of the same model is the reference. Then the scenarios of
// clusters among the tests' fixtures, and three Deployments of ten Pods on ten nodes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const PHILOSOPHERS = 12;
const STATES = 1_684_801;
/** Runs of what is short; the least counts, since others only wait longer for caches and cores. */
const RUNS = 3;
/** At the end of a process its times in microseconds and its memory in KiB go to standard error. */
const REPORT = 'data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.resourceUsage())))';

const cli = join(root, 'dist/cli.js');
if (!existsSync(cli)) throw new Error('dist/cli.js is not there: run `npm run build -- --production` first.');
const home = mkdtempSync(join(tmpdir(), 'berth-explore-'));
process.env.BERTH_COMPILE_CACHE = join(home, 'compiled');
try {
  if (process.env.ONLY !== 's') explorations();
  scenarios();
} finally {
  rmSync(home, { recursive: true });
}

function explorations() {
  const small = philosophers(2);
  explore(small);
  const idle = explore(small);
  const full = explore(philosophers(PHILOSOPHERS), STATES);
  const live = explore(philosophers(PHILOSOPHERS, 'progress: [take right]'), STATES);
  const reduced = least(philosophers(40), 4682, '--reduce');
  const bytes = ((full.kibibytes - idle.kibibytes) * 1024) / STATES;
  const own = full.seconds - idle.seconds;
  const more = (live.seconds - idle.seconds) / own - 1;
  const beyond = reduced - least(small);
  console.log(`systems: start ${idle.seconds.toFixed(2)} s of CPU, ${Math.round(idle.kibibytes / 1024)} MiB`);
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

function scenarios() {
  const idle = join(home, 'idle.yaml');
  writeFileSync(idle, node('n1'));
  const start = least(idle);
  console.log(`scenarios: ${start.toFixed(2)} s of CPU to find that there is no Pod; beyond that`);
  const folder = join(root, 'test/fixtures/explore');
  const beyond = readdirSync(folder)
    .filter(it => /^E\d+\.yaml$/.test(it))
    .map(it => ({ name: it.replace('.yaml', ''), seconds: least(join(folder, it)) - start }));
  console.log(`  ${beyond.map(it => `${it.name} ${it.seconds.toFixed(2)}`).join(', ')}`);
  const late = beyond.filter(it => it.seconds > 0.3).map(it => it.name);
  console.log(`  goal 0.3 s each: ${late.length === 0 ? 'reached' : `MISSED by ${late.join(', ')}`}`);
  const large = join(home, 'large.yaml');
  const nodes = Array.from({ length: 10 }, (_, i) => node(`n${i}`));
  writeFileSync(large, [...nodes, ...['a', 'b', 'c'].map(tenOf)].join('---\n'));
  const { seconds } = explore(large);
  console.log(`E18: ${(seconds - start).toFixed(1)} s of CPU; goal 60 s: ${seconds <= 60 ? 'reached' : 'MISSED'}`);
}

function node(name) {
  return `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "8", memory: 64Gi, pods: "110" } }
`;
}

function tenOf(name) {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 10
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: app, resources: { requests: { cpu: "1", memory: 1Gi } } }] }
`;
}

function least(file, states, ...flags) {
  return Math.min(...Array.from({ length: RUNS }, () => explore(file, states, ...flags).seconds));
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
