import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { products, root } from './product';

interface Watched {
  readonly answers: number;
  readonly pathsInFolder: number;
  readonly outside: readonly string[];
  readonly specials: readonly string[];
  readonly processes: readonly string[];
  readonly sockets: readonly string[];
  readonly requests: readonly string[];
  readonly hasProgramRun: boolean;
}

/** What the server of the extension touches when it opens a hostile folder, seen by hooks in Node's modules. */
function watched(...args: readonly string[]): Promise<Watched> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(root, 'tools/reach.mjs'), '--product', products.extension, ...args]);
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', it => said.push(it));
    child.once('error', fail);
    child.once('close', () => done(JSON.parse(said.join(''))));
  });
}

const OWN = ['PRODUCT/dist/policyProcess.js'];

it.runIf(process.platform !== 'win32')('a folder that nobody trusts leads the server nowhere', async () => {
  const { answers, pathsInFolder, ...touched } = await watched();
  expect(answers).toBeGreaterThan(50);
  expect(pathsInFolder).toBeGreaterThan(30);
  const nothing = { outside: [], specials: [], sockets: [], requests: [], hasProgramRun: false };
  expect(touched).toMatchObject({ ...nothing, processes: OWN });
});

it.runIf(process.platform !== 'win32')('what a trusted folder may do is seen', async () => {
  const { outside } = await watched('--trusted');
  for (const path of [/outside\/credentials$/, /\.kube\/config$/])
    expect(outside).toContainEqual(expect.stringMatching(path));
});
