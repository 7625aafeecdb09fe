import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { policyProblem } from '../../../server/src/policy/result';
import { snapshotOf } from '../../support/check';
import { kyvernoSetOf } from '../../support/kyvernoSet';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);

/** `file:field: severity code: message` of all problems, with the underlined text. */
async function reported(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const set = kyvernoSetOf(snapshotOf(files), kube);
  if (set === undefined) return [];
  const { results } = await set.check();
  const answers = await set.evaluate(set.objects());
  const all = [...results, ...answers.flatMap(it => it.results), ...set.runtimeProblems().results];
  return all.flatMap(it => {
    const problem = policyProblem(it);
    if (problem === undefined) return [];
    const { uri, fieldPath, severity, code, message, span } = problem;
    const underlined = (files[uri] ?? '').slice(span.start, span.end).split('\n')[0];
    return [`${uri}:${fieldPath}: ${severity} ${code}: ${message} <${underlined}>`];
  });
}

const policy = (name: string, rules: string, spec = ''): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: ${name} }
spec:
${spec === '' ? '' : `  ${spec}\n`}  rules:
${rules.replace(/^/gm, '    ')}
`;

const rule = (name: string, body: string, kinds = 'Pod'): string =>
  `- name: ${name}\n  match: { any: [{ resources: { kinds: [${kinds}] } }] }\n${body.replace(/^/gm, '  ')}`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: prod }
spec:
  containers:
    - name: web
      image: nginx:latest
`;

