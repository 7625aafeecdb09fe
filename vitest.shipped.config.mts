import { defineConfig } from 'vitest/config';
import { TRANSPILED, transpiledSources } from './tools/transpile.mjs';
import { optimizingLate } from './tools/v8-flags.mjs';

// As in vitest.config.mts: each test is a process or two.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The tests of what ships: the production bundles in dist/ and in dist/berth.vsix. */
export default defineConfig({
  plugins: [transpiledSources()],
  test: {
    include: ['test/shipped/**/*.test.ts'],
    execArgv: [...optimizingLate],
    // What they share is loaded once.
    isolate: false,
    globalSetup: ['test/support/transpiled.mjs', 'test/shipped/unpacked.mjs'],
    server: { deps: { external: [TRANSPILED] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each test is a process or two of its own.
    maxConcurrency: 2,
    expect: { poll: { timeout: 60_000 } },
  },
});
