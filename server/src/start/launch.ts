import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { constants, Script } from 'node:vm';
import { type CompileCache, openCompileCache } from './compileCache';

/** The last line of a bundle from `tools/build.mjs --production`: the hash of everything before it. */
const BUILD_LINE = /\n\/\/ build ([0-9a-f]{64})\n$/;
const BUILD_LINE_LENGTH = '\n// build \n'.length + 64;

/**
 * After this time V8 has dropped code that ran only at the start, so that its code cache would not help the next start.
 */
const LONGEST_START_MILLISECONDS = 5_000;

export interface LaunchOptions {
  /** What the process is for: code compiled for one purpose is of little use for another. Part of a file name. */
  readonly purpose: string;
  /**
   * When the start of a long-running process is over, in milliseconds; absent: at its end; never: the compiled code is
   * not kept, as in a thread beside one that keeps it.
   */
  readonly over?: number | 'never';
}

/**
 * Runs a bundle in a folder as Node would, without compiling what an earlier run for the same purpose compiled. Returns
 * its exports. A development bundle has no hash and changes with every edit; it is loaded by `require`.
 * @param folder The folder of the bundles.
 */
export function launch(folder: string, bundle: string, { purpose, over }: LaunchOptions): unknown {
  const file = join(folder, `${bundle}.js`);
  // V8 uses one byte per character for ASCII, which the build writes (`asciiOf` in tools/build.mjs).
  const bytes = readFileSync(file);
  const source = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const [, build] = BUILD_LINE.exec(source.slice(-BUILD_LINE_LENGTH)) ?? [];
  const require = createRequire(file);
  if (build === undefined) {
    return require(file);
  }
  const cache = openCompileCache(process.env);
  // The tag tells apart what V8 accepts: its version, its flags and the features of the CPU.
  const name = `${bundle}-${purpose}-${build.slice(0, 32)}-${cachedDataVersionTag()}-${process.arch}.v8`;
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

/** Keeps V8's code cache once the start is over, with the functions that ran during the start. */
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
