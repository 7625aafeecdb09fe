// The modules of server/src as JavaScript modules of Node, one file each, for the unit tests. Vitest's own modules read
// each import through a getter of an object, which makes code that calls much across modules two to three times slower.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Where the module of a path without extension is: undefined outside of server/src, and where no source has that path. */
export function moduleOf(path) {
  const [, tree, name] = /^(.*)[\\/]server[\\/]src[\\/](.*)$/.exec(path) ?? [];
  return tree !== undefined && existsSync(`${path}.ts`) ? `${join(tree, 'out/modules', name)}.mjs` : undefined;
}

/** A plugin of Vite: has Node load what tests import of the server's sources, as `transpile` wrote it. */
export function transpiledSources() {
  return {
    name: 'transpiled-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return undefined;
      return moduleOf(resolve(dirname(importer), source));
    },
  };
}

/** The modules in whose place a test puts something by `inPlaceOf` of test/support: their paths in server/src. */
function replacedIn(tree) {
  const tests = readdirSync(join(tree, 'test'), { recursive: true }).map(String);
  const texts = tests.filter(it => it.endsWith('.test.ts')).map(it => readFileSync(join(tree, 'test', it), 'utf8'));
  return [
    ...new Set(texts.flatMap(it => [...it.matchAll(/\binPlaceOf\(\s*'([^']+)'/g)].map(([, path]) => path))),
  ].sort();
}

/** What has the exports of a module, or of what a test puts in its place; the module itself is beside it. */
function replaceable(path, exports) {
  const named = exports.map((it, i) => `const e${i} = from[${JSON.stringify(it)}];`);
  return [
    `import * as real from ${JSON.stringify(`./${basename(path)}.real.mjs`)};`,
    `const from = globalThis[Symbol.for('berth.inPlaceOf')]?.(${JSON.stringify(path)}, real) ?? real;`,
    ...named,
    `export { ${exports.map((it, i) => `e${i} as ${it}`).join(', ')} };`,
    '',
  ].join('\n');
}

/** For Vitest's `server.deps.external`: what `transpile` wrote is for Node to load. */
export const TRANSPILED = /\/out\/modules\//;

/** `require` and `__dirname` as CommonJS has them, as the bundles are CommonJS; seen from the source. */
const commonJs = source =>
  [
    `import { createRequire as createRequireOfSource } from 'node:module';`,
    `const require = createRequireOfSource(${JSON.stringify(pathToFileURL(source).href)});`,
    `const __dirname = ${JSON.stringify(dirname(source))};`,
  ].join(' ');

/** Every import stays an import: of another source's module by its file, of a package or a JSON file by its name. */
const unbundled = {
  name: 'unbundled',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      if (kind === 'require-call' || !path.startsWith('.')) return { external: true };
      if (moduleOf(resolve(resolveDir, path)) === undefined) throw new Error(`${resolveDir}: there is no ${path}`);
      return { path: `${path}.mjs`, external: true };
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const needsCommonJs = /\brequire\(|\b__dirname\b/.test(text);
      // On the first line, so that the lines of the source stay where they are.
      return { contents: needsCommonJs ? `${commonJs(path)} ${text}` : text, loader: 'ts' };
    });
  },
};

/** A run beside this one may be reading the file: it is replaced as a whole, and only where it changes. */
function write({ path, text }) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

/** What tells whether a file has changed since. */
function changeOf(path) {
  const { mtimeMs, size } = statSync(path);
  return `${path} ${mtimeMs} ${size}`;
}

/** Writes the modules of all sources of a checkout, unless none of them has changed since they were written. */
export async function transpile(tree) {
  const sources = join(tree, 'server/src');
  const names = readdirSync(sources, { recursive: true }).map(String);
  const entryPoints = names.filter(it => it.endsWith('.ts') && !it.endsWith('.d.ts')).map(it => join(sources, it));
  const replaced = replacedIn(tree);
  const state = {
    path: join(tree, 'out/modules/state.txt'),
    text: [...[import.meta.filename, ...entryPoints].map(changeOf), ...replaced].join('\n'),
  };
  if (existsSync(state.path) && readFileSync(state.path, 'utf8') === state.text) return;
  const outdir = join(tree, 'out/modules');
  const { outputFiles, metafile } = await build({
    entryPoints,
    outbase: sources,
    outdir,
    absWorkingDir: tree,
    metafile: true,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [unbundled],
    logLevel: 'warning',
  });
  const real = new Map(replaced.map(it => [join(outdir, `${it}.mjs`), join(outdir, `${it}.real.mjs`)]));
  for (const { path, text } of outputFiles) write({ path: real.get(path) ?? path, text });
  for (const it of replaced) {
    const path = join(outdir, `${it}.mjs`);
    const { exports } = metafile.outputs[relative(tree, path).replaceAll('\\', '/')];
    write({ path, text: replaceable(it, exports) });
  }
  write(state);
}
