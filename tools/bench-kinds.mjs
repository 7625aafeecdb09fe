// `npm run bench -- kinds`: what the strategies of kinds that a workspace does not hold cost it. Many files of Deployments are
// indexed and checked with all strategies, and without those of access, network, policies, definitions and certificates; each time
// in a process of its own, in turn. Tells processor time, and the ratio of the medians.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleBench } from './bench-bundle.mjs';
import { root } from './run.mjs';

const FILES = 1_000;
const RUNS = 9;
const MOST_GROWTH = 1.1;

/** Folders of `rules/apiserver/validate` whose strategies are left out, and what they export. */
const LEFT_OUT = {
  admission: 'admissionStrategies',
  apiextensions: 'apiextensionsStrategies',
  certificates: 'certificateStrategies',
  control: 'controlStrategies',
  flowcontrol: 'flowControlStrategies',
  networking: 'networkingStrategies',
  system: 'systemStrategies',
};

export async function kinds() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-kinds-'));
  try {
    const [all, few] = [join(folder, 'all.mjs'), join(folder, 'few.mjs')];
    await bundleBench(all);
    await bundleBench(few, [withoutKinds]);
    timesOf(all); // The first process reads the disk.
    const runs = Array.from({ length: RUNS }, () => ({ all: timesOf(all), few: timesOf(few) }));
    for (const part of ['index', 'check']) {
      const [whole, less] = ['all', 'few'].map(it => median(runs.map(run => run[it][part])));
      const growth = whole / less;
      console.log(
        `${part} of ${FILES.toLocaleString('en')} files of workloads, processor time: ${whole.toFixed(0)} ms with all ` +
          `strategies, ${less.toFixed(0)} ms without those of other kinds, ${growth.toFixed(2)} ×; ` +
          `goal ${MOST_GROWTH.toFixed(2)}: ${growth <= MOST_GROWTH ? 'reached' : 'MISSED'}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @type {import('esbuild').Plugin} */
const withoutKinds = {
  name: 'without-kinds',
  setup({ onLoad }) {
    const filter = new RegExp(`apiserver/validate/(${Object.keys(LEFT_OUT).join('|')})/index\\.ts$`);
    onLoad({ filter }, ({ path }) => {
      const [, name] = filter.exec(path) ?? [];
      return { contents: `export const ${LEFT_OUT[name]} = () => ({});`, loader: 'ts' };
    });
  },
};

/** Milliseconds of processor time in a new process. */
function timesOf(module) {
  const own = pathToFileURL(join(root, 'tools/bench-kinds.mjs')).href;
  const script = `import(${JSON.stringify(own)}).then(it => it.measure(${JSON.stringify(pathToFileURL(module).href)}))`;
  const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

/** What the new process does: prints the times of one index and one check of all files. */
export async function measure(module) {
  const { coldIndex } = await import(module);
  const readPack = name => readFileSync(join(root, 'server/data/kubernetes', name));
  const { index, diagnose } = coldIndex(FILES, readPack, cpuTime);
  console.log(JSON.stringify({ index, check: diagnose }));
}

function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
