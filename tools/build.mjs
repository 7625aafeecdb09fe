// `node tools/build.mjs [--production] [--test] [--watch]`: bundles everything that ships into dist/, and with --test the
// suite of the editor tests too. The folder is the same whether it is packed, linked into an editor or run as a CLI.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { context } from 'esbuild';
import { LATER, loadLater } from './load-later.mjs';
import { noticesOf, packagesOf } from './notices.mjs';
import { readOptions } from './options.mjs';
import { buildPolicyEngine } from './policy-engine.mjs';
import { billOfMaterials } from './sbom.mjs';
import { compressAgain } from './smallest.mjs';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { values } = readOptions(import.meta.filename, {
  options: {
    production: { type: 'boolean', default: false },
    test: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
});

/** What is bundled from what. A bundle without its entry is an error: nothing half built may be packed. */
const node = { platform: 'node', target: 'node20', format: 'cjs', mainFields: ['module', 'main'] };
/** Bundles that `server/src/start/launch` runs: in production a function with the parameters of a CommonJS module. */
const launched = values.production
  ? {
      ...node,
      banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
      footer: { js: '})' },
      plugins: [{ name: 'build-hash', setup: it => it.onEnd(writeBuildLines) }],
    }
  : node;
/**
 * Modules of Node that packages load at their start for what nobody asks of them, and that take long to load: to start a
 * program for a verb, to read a translation, to find packages of a project, and to make up the name of a pipe.
 */
const neverUsed = {
  commander: /^(?:node:)?child_process$/,
  '@vscode/l10n': /^fs\/promises$/,
  'vscode-languageserver': /^child_process$/,
  'vscode-jsonrpc': /^crypto$/,
};
const withoutNeverUsed = {
  name: 'without-never-used',
  setup(it) {
    for (const [name, filter] of Object.entries(neverUsed)) {
      it.onResolve({ filter }, ({ importer }) =>
        importer.startsWith(join(root, 'node_modules', name)) ? { path: 'none', namespace: 'none' } : undefined,
      );
    }
    it.onLoad({ filter: /^none$/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};
/**
 * Each file that imports a CommonJS package would copy all of its exports when it is loaded: the 14 files that import this one
 * took 7 ms of the server's start. They import one module, which has read them.
 */
const PROTOCOL = 'vscode-languageserver/node';
const protocolReadOnce = {
  name: 'protocol-read-once',
  setup(it) {
    it.onResolve({ filter: /^vscode-languageserver\/node$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: PROTOCOL, namespace: 'read-once' } : undefined,
    );
    it.onLoad({ filter: /./, namespace: 'read-once' }, () => {
      const names = Object.keys(createRequire(import.meta.url)(PROTOCOL)).filter(name => name !== 'default');
      const exported = names.map(name => `export const ${name} = all.${name};`);
      return { contents: [`const all = require('${PROTOCOL}');`, ...exported].join('\n'), resolveDir: root };
    });
  },
};
const bundles = [
  { ...node, entryPoints: { extension: 'client/src/extension.ts' }, external: ['vscode'] },
  { ...node, entryPoints: { server: 'server/src/start/server.ts' } },
  { ...node, entryPoints: { cluster: 'server/src/live/main.ts' } },
  {
    ...node,
    entryPoints: { optimum: 'server/src/scheduler/optimum/highs.ts' },
    // Its ES module asks where it stands in a way that CommonJS has not.
    alias: { highs: join(root, 'node_modules/highs/build/highs.js') },
  },
  { ...node, entryPoints: { graphviz: 'server/src/explore/graphviz/worker.ts' } },
  { ...node, entryPoints: { exploring: 'server/src/explore/ahead/worker.ts' } },
  { ...node, entryPoints: { comparing: 'server/src/start/comparing.ts' } },
  { ...node, entryPoints: { cli: 'server/src/start/cli.ts' }, banner: { js: '#!/usr/bin/env node' } },
  { ...node, entryPoints: { checking: 'server/src/start/checking.ts' } },
  {
    ...launched,
    entryPoints: { main: 'server/src/start/programs.cjs' },
    plugins: [...(launched.plugins ?? []), withoutNeverUsed, protocolReadOnce, loadLater(root, LATER)],
  },
  { ...node, entryPoints: { policyProcess: 'server/src/policy/engine/processMain.ts' } },
  { ...node, entryPoints: { policyWorker: 'server/src/policy/engine/worker.ts' } },
  {
    entryPoints: { preview: 'client/src/webview/main.tsx', graph: 'client/src/webview/graph/main.tsx' },
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
];
// Each test file is its own bundle: mocha loads them by name, and a failing import fails that file alone.
const suite = {
  ...node,
  entryPoints: readdirSync(join(root, 'test/vscode'))
    .filter(it => it.endsWith('.ts'))
    .map(it => `test/vscode/${it}`),
  outdir: join(dist, 'test'),
  minify: false,
  sourcemap: true,
  external: ['vscode', 'mocha'],
};

const wanted = values.test ? [...bundles, suite] : bundles;
const missing = wanted.flatMap(it => Object.values(it.entryPoints)).filter(it => !existsSync(join(root, it)));
if (missing.length > 0) {
  console.error(`Cannot build: ${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not exist.`);
  process.exit(1);
}

// Bundles of earlier builds must not stay: a renamed test would run twice. The .vsix is kept for whoever tests it.
for (const name of existsSync(dist) ? readdirSync(dist) : []) {
  if (!name.endsWith('.vsix') && !(name === 'test' && !values.test && values.production))
    rmSync(join(dist, name), { recursive: true });
}
const data = join(root, 'server/data/kubernetes');
if (!existsSync(data)) {
  console.error(`Cannot build: ${relative(root, data)} does not exist.`);
  process.exit(1);
}
cpSync(data, join(dist, 'data'), { recursive: true });
// What every check of a file reads where no version is named: decompressing it takes longer than reading it.
const [newest] = readdirSync(data)
  .flatMap(it => /^1\.(\d+)\.json\.br$/.exec(it)?.[1] ?? [])
  .sort((a, b) => Number(b) - Number(a));
for (const name of [`1.${newest}.json`, 'api-lives.json']) {
  writeFileSync(join(dist, 'data', name), brotliDecompressSync(readFileSync(join(data, `${name}.br`))));
  rmSync(join(dist, 'data', `${name}.br`));
}
cpSync(join(root, 'node_modules/highs/build/highs.wasm'), join(dist, 'highs.wasm'));
const hasPolicyEngine = await buildPolicyEngine({ out: dist }).catch(error => {
  console.error(error.message);
  process.exit(1);
});
if (hasPolicyEngine && values.production) compressAgain(join(dist, 'policyEngine.wasm.br'));

const contexts = await Promise.all(
  wanted.map(bundle =>
    context({
      absWorkingDir: root,
      bundle: true,
      outdir: dist,
      logLevel: 'warning',
      metafile: true,
      minify: values.production,
      sourcemap: !values.production,
      define: { 'process.env.NODE_ENV': values.production ? '"production"' : '"development"' },
      ...bundle,
    }),
  ),
);

try {
  const built = await Promise.all(contexts.map(it => it.rebuild()));
  if (!values.watch) writeNotices(built.slice(0, bundles.length));
} catch (error) {
  if (!('errors' in error)) throw error;
  // esbuild has printed what is wrong; who watches will mend it.
  if (!values.watch) process.exit(1);
}
if (existsSync(join(dist, 'cli.js'))) chmodSync(join(dist, 'cli.js'), 0o755);

if (values.watch) {
  await Promise.all(contexts.map(it => it.watch()));
  console.log('Watching; Ctrl+C ends it.');
} else {
  await Promise.all(contexts.map(it => it.dispose()));
}

/** Ends each bundle with the hash of what it holds, by which `server/src/start/launch` keeps what V8 makes of it. */
function writeBuildLines({ metafile }) {
  for (const output of Object.keys(metafile?.outputs ?? {}).filter(it => it.endsWith('.js'))) {
    const file = join(root, output);
    const text = asciiOf(readFileSync(file, 'utf8'));
    writeFileSync(file, `${text}\n// build ${createHash('sha256').update(text).digest('hex')}\n`);
  }
}

/** esbuild escapes strings, and leaves regular expressions and tagged templates as they are; escapes mean the same there. */
function asciiOf(text) {
  return text.replace(/[^\0-\x7f]/g, it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The licences of the npm packages that the bundles contain, and the bill of materials. */
function writeNotices(built) {
  const outputs = built.flatMap(it => Object.values(it.metafile.outputs));
  const inputs = outputs.flatMap(it => Object.entries(it.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
  const packages = packagesOf(root, [...new Set(inputs.map(([path]) => path))]);
  writeFileSync(join(dist, 'notices.txt'), noticesOf('Berth contains these npm packages.', packages));
  const bill = billOfMaterials(root, packages, dist);
  writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
}
