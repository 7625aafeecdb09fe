// `node tools/label-cases.mjs --oracle 1.37=PATH [--oracle 1.36=PATH] [--each N] [--seed N] [--out FILE]`: makes the labelled
// cases of `test/conformance/validation` anew: every base with N random changes, each answered by the given programs (see
// `test/conformance/README.md`). Without --out it writes the project's own set.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { bundled } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const folder = join(root, 'test/conformance/validation');
const { values } = readOptions(import.meta.filename, {
  options: {
    oracle: { type: 'string', multiple: true, default: [] },
    each: { type: 'number', from: 1, default: 30 },
    seed: { type: 'number', default: 1 },
    out: { type: 'string', default: join(folder, 'cases.jsonl') },
    whole: { type: 'boolean', default: false },
  },
});
const oracles = values.oracle.map(it => it.split('='));
if (oracles.length === 0) {
  console.error('Say which program answers: --oracle 1.37=PATH.');
  process.exit(2);
}

const { changed, mutation, placesOf, poolOf, randomFrom, loadKube } = await bundled(
  'test/conformance/mutate',
  'server/src/kube/load',
);
const kube = loadKube('1.37', {}, name => readFileSync(join(root, 'server/data/kubernetes', name)));
const bases = readdirSync(join(folder, 'bases'))
  .sort()
  .map(it => ({ name: basename(it, '.yaml'), object: parse(readFileSync(join(folder, 'bases', it), 'utf8')) }));
const pool = poolOf(
  bases.map(it => it.object),
  kube,
);

const cases = bases.flatMap(({ name, object }, index) => {
  const random = randomFrom(values.seed * 1000 + index);
  const kind = kube.kindOf(object.apiVersion, object.kind);
  const places = placesOf(object, kind.schema);
  return Array.from({ length: values.each }, (_, i) => {
    const first = mutation(places, random, pool);
    const changes = random() < 0.3 ? [first, mutation(places, random, pool)] : [first];
    return { id: `${name}/${i}`, base: name, changes, manifest: changed(object, changes) };
  });
});
const answers = new Map(oracles.map(([minor, program]) => [minor, answersOf(program)]));
const again = new Map(oracles.map(([minor, program]) => [minor, answersOf(program)]));
const [[newest]] = oracles;
const lines = cases.filter(isSettled).map(({ id, base, changes, manifest }) => {
  const expect = answers.get(newest).get(id);
  if (values.whole) return JSON.stringify({ id, kind: manifest.kind, manifest, expect });
  const others = oracles
    .slice(1)
    .map(([minor]) => [minor, answers.get(minor).get(id)])
    .filter(([, it]) => JSON.stringify(it) !== JSON.stringify(expect));
  return JSON.stringify({ id, base, changes, expect: { [newest]: expect, ...Object.fromEntries(others) } });
});
writeFileSync(values.out, `${lines.join('\n')}\n`);
console.log(`${lines.length} cases in ${values.out}`);

/**
 * Whether the manifest alone decides the answer: the same twice (upstream walks maps), no panic of upstream's, and
 * nothing that a real cluster's allocation of addresses and ports decides or fills in.
 */
function isSettled({ id, manifest }) {
  if (manifest.spec?.type === 'ExternalName' && manifest.spec.clusterIP !== undefined) return false;
  return oracles.every(([minor]) => {
    const answer = answers.get(minor).get(id);
    const allocated = answer.errors.some(it => /^spec\.(clusterIPs|healthCheckNodePort)/.test(it.field));
    return !answer.panic && !allocated && JSON.stringify(answer) === JSON.stringify(again.get(minor).get(id));
  });
}

/** What a program says to each case, with everything sorted that upstream takes out of a map. */
function answersOf(program) {
  const input = cases.map(({ id, manifest }) => JSON.stringify({ id, manifest })).join('\n');
  const run = spawnSync(program, ['-jsonl'], { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status}: ${run.stderr.slice(-500)}`);
  const answered = run.stdout
    .trim()
    .split('\n')
    .map(it => JSON.parse(it));
  return new Map(answered.map(it => [it.id, expectation(it)]));
}

function expectation({ decode, errors, warnings, dropped, fatal, panic }) {
  const sorted = list => [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    decode: sorted((decode ?? []).map(({ type, field }) => ({ type, field }))),
    errors: sorted((errors ?? []).map(({ type, field, detail }) => ({ type, field, detail }))),
    warnings: sorted(warnings ?? []),
    dropped: sorted(dropped ?? []),
    ...(fatal && { fatal }),
    ...(panic && { panic: true }),
  };
}
