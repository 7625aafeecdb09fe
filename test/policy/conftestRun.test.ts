import { expect, it } from 'vitest';
import { runPolicyTests } from '../../server/src/analysis/policyTests';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { describeWithEngine, evaluated, reportedBy } from './withEngine';

const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;
const rego = (body: string) => `package main\n\n${body}\n`;

describeWithEngine('Conftest as its configuration says', engine => {
  const reported = async (files: Readonly<Record<string, string>>) => (await evaluated(engine, files)).reported;

  it('reads the folders, packages and data of conftest.toml', async () => {
    const files = {
      'app/conftest.toml': 'policy = "rego"\nnamespace = "team.*"\ndata = ["values", "one.json"]\n',
      'app/rego/p.rego': 'package team.a\ndeny contains sprintf("%v %v", [data.sub, data.n]) if input.kind == "Pod"\n',
      'app/rego/q.rego': 'package main\ndeny contains "never asked"\n',
      'app/policy/r.rego': rego('deny contains "not this folder"'),
      'app/values/sub/list.yaml': '[yes, 1.0]\n',
      'app/one.json': '{ "n": 1e2 }',
      'app/pod.yaml': pod('web'),
      'pod.yaml': pod('elsewhere'),
    };
    // OPA reads data with a different YAML version than manifests, in which `yes` would be true.
    expect(await reported(files)).toEqual(['app/pod.yaml:2:7 «Pod» error conftest/team.a.deny ["yes", 1] 100']);
  });

  it.each([
    ['', ['error conftest/deny d', 'warning conftest/warn w']],
    ['fail-on-warn = true', ['error conftest/deny d', 'error conftest/warn w']],
    ['no-fail = true\nfail-on-warn = true', ['warning conftest/deny d', 'warning conftest/warn w']],
    ['ignore = "(?i)^POD"', []],
  ])('applies the severities and exclusions of conftest.toml: %s', async (config, expected) => {
    const policy = rego('deny contains "d"\nwarn contains "w"');
    const found = await reported({ 'conftest.toml': config, 'policy/p.rego': policy, 'pod.yaml': pod('web') });
    expect(found.map(it => it.replace('pod.yaml:2:7 «Pod» ', ''))).toEqual(expected);
  });

  it.each([
    ['policy = "no"', '«"no"» error conftest/configuration There is no Rego in no, which Conftest would read.'],
    ['ignore = "("', '«"("» error conftest/configuration ignore_error: error parsing regexp: missing closing ): `(`'],
    ['nope = 1', '«nope» warning conftest/configuration Conftest has no option `nope`.'],
    [
      'strict = tru',
      '«t» error conftest/configuration This is no TOML: unexpected character; a value is a text in quotes',
    ],
  ])('reports mistakes in conftest.toml: %s', async (config, expected) => {
    const policy = rego('deny contains "d" if input.kind == "Service"');
    const [first] = await reported({ 'conftest.toml': config, 'policy/p.rego': policy, 'pod.yaml': pod('web') });
    expect(first).toContain(expected);
  });

  it('uses the configured Rego version, strictness and capabilities', async () => {
    const capabilities = '{ "builtins": [], "features": ["rego_v1"] }';
    const old = 'package main\ndeny[m] { m := "old" }\n';
    const ask = (config: string, policy: string) =>
      reported({ 'conftest.toml': config, 'policy/p.rego': policy, 'pod.yaml': pod('web'), 'caps.json': capabilities });
    expect(await ask('rego-version = "v0"', old)).toEqual(['pod.yaml:2:7 «Pod» error conftest/deny old']);
    expect((await ask('rego-version = "v1"', old))[0]).toMatch(
      /^policy\/p\.rego:2:1 .* error conftest\/rego_parse_error/,
    );
    expect(await ask('strict = true', rego('deny contains "x" if y := 1'))).toEqual([
      'policy/p.rego:3:22 «y» error conftest/rego_compile_error rego_compile_error: assigned var y unused',
    ]);
    expect(await ask('capabilities = "caps.json"', rego('deny contains upper(input.kind)'))).toEqual([
      'policy/p.rego:3:15 «upper» error conftest/rego_type_error rego_type_error: undefined function upper',
    ]);
  });

  it('evaluates all documents together, and locates the object of a finding', async () => {
    const policy = rego(`deny contains msg if {
  some a, b
  input[a].contents.metadata.name == input[b].contents.metadata.name
  input[a].path < input[b].path
  msg := sprintf("Pod %s is in %s and in %s", [input[a].contents.metadata.name, input[a].path, input[b].path])
}
warn contains sprintf("%d documents", [count(input)])`);
    const files = {
      'policy/p.rego': policy,
      'one.yaml': `${pod('web')}---\n${pod('db')}`,
      'two.yaml': pod('web'),
    };
    const twice = 'Pod web is in one.yaml and in two.yaml';
    const { host } = await evaluated(engine, { ...files, 'berth.yaml': 'conftest: { combine: true }\n' });
    host.apply({ folders: [{ uri: '', configuration: 'berth.yaml' }] });
    await iterateToEnd(host.evaluatePolicies([]));
    const both = [
      `one.yaml:2:7 «Pod» error conftest/deny ${twice}`,
      'policy/p.rego:9:1 «warn contains sprintf("%d documents", [count(input)])» warning conftest/warn 3 documents',
    ];
    expect(reportedBy(host)).toEqual(both);
    expect(await reported({ ...files, 'conftest.toml': 'combine = true\n' })).toEqual(both);
    host.apply({ files: [{ uri: 'two.yaml', text: pod('cache') }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host).map(it => it.replace(/.* warning /, ''))).toEqual(['conftest/warn 3 documents']);
  });
});

describeWithEngine('What Conftest sees', engine => {
  const reported = async (files: Readonly<Record<string, string>>) => (await evaluated(engine, files)).reported;

  it('has the numbers, texts and keys of sigs.k8s.io/yaml', async () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: all }
data:
  a: 1000000
  b: 0x1F
  c: 010
  d: 12345678901234567890
  e: 1.0
  f: 2001-12-14t21:59:43.10-05:00
  y: off
  h: 1:30
  k: 1
  k: 2
  z: |
    end
---
apiVersion: v1
kind: Pod
`;
    const policy = rego('deny contains sprintf("%v", [input.data])');
    expect(await reported({ 'policy/p.rego': policy, 'all.yaml': text })).toEqual([
      'all.yaml:2:7 «ConfigMap» error conftest/deny {"a": 1e+06, "b": 31, "c": 8, "d": 1.2345678901234567e+19, "e": 1, "f": "2001-12-14t21:59:43.10-05:00", "h": "1:30", "k": 2, "true": false, "z": "end"}',
    ]);
  });

  it('is a List as a whole, with results at its items', async () => {
    const list = `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Pod, metadata: { name: good } }
  - { apiVersion: v1, kind: Pod, metadata: { name: bad } }
`;
    const policy = rego(`deny contains sprintf("Pod %s is in a %s", [it.metadata.name, input.kind]) if {
  some it in input.items
  it.metadata.name == "bad"
}
warn contains "a Pod alone" if input.kind == "Pod"`);
    const { host, reported } = await evaluated(engine, { 'policy/p.rego': policy, 'list.yaml': list });
    expect(reported).toEqual(['list.yaml:5:29 «Pod» error conftest/deny Pod bad is in a List']);
    host.apply({ files: [{ uri: 'list.yaml', text: list.replace('name: good', 'name: fine') }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual(reported);
  });

  it('excludes documents after an unsupported separator, and Berth reports it', async () => {
    const policy = rego('deny contains input.metadata.name');
    const text = `${pod('one')}--- # comment\n${pod('two')}---\n${pod('three')}`;
    const unseen =
      'Conftest does not see this document, so that no policy was asked about it: it splits files at lines that are `---` and nothing else.';
    expect(await reported({ 'policy/p.rego': policy, 'pods.yaml': text })).toEqual([
      'pods.yaml:2:7 «Pod» error conftest/deny one',
      `pods.yaml:6:7 «Pod» info conftest/unseen-document ${unseen}`,
      'pods.yaml:10:7 «Pod» error conftest/deny three',
    ]);
  });

  it('evaluates a document without an object again when that alone changes, also inside a List', async () => {
    const policy = rego('deny contains "no labels" if not input.metadata.labels');
    const first = pod('one').replace('}', ', labels: {} }');
    const list = (more: string) =>
      `apiVersion: v1\nkind: List\nmetadata: {${more}}\nitems:\n  - ${first.replaceAll('\n', '\n    ')}\n`;
    const texts = [
      `${first}---\nreplicas: 3\nmetadata: { labels: {} }\n`,
      `${first}---\nreplicas: 3\n`,
      list(' labels: {} '),
      list(''),
    ];
    const { host } = await evaluated(engine, { 'policy/p.rego': policy, 'pods.yaml': first });
    const counts: number[] = [];
    for (const text of [...texts, ...texts]) {
      host.apply({ files: [{ uri: 'pods.yaml', text }] });
      await iterateToEnd(host.evaluatePolicies([]));
      counts.push(reportedBy(host).length);
    }
    expect(counts).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });

  it('includes empty documents, which Berth reports at the nearest object', async () => {
    const policy = rego('deny contains "no labels" if not input.metadata.labels');
    const text = `# A comment alone\n---\n${pod('one').replace('}', ', labels: {} }')}---\nreplicas: 3\n`;
    const about = (what: string) => `pods.yaml:4:7 «Pod» error conftest/deny no labels (said of ${what})`;
    expect(await reported({ 'policy/p.rego': policy, 'pods.yaml': text })).toEqual([
      about('an empty document of this file, which Conftest tests as well'),
      about('a document of this file that is no object of Kubernetes'),
    ]);
  });

  it('of a file is its name and its folder, relative to where Conftest runs', async () => {
    const policy = rego('deny contains sprintf("%v", [data.conftest.file])');
    expect(await reported({ 'app/policy/p.rego': policy, 'app/deep/pod.yaml': pod('web') })).toEqual([
      'app/deep/pod.yaml:2:7 «Pod» error conftest/deny {"dir": "/deep", "name": "pod.yaml"}',
    ]);
  });
});

