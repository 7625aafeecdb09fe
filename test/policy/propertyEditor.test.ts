import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import { runPropertyTests } from '../../server/src/analysis/policyTests';
import { analysisOf } from '../analysis/analyse';
import { readPack } from '../support/packs';

const root = 'file:///ws';
const configuration = `${root}/berth.yaml`;
const deployment = (name: string, replicas: number) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec: { replicas: ${replicas} }\n`;

const analysed = (files: Readonly<Record<string, string>>): Analysis =>
  analysisOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text])), {}, [
    { uri: root },
  ]);

const lensesOf = (analysis: Analysis): readonly string[] => {
  const text = analysis.text(configuration) ?? '';
  return analysis.codeLenses(configuration).map(({ span, title }) => {
    return `${text.slice(span.start, span.end).split('\n')[0]?.replace(/,.*/, '')}: ${title}`;
  });
};

const two = 'name: two\n    expression: object.spec.replicas >= 2\n    select: { kinds: [Deployment] }\n';

describe('Over the rules of berth.yaml', () => {
  it('lenses count the rejected objects and open them', () => {
    const rules = `rules:\n  - ${two}  - { name: none, expression: "false", select: { kinds: [Secret] } }\n`;
    const analysis = analysed({ 'berth.yaml': rules, 'a.yaml': deployment('a', 1), 'b.yaml': deployment('b', 2) });
    expect(lensesOf(analysis)).toEqual(['name: two: rejects 1 of 2 objects']);
    const opened = analysis.policyLocations({ uri: configuration, offset: 0, rule: 'rules[0]' });
    expect(opened.map(it => it.uri)).toEqual([`${root}/a.yaml`]);
  });

  it('hover lists the rejected objects', () => {
    const rules = `rules:\n  - ${two}`;
    const analysis = analysed({ 'berth.yaml': rules, 'a.yaml': deployment('a', 1) });
    const at = (word: string) => analysis.hover(configuration, rules.indexOf(word))?.markdown ?? '';
    expect(at('name')).toContain('Against this policy is one object of the workspace:\n\n- Deployment `default/a`');
    expect(at('expression')).toContain('CEL that must be true');
    expect(at('select')).not.toContain('Against this policy');
  });

  it('environments are distinguished, and have their own rules', () => {
    const text = `rules:\n  - ${two}environments:
  prod:
    paths: [prod]
  dev:
    paths: [dev]
    rules: [{ name: one, expression: object.spec.replicas == 1 }]
`;
    const analysis = analysed({
      'berth.yaml': text,
      'prod/a.yaml': `${deployment('a', 1)}---\n${deployment('b', 1)}`,
      'dev/a.yaml': deployment('c', 3),
    });
    expect(lensesOf(analysis)).toEqual(['name: two: rejects 2 of 2 objects', '{ name: one: rejects 1 of 1 object']);
  });
});

describe('In the CEL of a rule of berth.yaml', () => {
  const labels = (expression: string, more = ''): readonly string[] => {
    const text = `rules:\n  - name: x\n    expression: ${expression}\n    ${more}\n`;
    const offset = text.indexOf('|');
    const completion = analysed({ 'berth.yaml': text.replace('|', '') }).completion(configuration, offset);
    return completion.items.map(it => it.label);
  };
  const deployments = 'select: { kinds: [Deployment] }';

  it.each<readonly [string, string, readonly string[], string]>([
    ['object.|', deployments, ['metadata', 'spec', 'status'], 'data'],
    ['object.spec.|', deployments, ['replicas', 'strategy'], 'containers'],
    ['object.spec.re|', deployments, ['replicas'], 'containers'],
    ['object.metadata.|', '', ['labels', 'name'], 'replicas'],
    ['pod.|', '', ['containers', 'nodeSelector'], 'replicas'],
    ['pod.containers[0].|', '', ['image', 'resources'], 'containers'],
    ['pod.containers.all(c, c.|)', '', ['image', 'securityContext'], 'containers'],
    ['pod.containers.all(c, c.ports.exists(p, p.|', '', ['containerPort', 'hostPort'], 'image'],
    ['size(object.metadata.name) > 2 && object.spec.template.spec.|', deployments, ['containers'], 'template'],
  ])('%s has the fields of its kind', (expression, more, wanted, other) => {
    const found = labels(`'${expression}'`, more);
    expect(found).toEqual(expect.arrayContaining([...wanted]));
    expect(found).not.toContain(other);
  });

  it('nothing is completed for unknown types', () => {
    expect(labels("'nobody.|'")).toEqual([]);
    expect(labels("'object.spec.replicas.|'", deployments)).toEqual([]);
  });
});

describe('Tests of the rules of berth.yaml', () => {
  const reported = (tests: string): readonly string[] => {
    const files = new Map([['berth.yaml', `rules:\n  - ${two}    message: run two\n    tests:\n${tests}`]]);
    return runPropertyTests(files, { readPack }).flatMap(it => it.tests.map(test => `${test.name} ${test.outcome}`));
  };
  const test = (replicas: string, expectation: string, kind = 'Deployment') =>
    `      - { object: { apiVersion: apps/v1, kind: ${kind}, spec: { ${replicas} } }, ${expectation} }\n`;

  it.each([
    ['rules: [{ name: a, expect: ', /^line 1: /],
    ['rules:\n  - { name: a, tests: 3 }\n', /^line 2: rules\[0\]/],
  ])('fail where the configuration %j is wrong', (text, message) => {
    const suites = runPropertyTests(new Map([['berth.yaml', text]]), { readPack });
    expect(suites).toMatchObject([{ tests: [{ outcome: 'error', message: expect.stringMatching(message) }] }]);
  });

  it.each([
    ['replicas: 2', 'expect: holds', 'pass'],
    ['replicas: 1', 'expect: holds', 'fail'],
    ['replicas: 1', 'expect: fails', 'pass'],
    ['replicas: 1', 'expect: fails, message: run two', 'pass'],
    ['replicas: 1', 'expect: fails, message: run three', 'fail'],
    ['replicas: 1', 'expect: skips', 'fail'],
    ['', 'expect: fails', 'error'],
  ])('of %s with %s: %s', (replicas, expectation, outcome) => {
    expect(reported(test(replicas, expectation))).toEqual([`two/1 ${outcome}`]);
  });

  it('may expect that a rule does not apply, and have names', () => {
    expect(reported(test('replicas: 1', 'expect: skips, name: others', 'StatefulSet'))).toEqual(['two/others pass']);
  });

  it('are reported when they are malformed', () => {
    const text = `rules:\n  - ${two}    tests:\n      - { expect: maybe, object: { kind: Pod }, because: x }\n      - { expect: holds }\n`;
    const problems = analysed({ 'berth.yaml': text }).diagnostics(configuration);
    expect(problems.map(it => it.message).toSorted()).toEqual([
      'rules[0].tests[0].because is not one of: name, object, expect, message.',
      'rules[0].tests[0].expect must be one of: holds, fails, skips.',
      'rules[0].tests[1] needs an object: a manifest.',
    ]);
    expect(reported('      - { expect: maybe, object: { kind: Pod } }\n')).toEqual(['berth.yaml error']);
  });
});
