import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { type Files, run, runIn } from './world';

const system = (more: string): string =>
  `apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: pair }\nspec:\n  variables: { fork: { size: 2, value: 0 }, meals: 0 }\n  processes:\n    - name: p\n      copies: 2\n      start: thinks\n      halt: [thinks]\n      steps:\n        - { name: take left, from: thinks, to: waits, when: "fork[i] == 0", set: { "fork[i]": 1 } }\n        - { name: take right, from: waits, to: eats, when: "fork[1 - i] == 0", set: { "fork[1 - i]": 1 } }\n        - { name: put both, from: eats, to: thinks, set: { "fork[i]": 0, "fork[1 - i]": 0${more} } }\n`;
const files = {
  'pair.yaml': system(''),
  'calm.yaml':
    'apiVersion: berth.dev/v1alpha1\nkind: System\nspec:\n  processes: [{ name: p, start: s, halt: [s], steps: [] }]\n',
  'wrong.yaml': system('').replace('fork[i] == 0', 'fork[i] == nothing'),
  'endless.yaml': system(', meals: "meals + 1"'),
  'fails.yaml': system(', meals: "1 / meals"'),
  'namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
  'broken.yaml': `${system('')}  properties: [\n`,
} satisfies Files;
const json = async (...args: readonly string[]) => {
  const done = await run(['explore', '--format', 'json', ...args], files);
  return {
    ...done,
    lines: done.out
      .trim()
      .split('\n')
      .map(it => JSON.parse(it)),
  };
};

