// Reads modules of the project's TypeScript into a tool.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './run.mjs';

/**
 * What some modules export, all together; their paths are seen from the project's folder and have no extension.
 * @param {string[]} modules
 */
export const bundled = (...modules) =>
  imported({ stdin: { contents: modules.map(it => `export * from './${it}';`).join('\n'), resolveDir: root } });

/**
 * What a bundle exports.
 * @param {import('esbuild').BuildOptions} source what is bundled, and by which plugins
 */
export async function imported(source) {
  // Loaded late: it takes as long as Node's own start, and a tool may end at its options.
  const { build } = await import('esbuild');
  const out = mkdtempSync(join(tmpdir(), 'berth-tool-'));
  const outfile = join(out, 'bundle.mjs');
  try {
    await build({
      ...source,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // Libraries that are CommonJS ask for Node's own modules.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      outfile,
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
