import { describe, expect, it } from 'vitest';
import { run } from './world';

describe('the other verbs', () => {
  it('explain tells what a code means', async () => {
    const { code, out } = await run(['explain', 'decode/duplicate-field']);
    expect(code).toBe(0);
    expect(out).toContain('# decode/duplicate-field');
    expect(out).toContain('## What to do');
  });

  it.each([
    ['decode/duplicate-fild', 'decode/duplicate-field'],
    ['duplicate-field', 'decode/duplicate-field'],
  ])('explain %s guesses', async (code, guess) => {
    const done = await run(['explain', code]);
    expect(done.code).toBe(2);
    expect(done.err).toContain(`There is no code "${code}"; did you mean ${guess}`);
  });

  it('version names the minors', async () => {
    const { code, out, err } = await run(['version', '--format', 'json']);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      berth: '1.2.3',
      kubernetes: { newest: '1.37', supported: expect.arrayContaining(['1.31', '1.37']) },
      policyEngine: 'not built',
    });
  });

  it('lsp --stdio hands over to the server', async () => {
    for (const argv of [['lsp'], ['lsp', '--stdio']]) {
      expect(await run(argv)).toMatchObject({ code: undefined, out: '(server)' });
    }
  });

  it.each([[['nope']], [['explain']], [['version', '--format', 'xml']]])('%j: exit 2', async argv => {
    const { code, err } = await run(argv);
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('--help and --version exit with 0', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '' });
    expect((await run(['check', '--help'])).out).toContain('--shard <I/N>');
    expect(await run(['--version'])).toMatchObject({ code: 0, out: '1.2.3\n' });
  });
});
