import { join } from 'node:path';
import { root } from './run.mjs';

/**
 * Bundles what test/bench measures, as the tools run without a TypeScript loader.
 * @param {string} outfile
 * @param {import('esbuild').Plugin[]} plugins
 */
export async function bundleBench(outfile, plugins = []) {
  // Loaded late: it takes as long as Node's own start, and a tool may end at its options.
  const { build } = await import('esbuild');
  return build({
    entryPoints: [join(root, 'test/bench/host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    // A library of the server's asks for Node's modules in the old way.
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
    plugins,
  });
}
