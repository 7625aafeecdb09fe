import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './run.mjs';

/**
 * Bundles what test/bench measures, as the tools run without a TypeScript loader.
 * @param {string} outfile
 * @param {import('esbuild').Plugin[]} plugins
 */
export const bundleBench = (outfile, plugins = []) =>
  build({
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
