// `node tools/conformance-kyverno.mjs [FILE.jsonl.gz] [--show N]`: how far the Kyverno policies of Berth are from labelled
// suites. The cases are not part of this repository: without FILE they are looked for beside the checkout. What "equal"
// means is written at `evaluateKyvernoCase`.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bundled } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: { show: { type: 'number', default: 20 } },
});
const file = resolve(positionals[0] ?? join(root, '../shared/conformance/policy/kyverno/development.jsonl.gz'));
if (!existsSync(file)) {
  console.error(`There are no labelled cases at ${file}; name the file as an argument.`);
  process.exit(2);
}
const { evaluateKyvernoCase, loadKube } = await bundled('test/support/kyvernoCases', 'server/src/kube/load');
const kube = loadKube('1.37', {}, name => readFileSync(join(root, 'server/data/kubernetes', name)));
const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
const rows = lines.flatMap(it => evaluateKyvernoCase(JSON.parse(it), kube, Date.now()));
for (const engine of new Set(rows.map(it => it.engine))) {
  const own = rows.filter(it => it.engine === engine);
  const equal = own.filter(it => it.isEqual).length;
  console.log(`${engine}: ${equal} of ${own.length} equal (${((100 * equal) / own.length).toFixed(2)} %)`);
}
for (const it of rows.filter(it => !it.isEqual).slice(0, values.show)) console.log(`  ${it.text}`);
