// `node tools/promises.mjs [FILE.jsonl.gz] [--sample N] [--show N]`: makes every suggestion of `berth place --suggest` for
// labelled scenarios in their text, places that anew, and counts those that do what they promise. The scenarios are not
// part of this repository: without FILE they are looked for beside the checkout.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { readOptions } from './options.mjs';
import { root } from './run.mjs';

const { values, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: { sample: { type: 'number', default: 0 }, show: { type: 'number', default: 10 } },
});
const file = resolve(positionals[0] ?? join(root, '../shared/conformance/scheduling/development.jsonl.gz'));
if (!existsSync(file)) {
  console.error(`There are no scenarios at ${file}; name the file as the first argument.`);
  process.exit(2);
}
const { placeOptions, promisesOf, scenarioText } = await bundled('test/scheduler/checkSuggestions.ts');
const options = placeOptions(name => readFileSync(join(root, 'server/data/kubernetes', name)));
const bytes = readFileSync(file);
const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
const every = values.sample > 0 ? Math.max(1, Math.floor(lines.length / values.sample)) : 1;

const total = { scenarios: 0, pods: 0, answered: 0, suggestions: 0, unwritten: [], broken: [] };
for (const line of lines.filter((_, i) => i % every === 0)) {
  const { id, scenario } = JSON.parse(line);
  const { pods, answered, suggestions, unwritten, broken } = await promisesOf(scenarioText(scenario), options);
  total.scenarios += 1;
  total.pods += pods;
  total.answered += answered;
  total.suggestions += suggestions;
  total.unwritten.push(...unwritten.map(it => `${id} ${it}`));
  total.broken.push(...broken.map(it => `${id} ${it}`));
}
const kept = total.suggestions - total.unwritten.length - total.broken.length;
console.log(
  `${total.scenarios} scenarios, ${total.pods} Pods without a node: ${total.answered} get a suggestion, ${total.suggestions} in all.`,
);
console.log(`kept: ${kept}; broken: ${total.broken.length}; not to be written as text: ${total.unwritten.length}`);
for (const it of total.broken.slice(0, values.show)) console.log(`  broken: ${it}`);
for (const it of total.unwritten.slice(0, values.show)) console.log(`  not written: ${it}`);
process.exitCode = total.broken.length > 0 ? 1 : 0;

/** The tools run without a TypeScript loader. */
async function bundled(entry) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-promises-'));
  const outfile = join(folder, 'promises.mjs');
  const banner = { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" };
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner,
    logLevel: 'error',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
