import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

const pod = (fields: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: main\n      image: nginx\n${fields}`;
const OLD = '      imag: x\n';
const SILENCED =
  '      # berth-ignore decode/unknown-field: it is read by our own tool\n      imagePullPolcy: Always\n';
const files: Files = { 'deploy/web.yaml': pod(OLD + SILENCED) };

const json = async (args: readonly string[], given: Files) =>
  JSON.parse((await run(['check', '--format', 'json', ...args], given)).out);

describe('what is silenced', () => {
  it('is counted, and told with its reason when asked for', async () => {
    const { out, code } = await run(['check', '--show-suppressed', 'deploy'], files);
    expect(code).toBe(1);
    expect(out).toContain(
      'deploy/web.yaml:11: silenced decode/unknown-field unknown field "spec.containers[0].imagePullPolcy"; did you mean "imagePullPolicy"? (comment: it is read by our own tool)\n',
    );
    expect(out).toContain('1 error, 1 silenced (0 ms)');
    const { problems, summary, suppressed } = await json(['--show-suppressed', 'deploy'], files);
    expect(problems).toHaveLength(1);
    expect(summary).toMatchObject({ errors: 1, suppressed: 1 });
    expect(suppressed).toMatchObject([{ suppressed: { by: 'comment', reason: 'it is read by our own tool' } }]);
    expect(await json(['deploy'], files)).not.toHaveProperty('suppressed');
  });

  it('is a suppression in SARIF', async () => {
    const { out } = await run(['check', '--format', 'sarif', '--show-suppressed', 'deploy'], files);
    expect(JSON.parse(out).runs[0].results.map((it: { suppressions?: unknown }) => it.suppressions)).toEqual([
      undefined,
      [{ kind: 'inSource', justification: 'it is read by our own tool' }],
    ]);
  });

  it('does not count', async () => {
    const { code } = await run(['check', 'deploy'], { 'deploy/web.yaml': pod(SILENCED) });
    expect(code).toBe(0);
  });
});

describe('berth baseline', () => {
  it('knows what is there, wherever its text moves, and nothing new', async () => {
    const made = await run(['baseline', 'deploy', '-o', 'known.json'], files);
    expect(made).toMatchObject({ code: 0, out: 'known.json knows 1 problem of 1 file now.\n' });
    const known = made.written['known.json'] ?? '';
    const moved = { 'known.json': known, 'deploy/web.yaml': `# Moved.\n\n${pod(OLD + SILENCED)}` };
    expect((await run(['check', 'deploy', '--baseline', 'known.json'], moved)).code).toBe(0);
    const more = { ...moved, 'deploy/web.yaml': pod(`${OLD}      argz: []\n`) };
    const { problems } = await json(['deploy', '--baseline', 'known.json'], more);
    expect(problems.map((it: { fieldPath: string }) => it.fieldPath)).toEqual(['spec.containers[0].argz']);
  });

  it('is named by berth.yaml, from its folder', async () => {
    const { written } = await run(['baseline', 'deploy'], files);
    const given = {
      ...files,
      'berth-baseline.json': written['berth-baseline.json']!,
      'berth.yaml': 'baseline: berth-baseline.json\n',
    };
    expect((await run(['check', 'deploy'], given)).code).toBe(0);
  });

  it('keeps what it knew, and forgets what is gone', async () => {
    const first = await run(['baseline', 'deploy'], files);
    const given = { 'berth-baseline.json': first.written['berth-baseline.json']! };
    const same = await run(['baseline', 'deploy'], { ...files, ...given });
    expect(same.written).toEqual(first.written);
    const mended = await run(['baseline', 'deploy'], { 'deploy/web.yaml': pod(SILENCED), ...given });
    expect(mended.out).toBe('berth-baseline.json knows 0 problems of 1 file now.\n');
  });

  it('counts: one entry is one problem', async () => {
    const made = await run(['baseline', 'deploy'], files);
    const twice = {
      ...files,
      'deploy/web.yaml': `${pod(OLD)}---\n${pod(OLD)}`,
      'b.json': made.written['berth-baseline.json']!,
    };
    const { problems } = await json(['deploy', '--only', 'decode', '--baseline', 'b.json'], twice);
    expect(problems).toHaveLength(1);
    expect(await json(['deploy', '--only', 'decode'], twice)).toMatchObject({ summary: { errors: 2 } });
  });

  it.each([
    ['that is not there', ['check', 'deploy', '--baseline', 'none.json'], files, 'none.json'],
    ['that cannot be written', ['baseline', 'nowhere'], files, 'nowhere'],
  ])('%s is told', async (_, args, given, message) => {
    const { code, err } = await run(args, given);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('presets', () => {
  it('are off until they are asked for', async () => {
    const practices = async (...args: readonly string[]): Promise<number> =>
      (await json([...args, 'deploy'], { 'deploy/web.yaml': pod('') })).problems.filter((it: { code: string }) =>
        it.code.startsWith('practice/'),
      ).length;
    expect(await practices()).toBe(0);
    expect(await practices('--preset', 'best-practice')).toBeGreaterThan(5);
    expect((await run(['check', '--preset', 'best', 'deploy'], files)).err).toContain('--preset "best" is not one of');
  });

  it('can be asked for in berth.yaml, single rules by their severity', async () => {
    const codes = async (configuration: string): Promise<readonly string[]> => {
      const given = { 'deploy/web.yaml': pod(''), 'berth.yaml': configuration };
      return (await json(['deploy'], given)).problems.map((it: { code: string }) => it.code);
    };
    expect(await codes('severity: { practice/image-tag: error }\n')).toEqual(['practice/image-tag']);
    const most = await codes('presets: [best-practice]\nseverity: { practice/image-tag: "off" }\n');
    expect(most).toContain('practice/memory-limit');
    expect(most).not.toContain('practice/image-tag');
  });
});
