// Runs the compiled suite in a real VS Code: as a web page or, with --desktop, in a downloaded one. Writes the counts
// into artifacts/suite.json.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { copyWorkspace } from './host.mjs';

const extension = resolve(import.meta.dirname, '../..');
const suite = join(extension, 'dist/test/index.js');
const desktop = process.argv.includes('--desktop');
const timeout = Number(process.env.BERTH_TEST_TIMEOUT ?? 600_000);

const workspace = copyWorkspace(join(import.meta.dirname, 'workspace'));
const result = join(dirname(workspace), 'result.ndjson');
const env = { BERTH_TEST_RESULT: result };

let failure;
try {
  const { runSuite } = await import(desktop ? './desktop.mjs' : './host.mjs');
  const code = await runSuite({ extension, suite, workspace, env, timeout });
  if (code !== 0) failure = `the extension host exited with ${code}`;
} catch (error) {
  failure = error.message;
}

// The file decides, so that a suite which never loaded, or an extension host which died, is a failure.
const lines = existsSync(result)
  ? readFileSync(result, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  : [];
const verdict = { pass: '  ok', fail: 'FAIL', pending: 'skip' };
for (const { event, title, ms, error } of lines) {
  if (title) console.log(verdict[event], title, ms ? `(${ms} ms)` : '', error ? `\n${error}` : '');
}
const passed = lines.filter(it => it.event === 'pass').length;
const failures = lines.filter(it => it.event === 'fail').map(it => ({ name: it.title, message: it.error }));
if (lines.at(-1)?.event !== 'end')
  failure = `the extension host ended before the suite did (${failure ?? 'no reason given'})`;
else if (passed + failures.length === 0) failure = 'no test ran';
if (failure) console.log(`Editor suite: ${failure}`);
mkdirSync(join(extension, 'artifacts'), { recursive: true });
if (failure && failures.length === 0) failures.push({ name: 'the editor', message: failure });
const counts = { passed, failed: failures.length, failures };
writeFileSync(join(extension, 'artifacts/suite.json'), JSON.stringify(counts));
rmSync(dirname(workspace), { recursive: true, force: true });
process.exitCode = counts.failed > 0 ? 1 : 0;
