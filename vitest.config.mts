import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/editor/**', 'test/suite/**', 'test/cluster-live/**', 'test/shipped/**'],
    // A machine that does something else for a while is no failure: only what never ends is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As many as there are cores: the default leaves one of two unused.
    maxWorkers: '100%',
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/sameRandom.ts'],
  },
});
