import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/editor/**', 'test/suite/**', 'test/cluster-live/**'],
    testTimeout: 20_000,
  },
});
