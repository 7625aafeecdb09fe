// `npm test`: everything that must hold, in one command. `--only A,B` runs some parts: build, typecheck, lint, unit,
// suite, package, shipped, e2e, desktop. A part whose result cannot be read has failed; nothing passes by being silent.
// Parts that wait for a browser run beside those that do not. `--thorough`: the unit tests that take a sample walk through all.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readOptions } from './options.mjs';
import { program, root, runNode, runNodeQuietly, seconds } from './run.mjs';
import { setup } from './setup.mjs';
import { optimizingLate } from './v8-flags.mjs';

const artifacts = join(root, 'artifacts');
const hasWebEditor = process.platform === 'linux' && process.arch === 'x64';
const LONGEST_MESSAGE = 1500;
const begin = Date.now();
// TypeScript's compiler and esbuild are programs in Go, which end soon: to collect their garbage took a quarter of their time.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '2GiB';

/** A command that passes or fails as a whole. */
const check = args => async run => ((await run(args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A command that writes its counts into a file of artifacts/. The exit code may only make things worse. */
const counted = (name, args, count) => async run => {
  const file = join(artifacts, `${name}.json`);
  rmSync(file, { force: true });
  const code = await run(args);
  if (!existsSync(file)) return { passed: 0, failed: 1, reason: 'it left no result' };
  const { passed, failed, ...named } = count(JSON.parse(readFileSync(file, 'utf8')));
  if (passed + failed === 0) return { passed: 0, failed: 1, reason: 'no test ran' };
  if (code !== 0 && failed === 0) return { passed, failed: 1, reason: `it ended with exit code ${code}` };
  return { passed, failed, ...named };
};

/** What failed in a file of Vitest's JSON. A file that cannot be loaded has no test that could fail, yet has failed. */
function unitFailures({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter(it => it.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [{ name: file, message }];
  return failed.map(it => ({ name: `${file} > ${it.fullName}`, message: it.failureMessages.join('\n') }));
}

const vitest = (name, ...more) =>
  counted(
    name,
    [
      ...[program.vitest, 'run', ...more],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=artifacts/${name}.json`],
    ],
    it => {
      const failures = it.testResults.flatMap(unitFailures);
      const failed = it.success ? failures.length : Math.max(1, failures.length);
      return { passed: it.numPassedTests, failed, failures };
    },
  );
/** Calls a function for the first time only. */
function once(make) {
  const kept = [];
  return () => {
    if (kept.length === 0) kept.push(make());
    return kept[0];
  };
}
const own = it => ({ passed: it.passed, failed: it.failed, failures: it.failures });
const parts = {
  build: check(['tools/build.mjs', '--test']),
  // Several checkers would each work out again what files share, and threads wait for each other: the other lane has a use for that.
  typecheck: check([program.tsc, '--build', '--singleThreaded']),
  lint: check([program.biome, 'check', '--diagnostic-level=warn', '.']),
  unit: vitest('unit'),
  suite: counted('suite', ['test/e2e/suite.mjs'], own),
  package: check(['tools/package.mjs', '--test']),
  // What `package` has built and packed, run as users do.
  shipped: vitest('shipped', '--config', 'vitest.shipped.config.mts'),
  e2e: counted('e2e', ['test/e2e/e2e.mjs', 'dist/berth.vsix'], own),
  desktop: counted('suite', ['test/e2e/suite.mjs', '--desktop'], own),
};

const { values } = readOptions(import.meta.filename, {
  options: { only: { type: 'string' }, thorough: { type: 'boolean', default: false } },
});
if (values.thorough) process.env.BERTH_THOROUGH = '1';
/** What runs one after the other; both lanes at the same time. */
const lanes = [
  ['build', 'package', 'unit'],
  ['lint', 'typecheck', 'suite', 'desktop', 'e2e', 'shipped'],
];
const everywhere = lanes.flat().filter(it => it !== 'desktop');
const elsewhere = lanes.flat().filter(it => !['suite', 'e2e'].includes(it));
const named = values.only?.split(',') ?? (hasWebEditor ? everywhere : elsewhere);
const unknown = named.filter(it => !(it in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
// The suite is bundled by the build or the packaging, and what ships by the packaging: whoever asks for one alone gets both.
const brings = { suite: 'build', desktop: 'build', shipped: 'package' };
const wanted = new Set(named.flatMap(it => [brings[it] ?? it, it]));
// Packing builds dist/ with everything in it, so that whatever looks there comes after it, and no other build is needed.
if (wanted.has('package')) wanted.delete('build');
const inDist = ['build', 'package'];
const after = Object.fromEntries(['unit', 'shipped', 'suite', 'desktop', 'e2e'].map(it => [it, inDist]));
const wantedLanes = lanes.map(lane => lane.filter(it => wanted.has(it))).filter(it => it.length > 0);

setup();
mkdirSync(artifacts, { recursive: true });
const title = part => `\n── ${part} ${'─'.repeat(70 - part.length)} ${seconds(begin)}`;

/** Runs a part; beside others it speaks once it is done, so that no two speak at a time. */
async function ran(part) {
  const start = Date.now();
  const isAlone = wantedLanes.length === 1;
  if (isAlone) console.log(title(part));
  const run = isAlone ? runNode : args => runNodeQuietly(args, said => console.log(`${title(part)}\n${said}`));
  const result = await parts[part](args => run([...optimizingLate, ...args]));
  return { part, ...result, took: seconds(start) };
}

/** The result of a part: it begins after the one before it in its lane and after those whose work it looks at. */
async function resultOf(part) {
  const lane = wantedLanes.find(it => it.includes(part));
  const earlier = [lane[lane.indexOf(part) - 1], ...(after[part] ?? [])].filter(it => wanted.has(it));
  const done = await Promise.all(earlier.map(it => results.get(it)()));
  const broken = done.find(it => it.failed > 0 && inDist.includes(it.part) && part !== 'unit');
  if (broken === undefined || after[part] === undefined) return ran(part);
  return { part, passed: 0, failed: 1, reason: `there is no ${broken.part}`, took: seconds(Date.now()) };
}

const results = new Map(wantedLanes.flat().map(it => [it, once(() => resultOf(it))]));
const told = await Promise.all([...results.values()].map(it => it()));

console.log(`\n── results ${'─'.repeat(63)} ${seconds(begin)}`);
for (const { part, passed, failed, reason, took } of told) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  console.log(
    `${verdict.padEnd(7)}${part.padEnd(10)}${`${passed} passed, ${failed} failed`.padEnd(26)}${took}${reason ? `: ${reason}` : ''}`,
  );
}
// Whoever sees the end of a long log only, as in CI, sees there what failed.
const tell = (what, { name, message }) => console.log(`\n${what}: ${name}\n${message.slice(0, LONGEST_MESSAGE)}`);
for (const { part, failures = [] } of told) for (const it of failures) tell(part, it);
if (!hasWebEditor && !values.only) console.log('e2e was not run: the web editor wants Linux on x64.');
const total = key => told.reduce((sum, it) => sum + it[key], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 && total('passed') > 0 ? 0 : 1;