describeWithEngine('The functions of Conftest', engine => {
  it('parse texts, and files of the workspace beside the Rego', async () => {
    const policy = rego(`deny contains sprintf("%v", [parse_config("yaml", "a: [yes]\\n---\\nb: 1000000\\n")])
deny contains sprintf("%v", [parse_config("json", "{}")])
warn contains sprintf("%v", [parse_config_file("../base/values.yaml")])
warn contains sprintf("%v", [parse_combined_config_files(["../base/values.yaml", "../pod.yaml"])])`);
    const files = { 'policy/p.rego': policy, 'pod.yaml': pod('web'), 'base/values.yaml': 'size: 3\n' };
    const { host, reported } = await evaluated(engine, files);
    const messages = (all: readonly string[]) => all.map(it => it.replace(/.* conftest\/\w+ /, '')).sort();
    const combined = (size: number) =>
      `[{"contents": {"size": ${size}}, "path": "base/values.yaml"}, {"contents": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}, "path": "pod.yaml"}]`;
    const parsed = ['[{"a": [true]}, {"b": 1e+06}]', '{}'];
    expect(messages(reported)).toEqual([...parsed, '{"size": 3}', combined(3)].sort());
    host.apply({ files: [{ uri: 'base/values.yaml', text: 'size: 4\n' }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(messages(reportedBy(host))).toEqual([...parsed, '{"size": 4}', combined(4)].sort());
  });

  it('read nothing else, and Berth reports the requested files', async () => {
    const policy = rego(`warn contains "read" if parse_config_file("../../../etc/passwd.yaml")
deny contains "no such file" if not parse_config_file("/etc/hosts.json")`);
    const { reported } = await evaluated(engine, { 'policy/p.rego': policy, 'pod.yaml': pod('web') });
    expect(reported).toEqual([
      'pod.yaml:2:7 «Pod» error conftest/deny no such file',
      expect.stringMatching(
        /^policy\/p\.rego:3:\d+ «parse_config_file» info conftest\/reads-files .*etc\/passwd\.yaml/,
      ),
      expect.stringMatching(/^policy\/p\.rego:3:\d+ «parse_config_file» info conftest\/reads-files .*etc\/hosts\.json/),
    ]);
  });

  it('that request files without end stop only their rule', async () => {
    const policy = rego(`deny contains "x" if {
  every n in numbers.range(1, 200) { parse_config_file(sprintf("../f%d.yaml", [n])) }
}
warn contains "w"`);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`f${i + 1}.yaml`, 'a: 1\n']));
    const { reported } = await evaluated(engine, { 'policy/p.rego': policy, 'pod.yaml': pod('web'), ...many });
    expect(reported).toEqual([
      'pod.yaml:2:7 «Pod» warning conftest/warn w',
      expect.stringMatching(
        /^policy\/p\.rego:3:1 .* error conftest\/deny .*no longer asked: it reads more than 50 files one after the other\.$/,
      ),
    ]);
  });

  it('for other formats leave their rule unevaluated, and Berth reports which', async () => {
    const policy = rego(
      'deny contains "x" if parse_config("hcl2", "a {}")\nwarn contains "f" if parse_config_file("Dockerfile")\nwarn_ok contains "ok"',
    );
    const { reported } = await evaluated(engine, { 'policy/p.rego': policy, 'pod.yaml': pod('web') });
    expect(reported).toEqual([
      'pod.yaml:2:7 «Pod» warning conftest/warn_ok ok',
      'policy/p.rego:3:22 «parse_config» info conftest/deny parse_config: Berth parses YAML and JSON for policies, not hcl2. The rule is not asked.',
      'policy/p.rego:4:22 «parse_config_file» info conftest/warn parse_config_file: Berth parses YAML and JSON for policies, not Dockerfile. The rule is not asked.',
    ]);
  });

  it('exist in Rego tests, with the data and packages of conftest.toml', async () => {
    const files = new Map([
      ['conftest.toml', 'data = "values"\nnamespace = "m*"\n'],
      ['values/v.yaml', 'limit: 3\n'],
      ['pod.yaml', pod('web')],
      ['policy/p.rego', rego('deny contains "x" if input.kind == "Pod"')],
      [
        'policy/p_test.rego',
        `package main
test_file if deny with input as parse_config_file("../pod.yaml")
test_limit if data.limit == 4
test_print if { print("seen", data.limit); false }
todo_test_later if false
`,
      ],
      ['policy/q_test.rego', 'package other\ntest_never_told if false\n'],
    ]);
    const [suite] = await runPolicyTests(files, engine);
    expect(suite?.uri).toBe('policy');
    expect(suite?.tests.map(it => [it.name, it.outcome, it.message])).toEqual([
      ['data.main.test_file', 'pass', undefined],
      ['data.main.test_limit', 'fail', 'policy/p_test.rego:3'],
      ['data.main.test_print', 'fail', 'policy/p_test.rego:4; seen 3'],
      ['data.main.todo_test_later', 'skip', 'policy/p_test.rego:5'],
    ]);
  });
});

