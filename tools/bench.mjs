// `npm run bench`: how fast Berth is on this machine, each figure beside its goal and beside a reference of the same run:
// `yaml`'s parseAllDocuments over the same text, so that figures of a slow and a fast machine can be compared.
// `npm run bench -- start`: from the start of a process to its answer, beside `node -e 0`.
// `npm run bench -- workspace [FILES]`: the language server on a folder of 10,000 files.
// `npm run bench -- repositories [REPOSITORIES]`: ten repositories in one folder: hovers and letters while it is read and rendered.
// `npm run bench -- typing [KEYS]`: letter by letter into large files of the built server: latency, and the memory that it holds.
// `npm run bench -- kinds`: what the strategies of kinds that a workspace does not hold cost it.
// `npm run bench -- editor`: from opening a manifest, and from a key, to its squiggle in a real VS Code.
// `npm run bench -- scheduling`: how many Pods the scheduler decides in a second.
// `npm run bench -- counterfactuals`: what would give one Pod a node, on 100 and on 1,000 nodes.
// `npm run bench -- preview`: the placement preview of 500 nodes and 5,000 Pods, from an edit to the picture of it.
// `npm run bench -- policies`: what policies cost in their engine, from its first start to one edited Pod.
// `npm run bench -- explore`: systems of processes: CPU and memory, beside `spin` where it is installed.
// `npm run bench -- hostile [NAME…]`: `berth check` on files made to be slow, each at two sizes.
// `npm run bench -- stalls [NAME…]`: the same files in the built server: how long it answers nothing else.
// `npm run bench -- peers`: the CLI beside other checkers of manifests, where they are installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { bundleBench } from './bench-bundle.mjs';
import { writeKubeconformSchema } from './kubeconform-schemas.mjs';
import { readNumber } from './options.mjs';
import { root } from './run.mjs';

// Few users have it, and Node 20 takes 0.1 s at each start to read the certificates that it names.
delete process.env.NODE_EXTRA_CA_CERTS;

/** What is measured when it is named, with what its number is; this script starts itself for those with dashes. */
const PARTS = {
  start: undefined,
  workspace: 'FILES',
  repositories: 'REPOSITORIES',
  typing: 'KEYS',
  kinds: undefined,
  editor: undefined,
  scheduling: undefined,
  counterfactuals: undefined,
  preview: undefined,
  policies: undefined,
  explore: undefined,
  hostile: undefined,
  stalls: undefined,
  peers: undefined,
  '--heap': 'FILES',
  '--server': 'FILES',
};
const [what, number] = process.argv.slice(2);
if (what !== undefined && !Object.hasOwn(PARTS, what)) {
  const names = Object.keys(PARTS).filter(it => !it.startsWith('-'));
  console.error(`There is no ${what} to measure; there are ${names.join(', ')}.`);
  process.exit(2);
}
const given =
  number !== undefined && PARTS[what] !== undefined ? readNumber(PARTS[what], number, { from: 1 }) : undefined;

if (process.argv[2] === 'policies') {
  await import('./bench-policies.mjs');
  process.exit(0);
}

if (process.argv[2] === 'explore') {
  await import('./bench-explore.mjs');
  process.exit(0);
}

if (process.argv[2] === 'hostile') {
  await import('./bench-hostile.mjs');
  process.exit(0);
}

if (process.argv[2] === 'stalls') {
  await import('./bench-stalls.mjs');
  process.exit(0);
}

const readPack = name => readFileSync(join(root, 'server/data/kubernetes', name));
const {
  keystrokes,
  knownIssueTimes,
  lensTimes,
  typedLines,
  listOf,
  filesOfDeployments,
  clusterFolder,
  coldIndex,
  completions,
  definition,
  deployments,
  podValidation,
  podSecurityChecks,
  busyCluster,
  schedulingCycles,
  counterfactualTimes,
  placementKeystrokes,
  bigEnvironment,
  previewTimes,
  serverTimes,
  upgradeTimes,
} = await measured();

// The heap is measured in a process of its own, which holds one workspace and nothing else of this benchmark.
if (process.argv[2] === '--heap') {
  const { analysis } = coldIndex(given, readPack);
  globalThis.gc();
  console.log(analysis.uris.length > 0 ? process.memoryUsage().heapUsed : 0);
  process.exit(0);
}

