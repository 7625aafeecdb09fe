import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TRANSPILED, transpiledSources } from './tools/transpile.mjs';
import { optimizingLate } from './tools/v8-flags.mjs';

// Tests need no network, and each Node 20 that starts reads the certificates that this adds to its own, which takes 0.1 s.
delete process.env.NODE_EXTRA_CA_CERTS;

const exclude = ['test/e2e/**', 'test/vscode/**', 'test/live-cluster/**', 'test/shipped/**'];
/**
 * Files that put something in the place of a module: the others must not see that. Those that have V8 count calls: it does so
 * for all that the process has loaded, and gives up what it has optimized. And those that have it collect garbage, which takes
 * long where many files have left something.
 */
const alone = readdirSync(join(import.meta.dirname, 'test'), { recursive: true })
  .map(it => `test/${String(it).replaceAll('\\', '/')}`)
  .filter(
    it =>
      it.endsWith('.test.ts') &&
      /^vi\.mock\(|support\/inPlaceOf'|from 'node:inspector'|from '.*support\/collected'/m.test(
        readFileSync(join(import.meta.dirname, it), 'utf8'),
      ),
  );

const globalSetup = ['test/support/transpiled.mjs'];
const server = { deps: { external: [TRANSPILED] } };

const startsEngine = ({ moduleId }: TestSpecification): boolean =>
  /describeWith(Own)?Engine\(/.test(readFileSync(moduleId, 'utf8'));

/**
 * The project of the files that each have a process of their own comes first: where one of them follows, Vitest ends the
 * process that runs many files, and what that has loaded and optimized with it. In a project, files that start the policy
 * engine take longest: begun last, one of them would go on alone.
 */
class ProjectsInTurn extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isAlone = ({ project }: TestSpecification): boolean => project.name === 'alone';
    const engineFirst = [...sorted.filter(startsEngine), ...sorted.filter(it => !startsEngine(it))];
    return [...engineFirst.filter(isAlone), ...engineFirst.filter(it => !isAlone(it))];
  }
}

export default defineConfig({
  test: {
    // A machine that does something else for a while is no failure: only what never ends is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/sameState.ts'],
    // As many as there are cores: the default leaves one of two unused.
    maxWorkers: '100%',
    // Tests make much that is soon garbage: with more room for it V8 copies less of it, a tenth of all the work.
    execArgv: ['--max-semi-space-size=64', ...optimizingLate],
    sequence: { sequencer: ProjectsInTurn },
    projects: [
      // One process runs many files, so that what they import is evaluated once and not once for each of them.
      {
        extends: true,
        plugins: [transpiledSources()],
        test: {
          name: 'unit',
          globalSetup,
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...alone],
          isolate: false,
          server,
        },
      },
      {
        extends: true,
        plugins: [transpiledSources()],
        test: { name: 'alone', globalSetup, include: alone, exclude, server },
      },
    ],
  },
});
