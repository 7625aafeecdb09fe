import { expect, it } from 'vitest';
import { runPolicyTests } from '../../server/src/analysis/policyTests';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { describeWithEngine, evaluated, reportedBy } from './withEngine';

const deployment = (name: string, more = '') =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name}${more} }\nspec: { replicas: 3 }\n`;

describeWithEngine('Conftest', engine => {
  const reported = async (files: Readonly<Record<string, string>>) => (await evaluated(engine, files)).reported;

  it('evaluates deny, violation and warn rules for the manifests beside and below the policy folder', async () => {
    const policy = `package main
deny contains sprintf("%s has %d at spec.replicas", [input.metadata.name, input.spec.replicas]) if input.spec.replicas > 2
warn_old contains "old" if input.kind == "Deployment"
violation contains {"msg": "no labels", "why": "they are wanted"} if not input.metadata.labels
`;
    const files = {
      'app/policy/p.rego': policy,
      'app/deep/d.yaml': deployment('web'),
      'else/d.yaml': deployment('web'),
    };
    expect(await reported(files)).toEqual(
      [
        'app/deep/d.yaml:3:1 «metadata» error conftest/violation no labels',
        'app/deep/d.yaml:2:7 «Deployment» warning conftest/warn_old old',
        'app/deep/d.yaml:4:9 «replicas: 3» error conftest/deny web has 3 at spec.replicas',
      ].sort(byPlace),
    );
  });

  it('links to the rule of a finding', async () => {
    const policy = 'package main\n\ndeny contains "first" if false\n\ndeny contains "second" if true\n';
    const { host } = await evaluated(engine, { 'policy/p.rego': policy, 'd.yaml': deployment('web') });
    const problem = host
      .analysis()
      .diagnostics('d.yaml')
      .find(it => it.code === 'conftest/deny');
    const [related] = problem?.related ?? [];
    expect(policy.slice(related?.span.start, related?.span.end)).toBe('deny contains "second" if true');
  });

  it('removes what an exception excludes', async () => {
    const policy = `package main
deny_many contains "too many" if input.spec.replicas > 2
exception contains ["many"] if input.metadata.labels.load == "test"
`;
    const files = (more: string) => ({ 'policy/p.rego': policy, 'd.yaml': deployment('web', more) });
    expect(await reported(files(''))).toHaveLength(1);
    expect(await reported(files(', labels: { load: test }'))).toEqual([]);
  });

  it('evaluates all packages when none is named main', async () => {
    const policy = 'package team.rules\ndeny contains "no" if input.kind == "Deployment"\n';
    expect(await reported({ 'policy/p.rego': policy, 'd.yaml': deployment('web') })).toEqual([
      'd.yaml:2:7 «Deployment» error conftest/team.rules.deny no',
    ]);
  });

  it('underlines Rego that does not parse or compile', async () => {
    const broken = 'package main\ndeny contains x if { x := "🐳"; y == z }\n';
    expect(await reported({ 'policy/p.rego': broken, 'd.yaml': deployment('web') })).toEqual([
      'policy/p.rego:2:33 «y» error conftest/rego_unsafe_var_error rego_unsafe_var_error: var y is unsafe',
      'policy/p.rego:2:38 «z» error conftest/rego_unsafe_var_error rego_unsafe_var_error: var z is unsafe',
    ]);
  });

  it('accepts Rego v0, and says that Conftest needs the option', async () => {
    const old = 'package main\ndeny[msg] { input.kind == "Deployment"; msg := "no" }\n';
    expect(await reported({ 'policy/p.rego': old, 'd.yaml': deployment('web') })).toEqual([
      'd.yaml:2:7 «Deployment» error conftest/deny no',
      expect.stringMatching(/^policy\/p\.rego:2:\d+ .* info conftest\/rego-v0 This is Rego v0/),
    ]);
  });

  it('evaluates again when the Rego changes, and forgets a removed folder', async () => {
    const policy = (message: string) => `package main\ndeny contains "${message}" if input.kind == "Deployment"\n`;
    const { host } = await evaluated(engine, { 'policy/p.rego': policy('one'), 'd.yaml': deployment('web') });
    const messages = () =>
      host
        .analysis()
        .diagnostics('d.yaml')
        .filter(it => it.code === 'conftest/deny')
        .map(it => it.message);
    host.apply({ files: [{ uri: 'policy/p.rego', text: policy('two') }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(messages()).toEqual(['two']);
    host.apply({ files: [{ uri: 'policy/p.rego', text: undefined }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(messages()).toEqual([]);
  });

  it('answers every request about a Rego file, with nothing where there is nothing', async () => {
    const { host } = await evaluated(engine, { 'policy/p.rego': 'package main\ndeny contains "x" if false\n' });
    const analysis = host.analysis();
    const uri = 'policy/p.rego';
    expect(analysis.hover(uri, 3)).toBeUndefined();
    expect(analysis.completion(uri, 3).items).toEqual([]);
    expect(analysis.foldingRanges(uri)).toEqual([]);
    expect(analysis.documentSymbols(uri)).toEqual([]);
    expect(analysis.codeLenses(uri)).toEqual([]);
    expect(analysis.documentLinks(uri)).toEqual([]);
    expect(analysis.definition(uri, 3)).toBeUndefined();
    expect(analysis.selectionRanges(uri, 3)).toEqual([]);
    expect(analysis.semanticTokens(uri, { start: 0, end: 5 })).toEqual([]);
  });

  it('reads the Rego, data and packages of berth.yaml', async () => {
    const policy =
      'package team.a\ndeny contains msg if { input.metadata.name in data.apps.banned; msg := "banned" }\n';
    const { host } = await evaluated(engine, {
      'berth.yaml': 'conftest: { policy: [rules], data: [values], namespaces: ["team.*"] }\n',
      'rules/p.rego': policy,
      'policy/other.rego': 'package main\ndeny contains "never asked" if true\n',
      'values/apps/list.yaml': 'banned: [web]\n',
      'd.yaml': deployment('web'),
    });
    host.apply({ folders: [{ uri: '', configuration: 'berth.yaml' }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual(['d.yaml:2:7 «Deployment» error conftest/team.a.deny banned']);
    host.apply({ files: [{ uri: 'values/apps/list.yaml', text: 'banned: [other]\n' }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual([]);
  });

  it('runs test rules as conftest verify does', async () => {
    const policy = `package main
deny contains "no" if input.kind == "Deployment"
`;
    const tests = `package main_test
import data.main
test_refused if "no" in main.deny with input as {"kind": "Deployment"}
test_wrong if "no" in main.deny with input as {"kind": "Pod"}
`;
    const files = new Map([
      ['policy/p.rego', policy],
      ['policy/p_test.rego', tests],
    ]);
    const [suite] = await runPolicyTests(files, engine);
    expect(suite?.tests.map(it => [it.name, it.outcome])).toEqual([
      ['data.main_test.test_refused', 'pass'],
      ['data.main_test.test_wrong', 'fail'],
    ]);
  });
});

function byPlace(a: string, b: string): number {
  const line = (it: string) => Number(it.split(':')[1]);
  return line(a) - line(b);
}