if (process.argv[2] === '--server') {
  console.error(JSON.stringify(await serverTimes(given, 100, readPack)));
  process.exit(0);
}

/** Milliseconds, p95; a file of another size has no goal. */
const GOALS = { 5000: 16, 50000: 60 };
/** Milliseconds of CPU, p95, by nodes. */
const COUNTERFACTUAL_GOALS = { 100: 100, 1000: 500 };
const ACTIVATION_GOAL = 150;
const FIRST_DIAGNOSTICS_GOAL = 200;
const POD_SECURITY_GOAL = 1_000;

if (process.argv[2] === 'peers') {
  await peers();
  process.exit(0);
}

if (process.argv[2] === 'start') {
  await start();
  process.exit(0);
}

if (process.argv[2] === 'counterfactuals') {
  counterfactuals();
  process.exit(0);
}

if (process.argv[2] === 'scheduling') {
  scheduling();
  process.exit(0);
}

if (process.argv[2] === 'preview') {
  await preview();
  process.exit(0);
}

if (process.argv[2] === 'typing') {
  const { typing } = await import('./bench-typing.mjs');
  await typing(
    { deployments, definition },
    { line, ms, quantile, readTime: text => fastest(3, () => parseAllDocuments(text)) },
    given,
  );
  process.exit(0);
}

if (process.argv[2] === 'repositories') {
  const { repositoriesTimes } = await import('./bench-repositories.mjs');
  await repositoriesTimes({ line, ms, quantile, readTime: text => fastest(1, () => parseAllDocuments(text)) }, given);
  process.exit(0);
}

if (process.argv[2] === 'kinds') {
  const { kinds } = await import('./bench-kinds.mjs');
  await kinds();
  process.exit(0);
}

if (process.argv[2] === 'editor') {
  const { editorTimes } = await import('./bench-editor.mjs');
  await editorTimes({ ms, quantile, deployments });
  process.exit(0);
}

