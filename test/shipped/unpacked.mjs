// Unpacks dist/berth.vsix once for all tests of what ships.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unzip } from '../../tools/unzip.mjs';

const vsix = resolve(import.meta.dirname, '../../dist/berth.vsix');

/** @param {import('vitest/node').TestProject} project */
export default async function setup(project) {
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist: \`npm run package\` makes it.`);
  // A path with a space, as many users have one.
  const folder = mkdtempSync(join(tmpdir(), 'berth shipped-'));
  await unzip(vsix, folder);
  project.provide('unpacked', join(folder, 'extension'));
  return () => rmSync(folder, { recursive: true, force: true });
}