describe('berth explore', () => {
  it('shows on a terminal how far it is, and takes that away before it prints', async () => {
    const shown: string[] = [];
    const outside = {
      post: async () => ({ failure: 'there is no network here' }),
      runProcess: async () => ({ end: 'missing' }) as const,
      live: () => {
        throw new Error('there is no cluster here');
      },
      policyEngine: engineThatIsNotBuilt(),
      progress: (text: string) => {
        shown.push(text);
      },
    };
    const argv = ['explore', '--max-states', '2000', 'endless.yaml'];
    const { code } = await runIn(outside, argv, files, '');
    expect(code).toBe(1);
    expect(shown[0]).toMatch(/^endless\.yaml: [\d,]+ states$/);
    expect(shown.at(-1)).toBe('');
  });

  it('tells a deadlock with the way to it as a numbered list', async () => {
    const { code, out, err } = await run(['explore', 'pair.yaml'], files);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain('pair.yaml: 6 states, 8 transitions, 0 accepting ends; 4 visited, which stand for all');
    expect(out).toContain(
      '✗ 1 deadlock, the nearest after 2 steps\n      1. p[0]: take left\n      2. p[1]: take left\n',
    );
    expect(out).toContain('p[0] at waits, p[1] at waits, fork = [1,1]');
  });

  it('tells a step that can never be taken, which changes no exit code', async () => {
    const never = { 'never.yaml': files['calm.yaml'].replace('steps: []', 'steps: [{ name: go, from: t }]') };
    const { code, out } = await run(['explore', 'never.yaml'], never);
    expect(code).toBe(0);
    expect(out).toContain('\n  – p: go (from t) can never be taken\n');
    const told = await run(['explore', '--format', 'json', 'never.yaml'], never);
    expect(JSON.parse(told.out).unreachable).toEqual([{ process: 'p', step: 'go', from: 't' }]);
  });

  it('ends a sentence that asks with its question mark alone', async () => {
    const asks = { 'asks.yaml': files['calm.yaml'].replace('steps: []', 'steps: [{ nam: go, from: t }]') };
    const { code, err } = await run(['explore', 'asks.yaml'], asks);
    expect(code).toBe(2);
    expect(err).toMatch(/did you mean "name"\?\n$/);
  });

  it('prints a line of JSON for each argument, and exits with the worst code', async () => {
    const { code, lines } = await json('calm.yaml', 'pair.yaml');
    expect(code).toBe(1);
    expect(lines.map(it => [it.contract, it.system, it.complete, it.deadlocks.count])).toEqual([
      [1, '', true, 0],
      [1, 'pair', true, 1],
    ]);
    expect((await json('calm.yaml')).code).toBe(0);
    expect((await json('calm.yaml', 'pair.yaml', 'wrong.yaml')).code).toBe(2);
  });

  it.each([
    [
      'wrong.yaml',
      'spec.processes[0].steps[0].when',
      /^wrong\.yaml:12:[0-9]+: .* there is no "nothing" here\.$/,
      undefined,
    ],
    ['broken.yaml', '', /^broken\.yaml:[0-9]+:[0-9]+: .*[^.]\.$/, undefined],
    ['fails.yaml', 'spec.processes[0].steps[2].set[meals]', /1 \/ 0 divides by zero after p\[0\]: take left/, 3],
  ])('tells what is wrong in %s in one sentence', async (file, place, sentence, steps) => {
    const { code, lines, err } = await json(file);
    expect(code).toBe(2);
    expect(lines[0].errorAt).toBe(place);
    expect(lines[0].error).toMatch(sentence);
    expect(lines[0].errorTrace?.length).toBe(steps);
    expect(err).toBe(`berth: ${lines[0].error}\n`);
  });

  it('tells how few states it visited of equal processes, unless --no-symmetry is given', async () => {
    const spinners = {
      'spin.yaml': `${files['calm.yaml'].replace('{ name: p,', '{ name: p, copies: 60,').replace('steps: []', 'steps: [{ name: a, from: s, to: t }, { name: b, from: t, to: s }]')}  properties: [{ name: round, progress: [b] }, { name: calm, progress: [] }]\n`,
    };
    const { out, code } = await run(['explore', 'spin.yaml'], spinners);
    expect(code).toBe(1);
    expect(out).toContain('spin.yaml: about 1.2 × 10^18 states');
    expect(out).toContain('; 61 visited, which stand for all\n');
    expect(out).toContain('✓ round (progress)');
    const few = { 'spin.yaml': spinners['spin.yaml'].replace('copies: 60', 'copies: 3') };
    const [used, ignored] = await Promise.all(
      [[], ['--no-symmetry']].map(it => run(['explore', '--format', 'json', ...it, 'spin.yaml'], few)),
    );
    const { symmetry, ...same } = JSON.parse(used!.out);
    expect(symmetry).toEqual({ equal: [['p[0]', 'p[1]', 'p[2]']], visited: 4 });
    expect(JSON.parse(ignored!.out)).toMatchObject({ states: same.states, transitions: same.transitions });
    expect(JSON.parse(ignored!.out)).not.toHaveProperty('symmetry');
  });

  it('--reduce says that it left out states, and finds the same', async () => {
    const { out, code } = await run(['explore', '--reduce', 'pair.yaml'], files);
    expect(code).toBe(1);
    expect(out).toContain('states that make no difference were left out');
    expect(out).toContain('✗ 1 deadlock, the nearest after 2 steps');
  });

  it.each([
    [
      'dot',
      /^digraph "pair" \{\n/,
      / {2}s4 \[label="p\[0\]: waits\\np\[1\]: waits\\nfork = \[1,1\]\\nmeals = 0", fillcolor="#f8c8c8", shape=octagon\];/,
      / s\d -> s/g,
    ],
    ['mermaid', /^flowchart TD\n/, / {2}s4\{\{"p#91;0#93;: waits<br>.*"\}\}:::deadlock/, / -->/g],
  ])('--format %s draws the states, the deadlock in red', async (format, head, deadlock, arrow) => {
    const { out, code } = await run(['explore', '--format', format, 'pair.yaml'], files);
    expect(code).toBe(1);
    expect(out).toMatch(head);
    expect(out).toMatch(deadlock);
    expect(out.match(arrow)).toHaveLength(8);
    expect((await run(['explore', '--format', format, 'endless.yaml', '--max-states', '9'], files)).out).toContain(
      'the first 500 states',
    );
    const far = { 'far.yaml': files['endless.yaml'].replace('"meals + 1"', '"6 / (3 - meals) + meals"') };
    const cut = await run(['explore', '--format', format, 'far.yaml', '--max-states', '9'], far);
    expect([cut.code, cut.err]).toEqual([1, '']);
  });

  it('--format junit has a suite a file and a case a question', async () => {
    const property =
      '  properties: [{ name: one <fork>, never: "fork[0] + fork[1] > 1" }, { name: eats, progress: [take left] }]\n';
    const asked = {
      ...files,
      'asked.yaml': files['pair.yaml'] + property,
      'more.yaml': files['endless.yaml'] + property,
    };
    const { out, code, err } = await run(
      ['explore', '--format', 'junit', '--max-states', '50', 'calm.yaml', 'asked.yaml', 'more.yaml', 'wrong.yaml'],
      asked,
    );
    expect(code).toBe(2);
    expect(err).toMatch(/^berth: wrong\.yaml:12/);
    expect(out.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites>',
      '  <testsuite name="calm.yaml" tests="1" failures="0" errors="0">',
      '    <testcase classname="calm.yaml" name="no deadlock"/>',
      '  </testsuite>',
      '  <testsuite name="asked.yaml" tests="3" failures="2" errors="0">',
      '    <testcase classname="asked.yaml" name="no deadlock">',
      '      <failure message="1 deadlock, the nearest after 2 steps: p[0]: take left, p[1]: take left" type="deadlock"/>',
      '    </testcase>',
      '    <testcase classname="asked.yaml" name="one &lt;fork&gt;">',
      '      <failure message="it becomes true: p[0]: take left, p[0]: take right" type="never"/>',
      '    </testcase>',
      '    <testcase classname="asked.yaml" name="eats"/>',
      '  </testsuite>',
      '  <testsuite name="more.yaml" tests="3" failures="2" errors="0" skipped="1">',
      expect.anything(),
      expect.stringContaining('deadlock'),
      '    </testcase>',
      expect.anything(),
      expect.anything(),
      '    </testcase>',
      '    <testcase classname="more.yaml" name="eats">',
      '      <skipped message="The search was stopped by --max-states and found no violation."/>',
      '    </testcase>',
      '  </testsuite>',
      '  <testsuite name="wrong.yaml" tests="1" failures="0" errors="1">',
      '    <testcase classname="wrong.yaml" name="(file)">',
      expect.stringMatching(/^ {6}<error message="wrong\.yaml:12:.* there is no &quot;nothing&quot; here\."\/>$/),
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('stops at a limit and says how far it came', async () => {
    const { out, code } = await run(['explore', '--max-states', '50', 'endless.yaml'], files);
    expect(code).toBe(1);
    expect(out).toMatch(/stopped at depth \d+ by --max-states, not exhausted/);
    expect((await json('--max-states', '50', 'endless.yaml')).lines[0]).toMatchObject({ complete: false });
  });

  it('--max-findings stops and says that the search is not exhausted', async () => {
    const { out, code } = await run(['explore', '--max-findings', '1', 'endless.yaml'], files);
    expect(code).toBe(1);
    expect(out).toMatch(/stopped at depth 2 by --max-findings, not exhausted/);
    expect(out).toContain('✗ 1 deadlock so far, the nearest after 2 steps');
  });

  it('--save writes where a limit stopped it, and --resume goes on from there', async () => {
    const stopped = await run(
      ['explore', '--format', 'json', '--max-states', '3', '--save', 'half', 'pair.yaml'],
      files,
    );
    expect([JSON.parse(stopped.out).complete, Object.keys(stopped.writtenBytes)]).toEqual([false, ['half']]);
    const { half = new Uint8Array() } = stopped.writtenBytes;
    const commented = files['pair.yaml'].replace('spec:', '# The same.\nspec:');
    const resumed = await run(['explore', '--format', 'json', '--resume', 'half', '--save', 'more', 'pair.yaml'], {
      'pair.yaml': commented,
      half,
    });
    expect(resumed.out).toBe((await run(['explore', '--format', 'json', 'pair.yaml'], files)).out);
    expect([resumed.code, resumed.writtenBytes]).toEqual([1, {}]);
    const refusals: readonly (readonly [args: readonly string[], RegExp])[] = [
      [['--resume', 'half', 'endless.yaml'], /half was saved for another system/],
      [
        ['--resume', 'half', '--no-symmetry', 'pair.yaml'],
        /half was saved for another system, .* or with other options/,
      ],
      [['--resume', 'half', '--reduce', 'pair.yaml'], /--resume is for one search, and --reduce makes several/],
      [['--save', 'new', 'pair.yaml', 'calm.yaml'], /--save is for one system, and the paths hold 2 explorations/],
      [['--resume', 'calm.yaml', 'pair.yaml'], /calm\.yaml is nothing that --save wrote, or was changed since/],
      [['--resume', 'nowhere', 'pair.yaml'], /nowhere is no file that --save wrote/],
      [['--save', 'new', 'namespace.yaml'], /namespace\.yaml is a scenario: only systems are saved and resumed/],
    ];
    for (const [args, sentence] of refusals) {
      const { code, err } = await run(['explore', ...args], { ...files, half });
      expect([code, err.trim().split('\n').length]).toEqual([2, 1]);
      expect(err).toMatch(sentence);
    }
  });

  it.each([
    ['many states', ['tokens.yaml'], 2],
    ['many states and a limit', ['--max-states', '18000', 'tokens.yaml'], 2],
    ['few states', ['pair.yaml'], 0],
    ['a reduced search', ['--reduce', 'tokens.yaml'], 0],
  ] as const)('says the same with --jobs 3 of %s', async (_, args, threads) => {
    const tokens = `apiVersion: berth.dev/v1alpha1
kind: System
spec:
  variables: { t: { size: 15, value: 0 } }
  processes:
    - { name: p, copies: 15, start: s, steps: [{ name: turn, from: s, set: { "t[i]": "1 - t[i]" }, when: "t[i] < 2 + i" }] }
`;
    const all = { ...files, 'tokens.yaml': tokens };
    const alone = await run(['explore', '--format', 'json', ...args], all);
    const told = await run(['explore', '--format', 'json', '--jobs', '3', ...args], all);
    expect([told.out, told.code, told.err]).toEqual([alone.out, alone.code, alone.err]);
    expect([alone.threads, told.threads]).toEqual([0, threads]);
  });

  it.each([
    [['--max-findings', '0', 'pair.yaml'], /--max-findings "0" must be a whole number/],
    [['--format', 'xml', 'pair.yaml'], /--format "xml" is not one of/],
    [['--jobs', '0', 'pair.yaml'], /--jobs "0" must be a whole number/],
    [['--max-states', '0', 'pair.yaml'], /--max-states "0" must be a whole number/],
    [['--time-limit', 'x', 'pair.yaml'], /--time-limit "x" must be/],
    [['--format', 'dot', 'namespace.yaml'], /namespace\.yaml is a scenario, and --format dot draws systems alone\./],
    [['nowhere.yaml'], /nowhere\.yaml: There is no such file/],
    [[], /missing required argument/i],
  ])('refuses %j', async (args, sentence) => {
    const { code, err } = await run(['explore', ...args], files);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('the examples of systems show what their comments say', () => {
  const folder = join(import.meta.dirname, '../../examples/explore');
  const all = Object.fromEntries(readdirSync(folder).map(it => [it, readFileSync(join(folder, it), 'utf8')]));
  const tested: string[] = [];

  it.each<[name: string, states: number, deadlock: number | undefined, violated: readonly string[]]>([
    ['one-philosopher', 4, undefined, []],
    ['two-philosophers', 10, 2, []],
    ['two-philosophers-repaired', 6, undefined, ['somebody eats 1']],
    ['lost-update', 13, undefined, ['every update counts 4']],
    ['mutex', 20, undefined, []],
    ['lost-wake-up', 47, 7, []],
    ['lost-wake-up-repaired', 30, undefined, []],
    ['two-phase-commit', 29, 3, ['everybody can end 2']],
    ['ci-lock', 15, undefined, ['never two deploy 3']],
    ['finaliser-deadlock', 8, 2, ['the namespace can go 2']],
  ])('%s', async (name, states, deadlock, violated) => {
    const file = `${name}.yaml`;
    tested.push(file);
    const { out, code } = await run(['explore', '--format', 'json', file], all);
    const { system, deadlocks, properties, ...counts } = JSON.parse(out);
    expect([system, counts.states, deadlocks.shortest?.steps.length]).toEqual([name, states, deadlock]);
    const told = properties
      .filter((it: { readonly holds: boolean }) => !it.holds)
      .map(
        (it: { readonly name: string; readonly trace: { readonly steps: readonly object[] } }) =>
          `${it.name} ${it.trace.steps.length}`,
      );
    expect(told).toEqual(violated);
    expect(code).toBe(deadlock === undefined && violated.length === 0 ? 0 : 1);
  });

  it('are all tested, and explored together as a folder', async () => {
    expect(tested.toSorted()).toEqual(Object.keys(all).toSorted());
    const inFolder = Object.fromEntries(Object.entries(all).map(([name, text]) => [`explore/${name}`, text]));
    const { out } = await run(['explore', '--format', 'json', 'explore'], inFolder);
    expect(out.trim().split('\n')).toHaveLength(tested.length);
  });
});
