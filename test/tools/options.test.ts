import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** A script's answer, in a thread: a process of its own takes several times as long to start. */
async function tool(name: string, ...args: readonly string[]) {
  const script = join(root, `tools/${name}.mjs`);
  const thread = new Worker(script, { argv: [...args], execArgv: [], stdout: true, stderr: true });
  const ended = once(thread, 'exit') as Promise<[status: number]>;
  const [stdout, stderr, [status]] = await Promise.all([text(thread.stdout), text(thread.stderr), ended]);
  return { status, stdout, stderr };
}
const fuzz = (...args: readonly string[]) => tool('fuzz', ...args);

describe('options of tools', () => {
  test('--help prints what the script says of itself', async () => {
    const { status, stdout, stderr } = await fuzz('--help');
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
    [['--minutes', 'ten'], '--minutes "ten" must be a number from 0 to 1,000,000,000.\n'],
    [['--minutes=-1'], '--minutes "-1" must be a number from 0 to 1,000,000,000.\n'],
    [['--minutes', 'Infinity'], '--minutes "Infinity" must be a number from 0 to 1,000,000,000.\n'],
    [['--every', '0'], '--every "0" must be a whole number from 1 to 1,000,000,000.\n'],
    [['--edits', '1.5'], '--edits "1.5" must be a whole number from 1 to 1,000,000,000.\n'],
  ])('%j is answered with one sentence', async (args, sentence) => {
    const { status, stderr } = await fuzz(...args);
    expect([status, stderr]).toEqual([2, sentence]);
  });

  test.each([
    ['start', ['--port', '65536'], '--port "65536" must be a whole number from 0 to 65,535.\n'],
    ['conformance', ['policy', '--show', 'all'], '--show "all" must be a whole number from 0 to 1,000,000,000.\n'],
    ['bench', ['typing', 'many'], 'KEYS "many" must be a whole number from 1 to 1,000,000,000.\n'],
    [
      'bench',
      ['tiping'],
      'There is no tiping to measure; there are start, workspace, repositories, typing, kinds, editor, scheduling, counterfactuals, preview, policies, explore, hostile, stalls, peers.\n',
    ],
  ])('%s %j is answered with one sentence', async (name, args, sentence) => {
    const { status, stderr } = await tool(name, ...args);
    expect([status, stderr]).toEqual([2, sentence]);
  });

  test('a number within its range is taken', async () => {
    const { status, stderr } = await fuzz('--minutes', '0.5', '--every', '1', '--target', 'none');
    expect([status, stderr.split(';')[0]]).toEqual([2, 'There is no target none']);
  });

  test('all scripts read their options in this way', () => {
    const scripts = readdirSync(join(root, 'tools')).filter(it => it.endsWith('.mjs') && it !== 'options.mjs');
    const texts = scripts.map(it => [it, readFileSync(join(root, 'tools', it), 'utf8')] as const);
    expect(texts.filter(([, text]) => /parseArgs|Number\((?:values|process\.argv)\b/.test(text))).toEqual([]);
  });
});
