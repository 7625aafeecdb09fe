import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { type CompileCache, openCompileCache } from './compileCache';

/** The last line of a bundle that `tools/build.mjs --production` made: the hash of all that stands before it. */
const BUILD_LINE = /\n\/\/ build ([0-9a-f]{64})\n$/;
const BUILD_LINE_LENGTH = '\n// build \n'.length + 64;

/** After so long V8 has dropped what only the start ran, so that what it holds is no good for the next start. */
const LONGEST_START_MILLISECONDS = 5_000;

export interface LaunchOptions {
  /** What the process is started for: what V8 compiled for it is of little use for another purpose. A file name's part. */
  readonly purpose: string;
  /**
   * When the start of a process that stays is over, in milliseconds; absent: at its end; never: what V8 compiles is not kept,
   * as for a thread beside one that keeps it.
   */
  readonly over?: number | 'never';
}

/**
 * Runs a bundle beside this one as Node would, and compiles nothing that an earlier run for the same purpose has compiled.
 * Gives what it exports. A development bundle has no hash, changes with every edit, and is required.
 * @param folder Where the bundles are.
 */
export function launch(folder: string, bundle: string, { purpose, over }: LaunchOptions): unknown {
  const file = join(folder, `${bundle}.js`);
  // esbuild writes ASCII alone, which V8 keeps as it is read.
  const source = readFileSync(file, 'latin1');
  const [, build] = BUILD_LINE.exec(source.slice(-BUILD_LINE_LENGTH)) ?? [];
  const require = createRequire(file);
  if (build === undefined) {
    return require(file);
  }
  const cache = openCompileCache(process.env);
  const { v8 } = process.versions;
  const name = `${bundle}-${purpose}-${build.slice(0, 32)}-${v8}-${process.arch}.v8`;
  const cachedData = cache?.read(name);
  const script = new Script(source, {
    filename: file,
    ...(cachedData && { cachedData }),
    ...(constants && { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }),
  });
  if (over !== 'never' && cache && (cachedData === undefined || script.cachedDataRejected === true))
    keepAfterStart(script, cache, name, over);
  const module = new Module(file);
  module.filename = file;
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  return module.exports;
}

/** Keeps what V8 compiled once the start is over, with the functions that the start called. */
function keepAfterStart(script: Script, cache: CompileCache, name: string, over: number | undefined): void {
  const state = { isDone: false };
  const keep = (): void => {
    if (state.isDone || process.uptime() * 1000 > LONGEST_START_MILLISECONDS + (over ?? 0)) return;
    state.isDone = true;
    cache.write(name, script.createCachedData());
  };
  process.once('exit', keep);
  if (over !== undefined) setTimeout(keep, over).unref();
}
