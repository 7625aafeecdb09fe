// `npm test`: everything that must hold, in one command. `--only A,B` runs some parts: build, typecheck, lint, unit,
// suite, package, shipped, e2e, preview, movers, desktop. A part whose result cannot be read has failed; nothing passes by
// being silent.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { program, root, runNode, seconds } from './run.mjs';
import { setup } from './setup.mjs';

const artifacts = join(root, 'artifacts');
const hasWebEditor = process.platform === 'linux' && process.arch === 'x64';
const LONGEST_MESSAGE = 1500;
const begin = Date.now();

/** A command that passes or fails as a whole. */
const check = args => async () => ((await runNode(args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A command that writes its counts into a file of artifacts/. The exit code may only make things worse. */
const counted = (name, args, count) => async () => {
  const file = join(artifacts, `${name}.json`);
  rmSync(file, { force: true });
  const code = await runNode(args);
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
const own = it => ({ passed: it.passed, failed: it.failed, failures: it.failures });
const parts = {
  build: check(['tools/build.mjs', '--test']),
  typecheck: check([program.tsc, '--build']),
  lint: check([program.biome, 'check', '--diagnostic-level=warn', '.']),
  unit: vitest('unit'),
  suite: counted('suite', ['test/editor/suite.mjs'], own),
  package: check(['tools/package.mjs']),
  // What `package` has built and packed, run as users do.
  shipped: vitest('shipped', '--config', 'vitest.shipped.config.mts'),
  e2e: counted('e2e', ['test/editor/e2e.mjs', 'dist/berth.vsix'], own),
  preview: counted('preview', ['test/editor/preview.mjs', 'dist/berth.vsix'], own),
  movers: counted('movers', ['test/editor/movers.mjs', 'dist/berth.vsix'], own),
  desktop: counted('suite', ['test/editor/suite.mjs', '--desktop'], own),
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const everywhere = ['build', 'typecheck', 'lint', 'unit', 'suite', 'package', 'shipped', 'e2e', 'preview', 'movers'];
const elsewhere = ['build', 'typecheck', 'lint', 'unit', 'desktop', 'package', 'shipped'];
const named = values.only?.split(',') ?? (hasWebEditor ? everywhere : elsewhere);
const unknown = named.filter(it => !(it in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
// The suite is bundled by the build, and what ships is made by the packaging: whoever asks for one alone gets both.
const before = { suite: 'build', desktop: 'build', shipped: 'package' };
const wanted = [...new Set(named.flatMap(it => [before[it] ?? it, it]))];

setup();
mkdirSync(artifacts, { recursive: true });
const results = [];
for (const part of wanted) {
  const start = Date.now();
  console.log(`\n── ${part} ${'─'.repeat(70 - part.length)} ${seconds(begin)}`);
  const isBroken = results.some(it => it.part === 'build' && it.failed > 0);
  const needsBuild = ['suite', 'package', 'shipped', 'e2e', 'preview', 'movers', 'desktop'].includes(part);
  const result = isBroken && needsBuild ? { passed: 0, failed: 1, reason: 'the build failed' } : await parts[part]();
  results.push({ part, ...result, took: seconds(start) });
}

console.log(`\n── results ${'─'.repeat(63)} ${seconds(begin)}`);
for (const { part, passed, failed, reason, took } of results) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  console.log(
    `${verdict.padEnd(7)}${part.padEnd(10)}${`${passed} passed, ${failed} failed`.padEnd(26)}${took}${reason ? `: ${reason}` : ''}`,
  );
}
// Whoever sees the end of a long log only, as in CI, sees there what failed.
const tell = (what, { name, message }) => console.log(`\n${what}: ${name}\n${message.slice(0, LONGEST_MESSAGE)}`);
for (const { part, failures = [] } of results) for (const it of failures) tell(part, it);
if (!hasWebEditor && !values.only) console.log('e2e and preview were not run: the web editor wants Linux on x64.');
const total = key => results.reduce((sum, it) => sum + it[key], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 && total('passed') > 0 ? 0 : 1;
