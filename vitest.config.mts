import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/editor/**', 'test/suite/**', 'test/cluster-live/**', 'test/shipped/**'],
    // A machine that does something else for a while is no failure: only what never ends is.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Where nobody can look, what fails beside others is tried once more; the log names it with "retry x1".
    retry: process.env.CI === 'true' ? 1 : 0,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/sameRandom.ts'],
  },
});
