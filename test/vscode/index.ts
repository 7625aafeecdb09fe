import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/**
 * The entry which VS Code's extension host calls: the same for every host, desktop or web. Each outcome is one JSON line
 * in the file that BERTH_TEST_RESULT names, when it names one; the last line says that the run is complete.
 */
export function run(): Promise<void> {
  const file = process.env.BERTH_TEST_RESULT;
  const report = (line: object): void => {
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
    else console.log(JSON.stringify(line));
  };
  const grep = process.env.BERTH_TEST_GREP;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 180_000,
    forbidOnly: process.env.CI !== undefined,
    ...(grep !== undefined && { grep }),
  });
  for (const name of readdirSync(__dirname).sort()) if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  return new Promise((done, fail) => {
    const runner = mocha.run(failures => {
      report({ event: 'end', failures });
      if (failures > 0) fail(new Error(`${failures} failed`));
      else done();
    });
    runner.on('pass', test => report({ event: 'pass', title: test.fullTitle(), ms: test.duration }));
    runner.on('pending', test => report({ event: 'pending', title: test.fullTitle() }));
    runner.on('fail', (test, error: unknown) =>
      report({ event: 'fail', title: test.fullTitle(), error: error instanceof Error ? error.stack : String(error) }),
    );
  });
}
