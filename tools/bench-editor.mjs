// `npm run bench -- editor`: how long a person waits for squiggles in a real VS Code with the built extension: from opening the
// first manifest, which activates Berth, and from a key. The editor's own start is not part of it; painting a line is not, either.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSuite } from '../test/e2e/host.mjs';
import { root } from './run.mjs';

const FIELD = 'imagePullPolicy';
/** Milliseconds. */
const GOAL = { opened: 1_500, key: 150 };
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: web
      image: nginx:1.29
      ${FIELD}: IfNotPresent
      misspelt: true
`;

const CASES = [
  { name: 'a small workspace', fill: folder => copy('examples/three-zones', folder) },
  { name: 'one with policies of each engine', fill: folder => copy('test/fixtures/workspace/policies', folder) },
  { name: 'one of 1,000 files', fill: manyFiles },
];

const copy = (from, folder) => cpSync(join(root, from), join(folder, 'others'), { recursive: true });

function manyFiles(folder, deployments) {
  for (let i = 0; i < 1_000; i++) {
    const inside = join(folder, `team-${i % 20}`);
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `app-${i}.yaml`), deployments(1, i));
  }
}

async function measured({ fill }, deployments) {
  const home = mkdtempSync(join(tmpdir(), 'berth-bench-editor-'));
  const folder = join(home, 'workspace');
  const result = join(home, 'result.json');
  try {
    mkdirSync(folder);
    fill(folder, deployments);
    writeFileSync(join(folder, 'web.yaml'), POD);
    const env = { BERTH_BENCH_RESULT: result, BERTH_BENCH_FILE: 'web.yaml', BERTH_BENCH_FIELD: FIELD };
    await runSuite({ extension: root, suite: join(root, 'tools/bench-editor/suite.cjs'), workspace: folder, env });
    return JSON.parse(readFileSync(result, 'utf8'));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * @param {object} tools
 * @param {(value: number) => string} tools.ms
 * @param {(values: number[], share: number) => number} tools.quantile
 * @param {(lines: number, seed: number) => string} tools.deployments
 */
export async function editorTimes({ ms, quantile, deployments }) {
  const told = (value, goal) => `${ms(value)} (goal ${ms(goal)}${value > goal ? ', missed' : ''})`;
  for (const it of CASES) {
    const { opened, keys, edits } = await measured(it, deployments);
    console.log(`open → squiggle, ${it.name}: ${told(opened, GOAL.opened)}`);
    console.log(
      `key → squiggle, ${it.name}: p50 ${ms(quantile(keys, 0.5))}, p95 ${told(quantile(keys, 0.95), GOAL.key)}`,
    );
    // Until the window has made the edit, which is VS Code's own; a key of a person does not wait for it.
    console.log(`  of it VS Code's edit: p50 ${ms(quantile(edits, 0.5))}, p95 ${ms(quantile(edits, 0.95))}`);
  }
}
