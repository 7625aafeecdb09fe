import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const fuzz = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['tools/fuzz.mjs', ...args], { cwd: root, encoding: 'utf8' });

describe('options of tools', () => {
  test('--help prints what the script says of itself', () => {
    const { status, stdout, stderr } = fuzz('--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^`npm run fuzz`: .*\n(?:.*\n)*--replay FILE .*\n$/);
  });

  test.each([
    [['--hepl'], "Unknown option '--hepl'; --help says what there is.\n"],
    [['--seed'], "Option '--seed <value>' argument missing; --help says what there is.\n"],
    [
      ['--target', 'session,sesion'],
      'There is no target sesion; there are session, memory, cli, structure, texts, places.\n',
    ],
    [['--replay', 'nowhere.json'], 'There is no file nowhere.json.\n'],
  ])('%j is answered with one sentence', (args, sentence) => {
    const { status, stderr } = fuzz(...args);
    expect([status, stderr]).toEqual([2, sentence]);
  });

  test('all scripts read their options in this way', () => {
    const scripts = readdirSync(join(root, 'tools')).filter(it => it.endsWith('.mjs') && it !== 'options.mjs');
    expect(scripts.filter(it => readFileSync(join(root, 'tools', it), 'utf8').includes('parseArgs'))).toEqual([]);
  });
});