describeWithEngine('A rule of Conftest that cannot be evaluated', engine => {
  const reported = async (files: Readonly<Record<string, string>>) => (await evaluated(engine, files)).reported;

  it('is reported at the object with a link to the Rego, and the other rules are evaluated', async () => {
    const policy = rego(`f := 1 if input.kind
f := 2 if input.metadata.name == "a"
deny contains sprintf("%v", [f])
warn contains "w"`);
    const { reported, host } = await evaluated(engine, {
      'policy/p.rego': policy,
      'a.yaml': pod('a'),
      'b.yaml': pod('b'),
    });
    const ofB = ['b.yaml:2:7 «Pod» error conftest/deny 1', 'b.yaml:2:7 «Pod» warning conftest/warn w'];
    expect(reported).toEqual([
      expect.stringMatching(
        /^a\.yaml:2:7 «Pod» error conftest\/deny This rule cannot be evaluated here: eval_conflict_error: .* [^\n]*$/,
      ),
      'a.yaml:2:7 «Pod» warning conftest/warn w',
      ...ofB,
    ]);
    const error = host
      .analysis()
      .diagnostics('a.yaml')
      .find(it => it.code === 'conftest/deny');
    const [source] = error?.related ?? [];
    expect(policy.slice(source?.span.start, source?.span.end)).toMatch(/^f/);
    host.apply({ files: [{ uri: 'a.yaml', text: pod('c') }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual([...ofB.map(it => it.replace('b.yaml', 'a.yaml')), ...ofB]);
  });

  it('is reported at the Rego when all documents were evaluated together', async () => {
    const files = { 'conftest.toml': 'combine = true', 'pod.yaml': pod('web') };
    const found = await reported({ ...files, 'policy/p.rego': rego('deny contains { "message": "no msg" }') });
    expect(found).toEqual([
      'policy/p.rego:3:1 «deny contains { "message": "no msg" }» error conftest/deny This rule cannot be evaluated here: deny: the field "msg" must be present and a string',
    ]);
  });

  it('is rejected where Conftest rejects it', async () => {
    const found = await reported({ 'policy/p.rego': rego('deny.root if input.kind == "Pod"'), 'pod.yaml': pod('web') });
    expect(found).toEqual([
      'policy/p.rego:3:1 «deny.root» error conftest/conftest_rule_error conftest_rule_error: deny.root is true or undefined, which says nothing; Conftest wants `deny contains MESSAGE if`',
    ]);
  });
});
