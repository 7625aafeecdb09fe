import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, fitted } from '../../server/src/cli/render/width';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { type Files, run, runIn } from './world';

const node = (name: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { allocatable: { cpu: "8", memory: 4Gi, pods: "9" } }\n`;
const pod = (name: string, cpu = '1'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: c, image: i, resources: { requests: { cpu: "${cpu}" } } }] }\n`;
const nodes = Array.from({ length: 9 }, (_, i) => node(`ip-10-0-1-${i}.eu-west-1.compute.internal`));
const broken = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containres: [] }\n`;
const files = {
  'scenario.yaml': [...nodes, pod('web'), pod('big', '64')].join('---\n'),
  'broken.yaml': broken('web'),
  'many.yaml': Array.from({ length: 60 }, (_, i) => broken(`web-${i}`)).join('---\n'),
} satisfies Files;

const inTerminal = (columns: number, ...argv: readonly string[]) => {
  const post = async () => ({ failure: 'there is no network here' });
  const live = () => {
    throw new Error('there is no cluster here');
  };
  const outside = {
    post,
    live,
    runProcess: async () => ({ end: 'missing' }) as const,
    policyEngine: engineThatIsNotBuilt(),
  };
  return runIn({ ...outside, columns }, argv, files, '');
};

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter(it => it !== '');

describe('a terminal', () => {
  test.each([
    ['place --verbose scenario.yaml', 80],
    ['place --verbose scenario.yaml', 120],
    ['check broken.yaml', 60],
  ])('%s fits %i columns and loses no word', async (line, columns) => {
    const argv = line.split(' ');
    const { out } = await inTerminal(columns, ...argv);
    expect(out.split('\n').filter(it => it.length > columns)).toEqual([]);
    expect(wordsOf(out)).toEqual(wordsOf((await run(argv, files)).out));
  });

  test('a table has the long names of nodes short, and says so', async () => {
    const { out } = await inTerminal(80, 'place', 'scenario.yaml');
    expect(out).toContain('Names of nodes are shortened; --verbose and --format json have them whole.');
    expect(out).toMatch(/default\/web +…0 +highest score/);
    expect((await run(['place', 'scenario.yaml'], files)).out).toContain('ip-10-0-1-0.eu-west-1.compute.internal');
  });

  test('the reasons of a table are folded below each other where there is room', async () => {
    const { out } = await inTerminal(120, 'place', 'scenario.yaml');
    const lines = out.split('\n');
    const why = lines.find(it => it.startsWith('  POD'))!.indexOf('WHY');
    const first = lines.findIndex(it => it.startsWith('  default/big'));
    expect(lines[first + 1]).toMatch(new RegExp(`^ {${why}}\\S`));
  });

  test('text that is written elsewhere has lines of any length', async () => {
    const { out } = await run(['place', 'scenario.yaml'], files);
    expect(out).toMatch(/default\/big .* preemption: .*\n/);
  });

  test('folding keeps words, and lines where words fit', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    const line = fc
      .tuple(fc.nat(8), fc.array(word, { maxLength: 30 }))
      .map(([n, words]) => ' '.repeat(n) + words.join(' '));
    const check = (text: string, columns: number): void => {
      const folded = fitted(text, columns);
      expect(wordsOf(folded)).toEqual(wordsOf(text));
      expect(folded.split('\n').every(it => columnsOf(it) <= columns)).toBe(true);
    };
    fc.assert(
      fc.property(
        fc.array(line).map(it => it.join('\n')),
        fc.integer({ min: 40, max: 100 }),
        check,
      ),
    );
  });
});

describe('what is told', () => {
  test('ties of more than a few nodes are counted', async () => {
    const { out } = await run(['place', 'scenario.yaml'], files);
    expect(out).toMatch(/tied with \S+, \S+, \S+ and 5 others\n/);
  });

  test('more than 50 problems end in counts by code and by file', async () => {
    const { out } = await run(['check', 'many.yaml', 'broken.yaml'], files);
    expect(out).toMatch(/Most frequent codes:\n +61 {2}\S+\n/);
    expect(out).toMatch(/Files with most problems:\n +\d+ {2}many\.yaml\n +\d+ {2}broken\.yaml\n/);
    expect((await run(['check', 'broken.yaml'], files)).out).not.toContain('Most frequent codes');
  });

  test('--quiet is a line for each problem, and nothing where there is none', async () => {
    const { out, code } = await run(['check', '--quiet', 'broken.yaml'], files);
    const headLines = (await run(['check', 'broken.yaml'], files)).out
      .split('\n')
      .filter(it => it.startsWith('broken.yaml:'));
    expect(out.trimEnd().split('\n')).toEqual(headLines);
    expect(out).toMatch(/^broken\.yaml:4:\d+: error decode\/unknown-field unknown field "spec\.containres"/m);
    expect(code).toBe(1);
    expect((await run(['check', '--quiet', 'fine.yaml'], { 'fine.yaml': pod('fine') })).out).toBe('');
  });

  test('--min-severity leaves out what is less severe, the exit code does not', async () => {
    const info = {
      'missing.yaml': `${pod('web')}---\n${pod('db').replace('spec: {', 'spec: { serviceAccountName: nobody,')}`,
    };
    const severities = async (...flags: readonly string[]) => {
      const { out, code } = await run(
        ['check', '--format', 'json', '--fail-on', 'info', ...flags, 'missing.yaml'],
        info,
      );
      const { problems } = JSON.parse(out) as { problems: readonly { severity: string }[] };
      return { code, severities: [...new Set(problems.map(it => it.severity))] };
    };
    expect(await severities()).toEqual({ code: 1, severities: ['info'] });
    expect(await severities('--min-severity', 'warning')).toEqual({ code: 1, severities: [] });
    const { err } = await run(['check', '--min-severity', 'bad', 'broken.yaml'], files);
    expect(err).toContain('--min-severity "bad" is not one of: error, warning, info, hint.');
  });
});

describe('what is asked wrongly', () => {
  test('no verb is answered with the help alone', async () => {
    const { out, err } = await run([], files);
    expect(out).toMatch(/^Usage: berth /);
    expect(err).toBe('');
  });

  test('a Pod that is not there is told with the nearest one, and without any placement', async () => {
    const { out, err, code } = await run(['place', 'scenario.yaml', '--explain', 'wep'], files);
    expect({ out, err, code }).toEqual({
      out: '',
      err: 'berth: scenario.yaml has no Pod wep; did you mean web?\n',
      code: 2,
    });
  });

  test.each([
    ['practice/readonly-root', 'practice/read-only-root-filesystem'],
    ['unknown-field', 'decode/unknown-field'],
  ])('explain %s suggests %s', async (code, near) => {
    expect((await run(['explain', code])).err).toContain(`did you mean ${near}`);
  });

  test('a baseline that is not there is told with the option', async () => {
    const { err } = await run(['check', '--baseline', 'missing.json', 'broken.yaml'], files);
    expect(err).toContain('--baseline: there is no file missing.json');
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('the script for %s holds each verb and each option', async shell => {
    const { out } = await run(['completion', shell]);
    const help = (await run(['--help'])).out;
    const verbs = [...help.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(it => it[1]!);
    expect(verbs).toContain('what-if');
    for (const verb of verbs.filter(it => it !== 'help')) expect(out).toMatch(new RegExp(`\\b${verb}\\b`));
    for (const option of ['min-severity', 'kubernetes-version', 'explain']) expect(out).toContain(option);
  });

  test('a shell that is not known is told with those that are', async () => {
    const { err, code } = await run(['completion', 'tcsh']);
    expect({ err, code }).toEqual({
      err: 'berth: There is no completion for "tcsh"; there is one for bash, zsh, fish.\n',
      code: 2,
    });
  });
});
