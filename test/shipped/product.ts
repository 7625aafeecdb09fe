import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';
import { createPolicyEngine, type PolicyEngine } from '../../server/src/policy/engine/engine';
import { engineWorld } from '../../server/src/policy/engine/process';
import type { Files } from '../cli/world';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the extension, out of the packed VSIX. */
    readonly unpacked: string;
  }
}

export const root = resolve(import.meta.dirname, '../..');

/** The folders of the two products that ship: the build in the checkout, and the extension. */
export const products: Readonly<Record<'checkout' | 'extension', string>> = {
  checkout: root,
  extension: inject('unpacked'),
};

/** What V8 compiled is kept beside the extension, so that later runs start from it. */
export const environment = { PATH: process.env.PATH, BERTH_COMPILE_CACHE: join(products.extension, '../compiled') };

export interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly locale?: string;
  /** Where V8's code cache is kept, if not in the folder of all runs. */
  readonly cache?: string;
}

/** Runs the CLI of a product as a user does. */
export function berth(
  product: string,
  args: readonly string[],
  { cwd, input = '', locale, cache }: RunOptions,
): Promise<Told> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(product, 'dist/cli.js'), ...args], {
      cwd,
      env: {
        ...environment,
        ...(locale !== undefined && { BERTH_LOCALE: locale }),
        ...(cache !== undefined && { BERTH_COMPILE_CACHE: cache }),
      },
    });
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', it => {
      said.out += it;
    });
    child.stderr.setEncoding('utf8').on('data', it => {
      said.err += it;
    });
    child.once('error', fail);
    child.once('close', code => done({ code, ...said }));
    child.stdin.end(input);
  });
}

/** The engine in source form, with the program of the build. */
export function builtEngine(): PolicyEngine {
  return createPolicyEngine(engineWorld(join(root, 'dist'), () => undefined));
}

/** The texts of all files below a folder, by their paths from it. */
export function textsBelow(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(it => it.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(file, 'utf8')];
    }),
  );
}

/** Writes files into a new folder, does some work there, and takes the folder away. */
export async function among<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-shipped-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content as string);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
