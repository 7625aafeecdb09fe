import { defineConfig } from 'vitest/config';

/** The tests of what ships: the production bundles in dist/ and in dist/berth.vsix. */
export default defineConfig({
  test: {
    include: ['test/shipped/**/*.test.ts'],
    globalSetup: ['test/shipped/unpacked.mjs'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each test is a process or two of its own.
    maxConcurrency: 2,
    expect: { poll: { timeout: 60_000 } },
  },
});
