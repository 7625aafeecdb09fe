import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const exclude = ['test/editor/**', 'test/suite/**', 'test/cluster-live/**', 'test/shipped/**'];
/** Files that put something in the place of a module: the others must not see that. */
const mocking = readdirSync(join(import.meta.dirname, 'test'), { recursive: true })
  .map(it => `test/${String(it).replaceAll('\\', '/')}`)
  .filter(it => it.endsWith('.test.ts') && /^vi\.mock\(/m.test(readFileSync(join(import.meta.dirname, it), 'utf8')));

export default defineConfig({
  test: {
    // A machine that does something else for a while is no failure: only what never ends is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/sameState.ts'],
    // As many as there are cores: the default leaves one of two unused.
    maxWorkers: '100%',
    projects: [
      // One process runs many files, so that what they import is evaluated once and not once for each of them.
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...exclude, ...mocking], isolate: false },
      },
      { extends: true, test: { name: 'mocking', include: mocking, exclude } },
    ],
  },
});
