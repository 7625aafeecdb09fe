// `node tools/label-scenarios.mjs --oracle PROGRAM [--each N] [--seed N] [--theme NAME] [--whole] [--out FILE]`: makes the labelled
// scenarios of `test/conformance/scheduling` anew: N random ones of each theme, each answered by the given program (see
// `test/conformance/README.md`). Without --out it writes the project's own set.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values } = readOptions(import.meta.filename, {
  options: {
    oracle: { type: 'string' },
    each: { type: 'number', from: 1, default: 8 },
    seed: { type: 'number', default: 1 },
    theme: { type: 'string', multiple: true },
    out: { type: 'string', default: join(root, 'test/conformance/scheduling/scenarios.jsonl') },
    whole: { type: 'boolean', default: false },
  },
});
if (values.oracle === undefined) {
  console.error('Say which program answers: --oracle PROGRAM.');
  process.exit(2);
}

const { scenarioOf, THEMES } = await bundled(
  'test/conformance/scheduling/generate',
  'test/conformance/scheduling/themes',
);
const themes = values.theme ?? Object.keys(THEMES);
const scenarios = themes.flatMap((theme, index) =>
  Array.from({ length: values.each }, (_, i) => {
    const seed = values.seed * 1_000_000 + index * 10_000 + i;
    return { id: `${theme}/${seed}`, source: 'random', scenario: scenarioOf(theme, seed) };
  }),
);
const answers = answersOf(scenarios);
const lines = scenarios
  .filter(({ id }) => answers.has(id))
  .map(it => {
    const expect = answers.get(it.id);
    return JSON.stringify(
      values.whole ? { ...it, expect } : { id: it.id, scenario: it.scenario, expect: judged(expect) },
    );
  });
writeFileSync(values.out, `${lines.join('\n')}\n`);
console.log(`${lines.length} of ${scenarios.length} scenarios in ${values.out}`);

/** What the program says; scenarios that it leaves out (refused objects, answers that differ from run to run) are not there. */
function answersOf(asked) {
  const input = asked.map(it => JSON.stringify({ ...it, scenario: it.scenario.map(forOracle) })).join('\n');
  const run = spawnSync(values.oracle, ['corpus', '-repeat', '2'], { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${values.oracle} ended with ${run.status}: ${run.stderr.slice(-500)}`);
  console.error(run.stderr.trim().split('\n').slice(-12).join('\n'));
  const answered = run.stdout
    .trim()
    .split('\n')
    .map(it => JSON.parse(it));
  return new Map(answered.map(({ id, expect }) => [id, { ...expect, attempts: expect.attempts.map(counted) }]));
}

/** A Pod that admission refuses was not tried; the contract counts from 1 all the same. */
function counted(attempt) {
  return { ...attempt, attempt: attempt.attempt || 1 };
}

/** The program knows the options by another name, and never expands workloads. */
function forOracle(object) {
  if (object.kind !== 'ScenarioOptions') return object;
  const { expandWorkloads: _, ...rest } = object;
  return { ...rest, apiVersion: 'oracle/v1', kind: 'ScheduleOptions' };
}

/** The part of an answer that the test judges. */
function judged({ attempts }) {
  return attempts.map(({ pod, attempt, status, node, tiedNodes, nodes, preFilterRejection, preemption, message }) => ({
    pod,
    attempt,
    status,
    ...(node && { node, tiedNodes }),
    ...(nodes && { nodes }),
    ...(preFilterRejection && { preFilterRejection }),
    ...(preemption?.nominatedNode && {
      preemption: { nominatedNode: preemption.nominatedNode, victims: preemption.victims },
    }),
    ...(message && { message }),
  }));
}