describe('policy results of a workspace', () => {
  it('include 64-bit numbers of a policy', async () => {
    const big = rule(
      'big',
      'validate: { message: Too many., pattern: { spec: { priority: "<18446744073709551615" } } }',
    );
    const number = rule('number', 'validate: { message: Not so., pattern: { spec: { priority: 9007199254740993 } } }');
    expect(await reported({ 'a.yaml': pod, 'p.yaml': policy('big', `${big}\n${number}`) })).toEqual(
      expect.arrayContaining([expect.stringContaining('Not so.')]),
    );
  });

  it('accept a policy named like a property of every JavaScript object', async () => {
    const strange = 'apiVersion: policies.kyverno.io/v1\nkind: constructor\nmetadata: { name: a }\nspec: {}\n';
    const tag = rule('tag', 'validate: { message: No., pattern: { spec: { hostname: "?*" } } }');
    const all = await reported({ 'a.yaml': pod, 's.yaml': strange, 'p.yaml': policy('tags', tag) });
    expect(all).toEqual([expect.stringContaining('warning kyverno/tags')]);
  });

  it('underline the field that Kyverno names, with the severity of the failure action', async () => {
    const tag = rule(
      'tag',
      'validate: { message: No latest., pattern: { spec: { containers: [{ image: "!*:latest" }] } } }',
    );
    expect(
      await reported({ 'a.yaml': pod, 'p.yaml': policy('tags', tag, 'validationFailureAction: Enforce') }),
    ).toEqual([
      'a.yaml:spec.containers[0].image: error kyverno/tags: validation error: No latest. rule tag failed at path /spec/containers/0/image/ <nginx:latest>',
    ]);
    const overridden = `validationFailureAction: Enforce\n  validationFailureActionOverrides: [{ action: Audit, namespaces: [pro?] }]`;
    expect((await reported({ 'a.yaml': pod, 'p.yaml': policy('tags', tag, overridden) }))[0]).toContain(
      'warning kyverno/tags',
    );
  });

  it('evaluate the object with defaults and after other policies have changed it', async () => {
    const always = rule('always', 'validate: { pattern: { spec: { containers: [{ imagePullPolicy: Always }] } } }');
    const labelled = rule('labelled', 'validate: { pattern: { metadata: { labels: { team: "?*" } } } }');
    const adds = policy(
      'adds',
      rule('team', 'mutate: { patchStrategicMerge: { metadata: { labels: { +(team): none } } } }'),
    );
    expect(await reported({ 'a.yaml': pod, 'p.yaml': policy('p', `${always}\n${labelled}`), 'm.yaml': adds })).toEqual(
      [],
    );
    expect(await reported({ 'a.yaml': pod, 'p.yaml': policy('p', labelled) })).toHaveLength(1);
  });

  it('show what mutate rules change', async () => {
    const adds = policy(
      'adds',
      rule('team', 'mutate: { patchStrategicMerge: { metadata: { labels: { +(team): none } } } }'),
    );
    const set = kyvernoSetOf(snapshotOf({ 'a.yaml': pod, 'm.yaml': adds }), kube);
    const [answer] = (await set?.evaluate(set.objects())) ?? [];
    expect(answer?.mutations).toMatchObject([{ policy: 'adds', changes: [{ after: { team: 'none' } }] }]);
  });

  it('do not depend on which file of policies was created first', async () => {
    const adds = (name: string) =>
      policy(name, rule('team', `mutate: { patchStrategicMerge: { metadata: { labels: { +(team): ${name} } } } }`));
    const teamOf = async (files: Readonly<Record<string, string>>) => {
      const set = kyvernoSetOf(snapshotOf(files), kube);
      const [answer] = (await set?.evaluate(set.objects())) ?? [];
      return answer?.mutations.map(it => it.changes.map(({ after }) => after));
    };
    const [first, second] = [adds('one'), adds('two')];
    const teams = await teamOf({ 'a.yaml': pod, 'b.yaml': first, 'c.yaml': second });
    expect(teams).toEqual([[{ team: 'one' }]]);
    expect(await teamOf({ 'c.yaml': second, 'b.yaml': first, 'a.yaml': pod })).toEqual(teams);
  });

  it('use ConfigMaps and Namespaces of the workspace, and report nothing without them', async () => {
    const deny = rule(
      'deny',
      "context: [{ name: c, configMap: { name: c, namespace: ops } }]\nvalidate: { message: Refused., deny: { conditions: { any: [{ key: '{{ request.object.spec.containers[].name }}', operator: AnyIn, value: '{{ c.data.names }}' }] } } }",
    );
    const config =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: ops }\ndata: { names: \'["web"]\' }\n';
    expect(await reported({ 'a.yaml': pod, 'p.yaml': policy('p', deny) })).toEqual([]);
    expect(await reported({ 'a.yaml': pod, 'p.yaml': policy('p', deny), 'c.yaml': config })).toEqual([
      'a.yaml:spec.containers: warning kyverno/p: Refused. <- name: web>',
    ]);
  });

  it('answer API calls from the workspace', async () => {
    const asks = rule(
      'asks',
      "context: [{ name: team, apiCall: { urlPath: '/api/v1/namespaces/{{ request.namespace }}', jmesPath: metadata.labels.team } }]\nvalidate: { message: 'Team {{ team }} has no web.', deny: { conditions: { any: [{ key: '{{ team }}', operator: Equals, value: a }] } } }",
    );
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: prod, labels: { team: a } }\n';
    const ofPod = async (files: Readonly<Record<string, string>>) =>
      (await reported({ 'a.yaml': pod, 'p.yaml': policy('p', asks), ...files })).filter(it => it.startsWith('a.yaml'));
    expect(await ofPod({})).toEqual([]);
    expect(await ofPod({ 'n.yaml': namespace })).toEqual(['a.yaml:kind: warning kyverno/p: Team a has no web. <Pod>']);
  });

  it('locate a label whose key contains a slash', async () => {
    const label = rule('label', 'validate: { pattern: { metadata: { labels: { app.io/team: "?*" } } } }');
    const labelled = pod.replace('namespace: prod', 'namespace: prod, labels: { a: b }');
    const [problem] = await reported({ 'a.yaml': labelled, 'p.yaml': policy('p', label) });
    expect(problem).toContain('a.yaml:metadata.labels[app.io/team]: warning');
  });

  it('limit a Policy to its own namespace', async () => {
    const own = (namespace: string) =>
      policy('p', rule('r', 'validate: { pattern: { metadata: { labels: { a: b } } } }'))
        .replace('ClusterPolicy', 'Policy')
        .replace('{ name: p }', `{ name: p, namespace: ${namespace} }`);
    expect(await reported({ 'a.yaml': pod, 'p.yaml': own('prod') })).toHaveLength(1);
    expect(await reported({ 'a.yaml': pod, 'p.yaml': own('other') })).toEqual([]);
  });

  it('report an endless rule once, at the policy', async () => {
    const each = 'list: "request.object.spec.containers[].env[]"';
    const endless = rule(
      'endless',
      `validate: { foreach: [{ ${each}, foreach: [{ ${each}, deny: { conditions: { all: [{ key: a, operator: Equals, value: b }] } } }] }] }`,
    );
    const env = Array.from({ length: 3000 }, (_, i) => `        - { name: A${i}, value: "${i}" }`).join('\n');
    const big = `${pod}      env:\n${env}\n`;
    const problems = await reported({ 'a.yaml': big, 'p.yaml': policy('p', endless) });
    expect(problems.filter(it => it.includes('kyverno/p:'))).toEqual([
      'p.yaml:spec.rules[0].name: error kyverno/p: stopped: the rule takes more steps than one rule may take here <endless>',
    ]);
  });

  it('link to the rule, also after an earlier rule was stopped, and from an autogen rule', async () => {
    const all = 'object.spec.containers[0].env.all';
    const cubic = `validate: { cel: { expressions: [{ expression: "${all}(a, ${all}(b, ${all}(c, a.name != b.value || b.name != c.value)))" }] } }`;
    const env = Array.from({ length: 300 }, (_, i) => `        - { name: A${i}, value: "${i}" }`).join('\n');
    const plain = rule('plain', 'validate: { pattern: { metadata: { labels: { a: b } } } }');
    const template = '{ metadata: {}, spec: { containers: [{ name: a, image: a }] } }';
    const files = {
      'a.yaml': `${pod}      env:\n${env}\n`,
      'b.yaml': pod.replace('name: web', 'name: other'),
      'c.yaml': `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: d }\nspec: { selector: {}, template: ${template} }\n`,
      'p.yaml': policy('p', `${rule('cubic', cubic)}\n${plain}`),
    };
    const set = kyvernoSetOf(snapshotOf(files), kube);
    const answers = (await set?.evaluate(set.objects())) ?? [];
    const failed = answers.flatMap(it => it.results).filter(it => it.outcome === 'fail');
    expect(failed.map(it => [it.location.object.manifest.uri, it.rule, it.source?.at.toString()])).toEqual([
      ['a.yaml', 'plain', 'spec.rules[1].name'],
      ['b.yaml', 'plain', 'spec.rules[1].name'],
      ['c.yaml', 'autogen-plain', 'spec.rules[1].name'],
    ]);
  });
});

