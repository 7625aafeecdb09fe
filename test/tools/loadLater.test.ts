import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadLater } from '../../tools/load-later.mjs';

const ENTRY = `import { double } from './part';
export const before = globalThis.loaded;
export const result = double(21);
export const after = globalThis.loaded;
delete globalThis.loaded;
`;

describe('a module that is loaded later', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-later-'));
    mkdirSync(join(folder, 'src'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bundled = async (part: string): Promise<unknown> => {
    writeFileSync(join(folder, 'src/entry.ts'), ENTRY);
    writeFileSync(join(folder, 'src/part.ts'), `(globalThis as { loaded?: boolean }).loaded = true;\n${part}`);
    const outfile = join(folder, 'out.cjs');
    await build({
      entryPoints: [join(folder, 'src/entry.ts')],
      bundle: true,
      format: 'cjs',
      platform: 'node',
      logLevel: 'silent',
      outfile,
      plugins: [loadLater(folder, ['src/part.ts'])],
    });
    return createRequire(outfile)(outfile);
  };

  it.each([
    ['a function', 'export type Count = number;\nexport function double(it: number): Count {\n  return 2 * it;\n}\n'],
    ['an arrow function', 'export const double = (it: number): number => 2 * it;\n'],
  ])('runs at the first call of %s', async (_, part) => {
    expect(await bundled(part)).toMatchObject({ before: undefined, result: 42, after: true });
  });

  it('may not export a value', async () => {
    const part = 'export const TWO = 2;\nexport const double = (it: number): number => TWO * it;\n';
    await expect(bundled(part)).rejects.toThrow('exports more than functions, so it cannot be loaded later: const TWO');
  });
});
