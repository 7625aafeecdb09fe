// `node tools/conformance-vap.mjs [FILE.jsonl.gz] [--kubernetes-version N] [--show N] [--engine FOLDER]`: how far Berth is from
// labelled results of ValidatingAdmissionPolicies. A result is "fail" when some validation of the policy is false or does
// not evaluate for the object. The cases are not part of this repository: without FILE they are looked for beside the checkout.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bundled } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: {
    'kubernetes-version': { type: 'string', multiple: true, default: ['1.36', '1.37'] },
    show: { type: 'number', default: 50 },
    engine: { type: 'string', default: join(root, 'dist') },
  },
});
const file = resolve(positionals[0] ?? join(root, '../shared/conformance/policy/vap/development.jsonl.gz'));
if (!existsSync(file)) {
  console.error(`There are no labelled cases at ${file}; name the file as the argument.`);
  process.exit(2);
}

const { createAnalysisHost, createPolicyEngine, defaultSettings, engineWorld, iterateToEnd } = await bundled(
  'server/src/analysis/configuration/settings',
  'server/src/base/asyncIterables',
  'server/src/analysis/host',
  'server/src/policy/engine/engine',
  'server/src/policy/engine/process',
);
const engine = createPolicyEngine(engineWorld(values.engine, line => console.error(line)));
const cases = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean).map(JSON.parse);
// The labels are those of the Kyverno CLI 1.19.1, which evaluates as Kubernetes 1.36 does: it is built on its libraries, and
// mends what its newer cel-go does otherwise. Since 1.37 an API server refuses `.orValue()` of a value that is no optional.
for (const version of values['kubernetes-version']) {
  const misses = [];
  let results = 0;
  for (const it of cases) {
    for (const miss of await missesOf(it, version)) misses.push(`${it.id}: ${miss}`);
    results += it.results.length;
  }
  for (const it of misses.slice(0, values.show)) console.log(it);
  const equal = ((100 * (results - misses.length)) / results).toFixed(2);
  console.log(`Kubernetes ${version}: ${cases.length} cases, ${results} results: ${equal}% equal`);
}
engine.dispose();

async function missesOf({ files, results: wanted }, kubernetesVersion) {
  const host = createAnalysisHost({
    readPack: name => readFileSync(join(root, 'server/data/kubernetes', name)),
    onBug: (code, error) => console.error(code, error),
    policyEngine: engine,
  });
  host.apply({
    settings: { ...defaultSettings, kubernetesVersion },
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  await iterateToEnd(host.evaluatePolicies([]));
  const analysis = host.analysis();
  const reported = analysis.uris.flatMap(uri => analysis.diagnostics(uri)).filter(it => it.policy?.engine === 'vap');
  return wanted.flatMap(({ policy, kind, resource, expect }) => {
    const name = resource.split('/').at(-1);
    const isMeant = it => it.policy.name === policy && it.object?.kind === kind && it.object.name === name;
    const own = reported.filter(isMeant);
    const is = own.some(it => it.policy.outcome !== 'warn') ? 'fail' : 'pass';
    return is === expect ? [] : [`${policy} ${kind} ${resource}: want ${expect}, have ${is} ${own[0]?.message ?? ''}`];
  });
}