it('stop an endless expression, too', async () => {
  const env = Array.from({ length: 300 }, (_, i) => `        - { name: A${i}, value: "${i}" }`).join('\n');
  const all = 'object.spec.containers[0].env.all';
  const cubic = `validate: { cel: { expressions: [{ expression: "${all}(a, ${all}(b, ${all}(c, a.name != b.value || b.name != c.value)))" }] } }`;
  const problems = await reported({
    'a.yaml': `${pod}      env:\n${env}\n`,
    'p.yaml': policy('p', rule('cubic', cubic)),
  });
  expect(problems).toEqual([
    'p.yaml:spec.rules[0].name: error kyverno/p: stopped: the rule takes more steps than one rule may take here <cubic>',
  ]);
});

describe('what Kyverno accepts', () => {
  it('an empty name, often mistaken for an empty text', async () => {
    const conditions = `preconditions: { all: [{ key: '{{ request.object.metadata.labels.a || "" }}', operator: Equals, value: x }] }`;
    const problems = await reported({
      'p.yaml': policy('p', rule('r', `${conditions}\nvalidate: { pattern: { a: b } }`)),
    });
    expect(problems).toEqual([]);
  });

  it.each([
    ['pods', 'Pod'],
    ['Pods', 'Pod'],
    ['apps/v1/deployment', 'Deployment'],
    ['networkpolicies', 'NetworkPolicy'],
  ])('%s for a kind, with which a rule matches nothing', async (written, kind) => {
    const problems = await reported({ 'p.yaml': policy('p', rule('r', 'validate: { pattern: { a: b } }', written)) });
    const name = written.split('/').at(-1);
    expect(problems).toEqual([
      `p.yaml:spec.rules[0].match.any[0].resources.kinds[0]: warning kyverno/policy-ineffective: There is no kind "${name}", so that this matches nothing; did you mean "${kind}"? <${written}>`,
    ]);
  });

  it.each(['Pod', 'v1/Pod', 'Pod/exec', 'Rollout', 'example.com/v1/pod', '"P?d"'])('%s for a kind', async written => {
    const problems = await reported({ 'p.yaml': policy('p', rule('r', 'validate: { pattern: { a: b } }', written)) });
    expect(problems).toEqual([]);
  });

  it('a policy without a spec, which its schema reports', async () => {
    const p = 'apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: { name: p }\n';
    expect(await reported({ 'p.yaml': p })).toEqual([]);
    expect(await reported({ 'p.yaml': `${p}spec: { rules: [] }\n` })).toHaveLength(1);
  });
});

