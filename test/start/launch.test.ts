import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'berth-launch-'));
const cache = join(home, 'cache');

/** Runs `bundle.js` through `launch` in a separate process and returns its output. */
function run(environment: NodeJS.ProcessEnv = { BERTH_COMPILE_CACHE: cache }): string {
  const script = `require(${JSON.stringify(join(home, 'launch.js'))}).launch(${JSON.stringify(home)}, 'bundle', { purpose: 'test' })`;
  return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { ...process.env, ...environment } });
}

/** Writes a bundle like those of `tools/build.mjs --production`. */
function writeBundle(body: string): void {
  const text = `(function (exports, require, module, __filename, __dirname) {\n${body}\n})`;
  const hash = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(home, 'bundle.js'), `${text}\n// build ${hash}\n`);
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const kept = (): readonly string[] => readdirSync(cache);

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, '../../server/src/start/launch.ts')],
    outfile: join(home, 'launch.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});
beforeEach(() => {
  rmSync(cache, { recursive: true, force: true });
  writeBundle("console.log('one', require('node:path').basename(__filename), typeof module.exports);");
});
afterAll(() => rmSync(home, { recursive: true }));

describe('a bundle that is launched', () => {
  it('runs as a CommonJS module, and its code cache is kept once', () => {
    expect(run()).toBe('one bundle.js object\n');
    const [name = ''] = kept();
    expect(kept()).toHaveLength(1);
    const before = readFileSync(join(cache, name));
    // A cache that V8 refused would be written again, with other bytes.
    writeBundle("console.log('one', require('node:path').basename(__filename), typeof module.exports);");
    expect(run()).toBe('one bundle.js object\n');
    expect(kept()).toEqual([name]);
    expect(readFileSync(join(cache, name)).equals(before)).toBe(true);
  });

  it('never uses the code cache of another build of the same length', () => {
    expect(run()).toBe('one bundle.js object\n');
    writeBundle("console.log('two', require('node:path').basename(__filename), typeof module.exports);");
    expect(run()).toBe('two bundle.js object\n');
    expect(kept()).toHaveLength(2);
  });

  it('keeps a code cache for each choice of V8 flags', () => {
    const contents = () => kept().map(it => readFileSync(join(cache, it), 'latin1'));
    run();
    const [plain] = contents();
    run({ BERTH_COMPILE_CACHE: cache, NODE_OPTIONS: '--max-old-space-size=1000' });
    expect(kept()).toHaveLength(2);
    run();
    expect(contents()).toContain(plain);
  });

  it('runs with a broken cache and repairs it', () => {
    run();
    const [name = ''] = kept();
    writeFileSync(join(cache, name), 'broken');
    expect(run()).toBe('one bundle.js object\n');
    expect(readFileSync(join(cache, name), 'latin1')).not.toBe('broken');
  });

  it('keeps the code caches that were written last, and none that is a month old', () => {
    mkdirSync(cache, { mode: 0o700 });
    const write = (name: string, written: string) => {
      writeFileSync(join(cache, name), '');
      utimesSync(join(cache, name), new Date(written), new Date(written));
    };
    for (let i = 10; i < 70; i++) write(`${i}.v8`, `21${i}-01-01`);
    write('old.v8', '2026-01-01');
    write('unfinished.v8.123', '2026-01-01');
    write('of-others.txt', '2026-01-01');
    run();
    const names = kept();
    expect(names).toHaveLength(51);
    expect(names).toEqual(expect.arrayContaining(['69.v8', '21.v8', 'of-others.txt']));
  });

  it('runs without a cache if it has no hash, like development bundles', () => {
    writeFileSync(join(home, 'bundle.js'), "console.log('plain');");
    expect(run()).toBe('plain\n');
    expect(kept).toThrow('ENOENT');
  });
});

describe.skipIf(process.platform === 'win32')('the folder of the code cache', () => {
  it('is private to the user', () => {
    run();
    expect([cache, ...kept().map(it => join(cache, it))].map(modeOf)).toEqual([0o700, 0o600]);
  });

  it.each([
    ['others can write to it', () => chmodSync(cache, 0o777)],
    [
      'it is a link',
      () => {
        rmSync(cache, { recursive: true });
        mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
        symlinkSync(join(home, 'elsewhere'), cache);
      },
    ],
  ])('is not used where %s', (_, change) => {
    mkdirSync(cache, { mode: 0o700 });
    change();
    expect(run()).toBe('one bundle.js object\n');
    expect(kept()).toEqual([]);
  });

  it('is not read in files that others can write to', () => {
    run();
    const [name = ''] = kept();
    writeFileSync(join(cache, name), 'of somebody else');
    chmodSync(join(cache, name), 0o666);
    expect(run()).toBe('one bundle.js object\n');
    expect(modeOf(join(cache, name))).toBe(0o600);
  });

  it.each(['off', 'a/relative/path'])('does not exist for BERTH_COMPILE_CACHE=%s', chosen => {
    expect(run({ BERTH_COMPILE_CACHE: chosen })).toBe('one bundle.js object\n');
    expect(kept).toThrow('ENOENT');
  });
});
