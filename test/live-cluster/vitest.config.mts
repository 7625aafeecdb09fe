import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/live-cluster/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 180_000 },
});