describe('what Kyverno rejects in a policy', () => {
  const cases: readonly (readonly [name: string, rule: string, spec: string, problem: string])[] = [
    [
      'an unknown variable',
      rule(
        'r',
        "validate: { deny: { conditions: { any: [{ key: '{{ unknown.a }}', operator: Equals, value: 1 }] } } }",
      ),
      '',
      'spec.rules[0].validate.deny.conditions.any[0].key: error kyverno/policy-refused: Kyverno refuses this policy: Variable {{ unknown.a }} must match',
    ],
    [
      'wrong syntax',
      rule('r', "validate: { message: '{{ request.object.[ }}', pattern: { a: b } }"),
      '',
      'spec.rules[0].validate.message: error kyverno/policy-refused: Kyverno refuses this policy: incorrect query request.object.[',
    ],
    [
      'an unknown function',
      rule('r', "validate: { message: '{{ shout(request.object.kind) }}', pattern: { a: b } }"),
      '',
      'Kyverno has no JMESPath function shout',
    ],
    [
      'an unknown operator',
      rule('r', 'validate: { deny: { conditions: { any: [{ key: a, operator: Near, value: 1 }] } } }'),
      '',
      'spec.rules[0].validate.deny.conditions.any[0].operator: error kyverno/policy-refused: Kyverno refuses this policy: There is no operator Near',
    ],
    ['two ways to check', rule('r', 'validate: { pattern: { a: b }, deny: {} }'), '', 'here are pattern and deny'],
    [
      'two operations',
      rule('r', 'validate: { pattern: { a: b } }\nmutate: { patchStrategicMerge: {} }'),
      '',
      'here are validate and mutate',
    ],
    [
      'an element outside of a loop',
      rule('r', "validate: { message: '{{ element.name }}', pattern: { a: b } }"),
      '',
      'Variable element is present outside of foreach',
    ],
    [
      'a control that does not exist',
      rule('r', 'validate: { podSecurity: { level: baseline, exclude: [{ controlName: Everything }] } }'),
      '',
      'spec.rules[0].validate.podSecurity.exclude[0].controlName: error',
    ],
    [
      'all kinds in the background',
      rule('r', 'validate: { pattern: { metadata: { a: b } } }', '"*"'),
      '',
      'is not allowed in background mode',
    ],
    [
      'pod security of all kinds',
      rule('r', 'validate: { podSecurity: { level: baseline } }', '"*"'),
      'background: false',
      'does not support this type of rule',
    ],
    [
      'who asks, in the background',
      rule('r', "validate: { message: '{{ request.userInfo.username }}', pattern: { a: b } }"),
      '',
      'is about who asks',
    ],
    [
      'an entry that hides a variable',
      rule('r', 'context: [{ name: request, variable: { value: 1 } }]\nvalidate: { pattern: { a: b } }'),
      '',
      'conflicts with the predefined variable request',
    ],
    [
      'any and all',
      '- name: r\n  match: { any: [{ resources: { kinds: [Pod] } }], all: [{ resources: { kinds: [Pod] } }] }\n  validate: { pattern: { a: b } }',
      '',
      'cannot be specified together',
    ],
    [
      'an expression that does not compile',
      rule('r', 'validate: { cel: { expressions: [{ expression: "object.spec. == 1" }] } }'),
      '',
      'spec.rules[0].validate.cel.expressions[0].expression: error',
    ],
    [
      'the same name twice',
      `${rule('r', 'validate: { pattern: { a: b } }')}\n${rule('r', 'validate: { pattern: { a: b } }')}`,
      '',
      'Duplicate rule name: r',
    ],
    [
      'what only a cluster knows',
      rule('r', 'context: [{ name: c, apiCall: { urlPath: /api } }]\nvalidate: { pattern: { a: b } }'),
      '',
      'spec.rules[0].context[0].apiCall: info kyverno/policy-undecided',
    ],
  ];
  it.each(cases)('%s', async (_, rules, spec, problem) => {
    const problems = await reported({ 'p.yaml': policy('p', rules, spec) });
    expect(problems.filter(it => it.includes(problem))).toHaveLength(1);
  });

  it('is reported for no correct policy', async () => {
    const right = rule(
      'r',
      "context: [{ name: c, configMap: { name: c, namespace: d } }]\nvalidate: { message: '{{ request.object.kind }} {{ c.data.a || to_upper(`\"x\"`) }}', foreach: [{ list: 'request.object.spec.containers[?name]', context: [{ name: e, variable: { jmesPath: element.name } }], deny: { conditions: { any: [{ key: '{{ e }}{{ elementIndex }}', operator: AnyIn, value: [a] }] } } }] }",
    );
    expect(await reported({ 'p.yaml': policy('p', right) })).toEqual([]);
  });
});