if (process.argv[2] === 'workspace') {
  workspace();
  process.exit(0);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
for (const [lines, rounds] of [
  [300, 60],
  [5_000, 40],
  [50_000, 20],
]) {
  const { times, bytes } = keystrokes(lines, rounds, readPack);
  const reference = fastest(lines > 10_000 ? 1 : 3, () => parseAllDocuments(deployments(lines)));
  const p95 = quantile(times, 0.95);
  const name = `keystroke → diagnostics, ${lines.toLocaleString('en')} lines (${Math.round(bytes / 1024)} KiB)`;
  line(name, `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)}`, { value: p95, goal: GOALS[lines], reference });
}

for (const version of ['1.31.0', '1.34.0', '1.37']) {
  const { told, untold } = knownIssueTimes(5_000, 200, version, readPack);
  const [withThem, without] = [told, untold].map(it => quantile(it, 0.5));
  const share = withThem / without;
  console.log(
    `known issues of ${version} in a keystroke, 5,000 lines: p50 ${ms(withThem)} with them, ${ms(without)} without, ` +
      `${share.toFixed(2)} ×; goal 1.10: ${share <= 1.1 ? 'reached' : 'MISSED'}`,
  );
}

const ofList = typedLines(listOf(deployments(50_000)), [], 46, readPack).keys;
line('keystroke → diagnostics, a List of 50,000 lines', `p50 ${ms(quantile(ofList, 0.5))}`, {
  value: quantile(ofList, 0.95),
  goal: GOALS[50000],
});
const among = typedLines(deployments(300), filesOfDeployments(1_000), 92, readPack);
line('keystroke → diagnostics, 300 lines among 10,000 Deployments', `p50 ${ms(quantile(among.keys, 0.5))}`, {
  value: quantile(among.keys, 0.95),
  goal: GOALS[5000],
});
line('letter → completion there', `p50 ${ms(quantile(among.completions, 0.5))}`, {
  value: quantile(among.completions, 0.95),
  goal: 30,
});
const inEnvironments = typedLines(deployments(300), filesOfDeployments(4_000, 1), 92, readPack, clusterFolder).keys;
line('keystroke → diagnostics, 300 lines among 4,000 environments', `p50 ${ms(quantile(inEnvironments, 0.5))}`, {
  value: quantile(inEnvironments, 0.95),
  goal: GOALS[5000],
});

const completing = completions(5_000, 60, readPack).times;
line('letter → completion in one document of 5,000 lines', `p50 ${ms(quantile(completing, 0.5))}`, {
  value: quantile(completing, 0.95),
  goal: GOALS[5000],
});

const podTimes = podValidation(12, readPack).slice(4);
const perPod = quantile(podTimes, 0.5);
console.log(
  `validation of a typical Pod: ${perPod.toFixed(0)} µs; goal 150 µs: ${perPod <= 150 ? 'reached' : 'MISSED'}`,
);

const pods = 10_000;
const securityTime = Math.min(...[1, 2, 3].map(() => podSecurityChecks(pods, readPack).milliseconds));
line(`all checks of Pod security on ${pods.toLocaleString('en')} Pods`, ms(securityTime), {
  value: securityTime,
  goal: POD_SECURITY_GOAL,
});

const files = 1_000;
const cold = coldIndex(files, readPack);
const all = Array.from({ length: files }, (_, i) => deployments(60, i)).join('---\n');
const reference = fastest(1, () => parseAllDocuments(all));
line(
  `cold index of ${files.toLocaleString('en')} files`,
  `${ms(cold.index)}, then ${ms(cold.diagnose)} for all diagnostics`,
  {
    value: cold.index + cold.diagnose,
    reference,
  },
);

const upgrades = [await upgradeTimes(files, readPack), await upgradeTimes(files, readPack)];
const ratio = Math.min(...upgrades.map(it => it.upgrade / it.check));
console.log(
  `upgrade of ${files.toLocaleString('en')} files by one minor: ${upgrades.map(it => ms(it.upgrade)).join(', ')}; ` +
    `${ratio.toFixed(2)} × one check; goal 2.5: ${ratio <= 2.5 ? 'reached' : 'MISSED'}`,
);

await start();
workspace();
const heap = await heapOf(files);
console.log(
  `heap with ${files.toLocaleString('en')} files indexed and diagnosed: ${Math.round(heap / 1024 / 1024)} MiB`,
);
console.log('activate() of the extension needs an editor and is measured by the editor tests, not here.');

/**
 * Scheduling cycles a second on clusters of several sizes, and a keystroke in a file of Pods. SCHEDULE_ORACLE may name a
 * program that runs kube-scheduler's own code in memory (`PROGRAM bench FILE`, a scenario as one line of JSON; it prints
 * `decisionsPerCpuSecond`): then the ratio to it on the same scenario is told.
 */
function scheduling() {
  const all = placementKeystrokes(100, 30, 300, readPack);
  // Until the runtime has compiled what is hot, a keystroke takes several times as long; a session has thousands.
  const [first, times] = [all.slice(0, 50), all.slice(50)];
  const p95 = quantile(times, 0.95);
  const cold = `the first fifty: p50 ${ms(quantile(first, 0.5))}, p95 ${ms(quantile(first, 0.95))}`;
  line('keystroke → 30 Pods placed anew on 100 nodes', `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)}; ${cold}`, {
    value: p95,
    goal: 10,
  });
  for (const nodes of [1_000, 5_000]) {
    const objects = busyCluster(nodes, 10, 200);
    const runs = [1, 2].map(() => schedulingCycles(objects, readPack));
    const [first, second] = runs.map(it => (it.pods * 1000) / it.decide);
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(
      `${nodes.toLocaleString('en')} nodes with ${(nodes * 10).toLocaleString('en')} Pods: ${first.toFixed(0)} cycles a CPU second, ` +
        `${second.toFixed(0)} once warm (${ms(runs[1].decide / runs[1].pods)} each; model ${ms(runs[1].model)}; ${memory} MiB resident)`,
    );
    const program = process.env.SCHEDULE_ORACLE;
    if (!program) continue;
    const folder = mkdtempSync(join(tmpdir(), 'berth-oracle-'));
    try {
      const file = join(folder, 'scenario.jsonl');
      const scenario = objects.map(it =>
        it.kind === 'ScenarioOptions' ? { apiVersion: 'oracle/v1', kind: 'ScheduleOptions', retry: 'none' } : it,
      );
      writeFileSync(file, `${JSON.stringify({ id: `busy-${nodes}`, source: 'bench', scenario })}\n`);
      const run = spawnSync(program, ['bench', '-parallelism', '1', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
      const { decisionsPerCpuSecond } = JSON.parse(run.stdout.trim().split('\n').at(-1));
      const ratio = first / decisionsPerCpuSecond;
      console.log(
        `  kube-scheduler: ${decisionsPerCpuSecond} cycles a CPU second; Berth ${ratio.toFixed(1)} ×, ` +
          `${(second / decisionsPerCpuSecond).toFixed(1)} × once warm; goal 10: ${ratio >= 10 ? 'reached' : 'MISSED'}`,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** What would give one Pod a node: a Pod that one change helps, and one that only three do. */
function counterfactuals() {
  for (const nodes of [100, 1_000]) {
    for (const needs of ['one', 'three']) {
      const { times, suggestions } = counterfactualTimes(nodes, 20, needs, readPack);
      const value = quantile(times, 0.95);
      line(
        `counterfactuals of a Pod that needs ${needs} on ${nodes.toLocaleString('en')} nodes`,
        `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(value)} of CPU, ${suggestions} found`,
        { value, goal: COUNTERFACTUAL_GOALS[nodes] },
      );
    }
  }
}

/**
 * The preview of a big environment: until its first answer, from edits of the workload that is placed last and of the one
 * that is placed first to the answer, both in CPU time, and what the browser takes of it.
 */
async function preview() {
  const size = { nodes: 500, workloads: 200, podsEach: 25 };
  const text = bigEnvironment(size)
    .map(it => it.text)
    .join('---\n');
  const reference = Math.min(...[1, 2].map(() => cpuTimeOf(() => parseAllDocuments(text))));
  let wires = [];
  for (const [place, workload] of [
    ['last', size.workloads - 1],
    ['first', 0],
  ]) {
    for (const edit of ['image', 'cpu', 'replicas']) {
      const times = previewTimes(size, { edit, workload, rounds: 20 }, readPack);
      if (wires.length === 0) {
        const bytes = `${(times.bytes / 1e6).toFixed(1)} MB`;
        const name = `preview of ${size.nodes} nodes and ${times.pods.toLocaleString('en')} Pods, first answer of ${bytes}`;
        line(name, `${ms(times.first)} of CPU`, { value: times.first, goal: 2_000, reference });
      }
      wires = times.wires;
      const value = quantile(times.edits, 0.5);
      const p95 = ms(quantile(times.edits, 0.95));
      line(`${edit} of the workload that is placed ${place} → answer`, `p50 ${ms(value)}, p95 ${p95} of CPU`, {
        value,
        goal: 200,
        reference,
      });
    }
  }
  const lenses = lensTimes(size, 20, readPack).times;
  const lens = quantile(lenses, 0.5);
  const name = `code lenses of ${size.workloads} workloads in one file on ${size.nodes} nodes`;
  line(name, `p50 ${ms(lens)}, p95 ${ms(quantile(lenses, 0.95))} of CPU`, { value: lens, goal: 16, reference });
  await webview(wires);
}

/** What changed drawn over a whole answer, and the frames while the nodes and the Pods scroll. */
async function webview(wires) {
  const { webviewTimes } = await import('../test/bench/webview.mjs');
  const [first, there, back] = wires;
  const changes = Array.from({ length: 11 }, (_, i) => `{"type":"change","delta":${i % 2 === 0 ? there : back}}`);
  const texts = [`{"type":"model","model":${first}}`, ...changes];
  const parts = {
    nodes: { selector: '.board', step: 60, frames: 200 },
    Pods: { selector: '.list', step: 60, frames: 200 },
  };
  const told = (what, redraws) => {
    const value = quantile(redraws.slice(2), 0.5);
    line(`answer → ${what} drawn in the browser`, `p50 ${ms(value)}, first ${ms(redraws[0])}`, { value });
  };
  told('the map', (await webviewTimes(texts, {}, 'map')).redraws);
  const { redraws, scrolls } = await webviewTimes(texts, parts, 'cards');
  told('cards', redraws);
  for (const [part, { frames, costs }] of Object.entries(scrolls)) {
    const cost = quantile(costs, 0.95);
    const between = `between frames p50 ${ms(quantile(frames, 0.5))}, p95 ${ms(quantile(frames, 0.95))}`;
    line(`scrolling the ${part}`, `p50 ${ms(quantile(costs, 0.5))}, p95 ${ms(cost)} of CPU a frame; ${between}`, {
      value: cost,
      goal: 16,
    });
  }
}

/**
 * Checks 10,000 Deployments in 1,000 files with Berth, in one thread and in two, and with every peer that is installed, one
 * after the other, and prints the CPU and the wall-clock time of each: Deployments that differ in their names alone, as
 * one template makes them, such that each ask for something else, and such that differ in more. kubeconform looks for schemas where KUBECONFORM_SCHEMAS
 * says, else it is given one of the same facts: this benchmark never asks the network.
 */
async function peers() {
  const home = mkdtempSync(join(tmpdir(), 'berth-peers-'));
  process.env.BERTH_COMPILE_CACHE = join(home, 'compiled');
  try {
    const schemaFolder = join(home, 'schemas');
    mkdirSync(schemaFolder);
    const deployment = { minor: '1.37', group: 'apps', version: 'v1', kind: 'Deployment' };
    const schemas = process.env.KUBECONFORM_SCHEMAS ?? writeKubeconformSchema(schemaFolder, deployment);
    // The first run of a build fills V8's compile cache.
    const one = join(home, 'one.yaml');
    writeFileSync(one, deployments(1));
    cpuOf(process.execPath, [join(root, 'dist/cli.js'), 'check', one]);
    await peersOn(join(home, 'alike'), 'that differ in their names alone', schemas, text => text);
    await peersOn(join(home, 'unlike'), 'that each ask for a CPU of their own', schemas, (text, index) =>
      text.replace('cpu: 100m', `cpu: ${100 + index}m`),
    );
    await peersOn(join(home, 'different'), 'with an image and a variable of their own, too', schemas, (text, index) =>
      text
        .replace('cpu: 100m', `cpu: ${100 + index}m`)
        .replace(':1.0.0', `:1.0.${index}`)
        .replace('value: info', `value: info-${index}`),
    );
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function peersOn(folder, kind, schemas, change) {
  mkdirSync(folder);
  let bytes = 0;
  for (let i = 0; i < 1_000; i++) {
    const text = Array.from({ length: 10 }, (_, j) =>
      change(deployments(1, i * 10 + j).split('---\n')[0], i * 10 + j),
    ).join('---\n');
    bytes += text.length;
    writeFileSync(join(folder, `${i}.yaml`), text);
  }
  console.log(`10,000 Deployments ${kind}, in 1,000 files, ${(bytes / 1e6).toFixed(1)} MB`);
  const check = [join(root, 'dist/cli.js'), 'check', '--fail-on', 'never'];
  const runs = [
    ['berth', process.execPath, [...check, folder]],
    ['berth --jobs 2', process.execPath, [...check, '--jobs', '2', folder]],
    ['kubeconform', 'kubeconform', ['-schema-location', schemas, '-summary', folder]],
    ['kubectl-validate', 'kubectl-validate', ['--version', '1.31', folder]],
    ['kube-linter', 'kube-linter', ['lint', folder]],
  ];
  let own;
  for (const [name, program, args] of runs) {
    const start = performance.now();
    const { seconds, status } = cpuOf(program, args);
    const wall = (performance.now() - start) / 1000;
    if (status === 127) {
      console.log(`${name}: not installed`);
      continue;
    }
    own ??= seconds;
    const share = own / seconds;
    const goal = name === 'kubeconform' ? `; goal 1.3 ×: ${share <= 1.3 ? 'reached' : 'MISSED'}` : '';
    console.log(
      `${name}: ${seconds.toFixed(1)} s of CPU (berth takes ${share.toFixed(2)} × that${goal}), ${wall.toFixed(1)} s by the clock, exit ${status}`,
    );
    if (program !== process.execPath) continue;
    const mebibytes = await mostResident(program, args);
    if (mebibytes === undefined) continue;
    console.log(`  ${mebibytes} MiB resident at most; goal 300 MiB: ${mebibytes <= 300 ? 'reached' : 'MISSED'}`);
  }
}

/** User and system time of a program and its children, as `time` of bash counts it. */
function cpuOf(program, args) {
  const quoted = [program, ...args].map(it => `'${it.replaceAll("'", "'\\''")}'`).join(' ');
  // The `times` of sh counts in steps of 10 ms.
  const script = `TIMEFORMAT='%3U %3S'; time ${quoted} >/dev/null 2>&1`;
  const { stderr, status } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const seconds = stderr
    .trim()
    .split(' ')
    .reduce((sum, it) => sum + Number(it), 0);
  return { seconds, status };
}

/** What test/bench measures. */
async function measured() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'));
  const outfile = join(folder, 'bench.mjs');
  await bundleBench(outfile);
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function line(name, text, { value, goal, reference }) {
  const aim = goal === undefined ? '' : `; goal ${goal} ms: ${value <= goal ? 'reached' : 'MISSED'}`;
  const ratio =
    reference === undefined ? '' : `; ${(value / reference).toFixed(3)} × parseAllDocuments (${ms(reference)})`;
  console.log(`${name}: ${text}${aim}${ratio}`);
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function quantile(times, q) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)];
}

/** Milliseconds of CPU, steadier than the clock where others work beside. */
function cpuTimeOf(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The shortest of some runs, in milliseconds. */
function fastest(runs, work) {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/**
 * The start of the CLI and of the server as they ship, each beside the start of Node in the same run: the first run of a build fills V8's
 * compile cache, in a folder of this benchmark's own, and is told by itself.
 */
async function start() {
  const [cli, server] = ['cli', 'server'].map(it => join(root, `dist/${it}.js`));
  if (!existsSync(cli) || !existsSync(server)) {
    console.log('The start is not measured: dist/ has no bundles, `node tools/build.mjs --production` makes them.');
    return;
  }
  if (
    !existsSync(join(root, 'dist/main.js')) ||
    !/\n\/\/ build \w+\n$/.test(readFileSync(join(root, 'dist/main.js'), 'utf8'))
  )
    console.log('dist/ is a development build: what ships, `node tools/build.mjs --production`, starts sooner.');
  const folder = mkdtempSync(join(tmpdir(), 'berth-start-'));
  process.env.BERTH_COMPILE_CACHE = join(folder, 'compiled');
  try {
    const file = join(folder, 'one.yaml');
    writeFileSync(file, deployments(1).split('---\n')[0]);
    const check = [process.execPath, [cli, 'check', '--fail-on', 'never', file]];
    const first = cpuOf(...check).seconds * 1000;
    const [node, one] = [[], []];
    for (let i = 0; i < 15; i++) {
      node.push(cpuOf(process.execPath, ['-e', '0']).seconds * 1000);
      one.push(cpuOf(...check).seconds * 1000);
    }
    const [bare, own] = [quantile(node, 0.5), quantile(one, 0.5)];
    const verdict = own <= 2 * bare ? 'reached' : 'MISSED';
    console.log(
      `berth check of one file: p50 ${ms(own)} of CPU, ${(own / bare).toFixed(2)} × node -e 0 (${ms(bare)}); goal 2 ×: ${verdict}; the first run ${ms(first)}`,
    );
    await startOfServer(server);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startOfServer(server) {
  await greeting(server, 4_000);
  const starts = [];
  const bare = [];
  for (let i = 0; i < 9; i++) {
    starts.push(await greeting(server));
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    bare.push(performance.now() - start);
  }
  const node = quantile(bare, 0.5);
  console.log(`node -e 0: p50 ${ms(node)}`);
  const [greeted, told] = ['greeted', 'told'].map(it =>
    quantile(
      starts.map(start => start[it]),
      0.5,
    ),
  );
  line('server: process start → answer to initialize', `p50 ${ms(greeted)}`, { value: greeted, goal: ACTIVATION_GOAL });
  line('server: process start → diagnostics of the first file', `p50 ${ms(told)}`, {
    value: told,
    goal: FIRST_DIAGNOSTICS_GOAL,
  });
  const memory = starts[0].bytes;
  console.log(
    memory === undefined
      ? 'server memory: not measured, as this system has no /proc'
      : `server memory after the first diagnostics: ${Math.round(memory / 1024 / 1024)} MiB resident`,
  );
}

/** Starts the server on standard streams, greets it, opens a file and waits for its diagnostics; it is ended `stay` later. */
function greeting(script, stay = 0) {
  return new Promise((done, fail) => {
    const start = performance.now();
    const child = spawn(process.execPath, [script, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.once('error', fail);
    const send = body => {
      const message = JSON.stringify({ jsonrpc: '2.0', ...body });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    };
    const textDocument = { uri: 'file:///bench/one.yaml', languageId: 'yaml', version: 1, text: deployments(1) };
    let heard = '';
    let greeted;
    child.stdout.on('data', chunk => {
      heard += chunk;
      if (greeted === undefined && heard.includes('"id":1')) {
        greeted = performance.now() - start;
        send({ method: 'initialized', params: {} });
        send({ method: 'textDocument/didOpen', params: { textDocument } });
      }
      if (!heard.includes('textDocument/publishDiagnostics')) return;
      child.stdout.removeAllListeners('data');
      const times = { greeted, told: performance.now() - start, bytes: residentBytes(child.pid) };
      child.once('exit', () => done(times));
      setTimeout(() => child.kill(), stay);
    });
    send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
  });
}

/** The most that a program holds at any time, in MiB; undefined where the system does not tell. */
function mostResident(program, args) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    let most;
    const look = setInterval(() => {
      const bytes = residentBytes(child.pid, 'VmHWM');
      if (bytes !== undefined) most = Math.round(bytes / 1024 / 1024);
    }, 20);
    child.once('error', fail);
    child.once('exit', () => {
      clearInterval(look);
      done(most);
    });
  });
}

function residentBytes(pid, what = 'VmRSS') {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  const [, kib] = new RegExp(`^${what}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(status, 'utf8')) ?? [];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/**
 * The language server on a folder of 10,000 files with 20,000 objects: until all are read, until all problems are known,
 * what it holds then, and from a letter in one file to the problem of another.
 */
function workspace() {
  const files = given ?? 10_000;
  const it = serverOf(files);
  const count = it.files.toLocaleString('en');
  line(`cold index of ${count} files by the language server`, ms(it.index), { value: it.index, goal: 6_000 });
  line('until all their problems are known', ms(it.diagnosed), { value: it.diagnosed });
  line('longest task of the main loop meanwhile', ms(it.longestTask), { value: it.longestTask, goal: 50 });
  const memory = Math.round(it.heapBytes / 1024 / 1024);
  console.log(
    `heap then: ${memory} MiB (${Math.round(it.residentBytes / 1024 / 1024)} MiB resident); goal 400 MiB: ${memory <= 400 ? 'reached' : 'MISSED'}`,
  );
  const p95 = quantile(it.crossFile, 0.95);
  line('letter → problem in another file', `p50 ${ms(quantile(it.crossFile, 0.5))}, p95 ${ms(p95)}`, {
    value: p95,
    goal: 50,
  });
}

/** A server and its client in a process of their own, whose collector can be asked. */
function serverOf(count) {
  const run = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, '--server', String(count)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const [last = ''] = run.stderr.trim().split('\n').slice(-1);
  if (run.status !== 0) throw new Error(`The server could not be measured: ${run.stderr}`);
  return JSON.parse(last);
}

/** Heap that an indexed workspace holds, measured in a process of its own whose collector can be asked. */
function heapOf(count) {
  return new Promise((done, fail) => {
    const args = ['--expose-gc', import.meta.filename, '--heap', String(count)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', it => {
      text += it;
    });
    child.once('error', fail);
    child.once('close', code => (code === 0 ? done(Number(text)) : fail(new Error('The heap could not be measured.'))));
  });
}
