import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { withoutMutation } from '../../../server/src/policy/admission/chain';
import { kyvernoMutator } from '../../../server/src/policy/kyverno/mutator';
import { kyvernoPolicySet } from '../../../server/src/policy/kyverno/policySet';
import { runKyvernoSuites } from '../../../server/src/policy/kyverno/suite/tests';
import { workspaceWorld } from '../../../server/src/policy/kyverno/workspaceWorld';
import type { KyvernoWorld } from '../../../server/src/policy/kyverno/world';
import { policyPage } from '../../../server/src/policy/pages';
import { everywhere } from '../../../server/src/policy/scopes';
import { snapshotOf } from '../../support/check';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);

type Files = Readonly<Record<string, string>>;

/** A world that throws unexpected errors: for `broken` in a query, an expression, or a name. */
function brokenWorld(files: Files): KyvernoWorld {
  const world = workspaceWorld(kube, snapshotOf(files));
  const fail = (text: string) => {
    if (text.includes('broken')) throw new TypeError('it is not a function');
  };
  return {
    ...world,
    jmespath: {
      ...world.jmespath,
      search: (query, data, budget) => {
        fail(query);
        return world.jmespath.search(query, data, budget);
      },
    },
    policyCel: {
      ...world.policyCel,
      evaluate: (expression, variables) => {
        fail(expression);
        return world.policyCel.evaluate(expression, variables);
      },
    },
    cel: {
      ...world.cel,
      evaluate: (expression, variables) => {
        fail(expression);
        return world.cel.evaluate(expression, variables);
      },
      problemOf: expression => {
        fail(expression);
        return world.cel.problemOf(expression);
      },
    },
    namespaceLabels: name => {
      fail(name);
      return world.namespaceLabels(name);
    },
    resourceName: (group, version, kind) => {
      fail(kind.toLowerCase());
      return world.resourceName(group, version, kind);
    },
  };
}

/** `uri: rule of policy outcome: message` of all results except passes. */
async function reported(files: Files): Promise<readonly string[]> {
  const set = kyvernoPolicySet(snapshotOf(files), kube, withoutMutation(kube), everywhere, () => brokenWorld(files));
  const checked = (await set?.check())?.results ?? [];
  const answers = (await set?.evaluate(set.objects())) ?? [];
  return [...checked, ...answers.flatMap(it => it.results)]
    .filter(it => it.outcome !== 'pass' && it.outcome !== 'skip')
    .map(it => `${it.location.object.manifest.uri}: ${it.rule ?? '-'} of ${it.policy} ${it.outcome}: ${it.message}`);
}

const pod = (name: string, namespace = 'prod') =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec: { containers: [{ name: a, image: a }] }\n`;

const policy = (name: string, rules: readonly string[], spec = '') => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: ${name} }
spec:
  ${spec}
  rules:
${rules.map(it => `    - ${it}`).join('\n')}
`;

const rule = (name: string, body: string) =>
  `{ name: ${name}, match: { any: [{ resources: { kinds: [Pod] } }] }, ${body} }`;
const deny = (query: string, value = 'web') =>
  `validate: { message: Refused., deny: { conditions: { any: [{ key: "{{ ${query} || request.object.metadata.name }}", operator: Equals, value: ${value} }] } } }`;
const label = 'validate: { message: Label., pattern: { metadata: { labels: { a: "?*" } } } }';

const bug = (speaker: string) =>
  `Berth has a bug here and does not know what ${speaker} says: TypeError: it is not a function.`;

const ofPods = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
};

/** A policy of policies.kyverno.io about Pods. */
const celPolicy = (kind: string, name: string, spec: object) =>
  JSON.stringify({
    apiVersion: 'policies.kyverno.io/v1',
    kind,
    metadata: { name },
    spec: { matchConstraints: ofPods, ...spec },
  });

const cleanup = `apiVersion: kyverno.io/v2
kind: ClusterCleanupPolicy
metadata: { name: sweeps }
spec:
  schedule: "0 0 * * *"
  match: { any: [{ resources: { kinds: [Pod] } }] }
  conditions: { all: [{ key: "{{ broken }}", operator: Equals, value: a }] }
`;

describe('a bug of Berth', () => {
  it('in a rule is reported once at the object with the name of the rule; other rules, policies and objects are evaluated', async () => {
    const first = policy('first', [rule('fails', deny('broken')), rule('labelled', label)]);
    const second = policy('second', [rule('named', deny('absent'))]);
    const all = await reported({ 'a.yaml': pod('web'), 'b.yaml': pod('other'), 'p.yaml': first, 'q.yaml': second });
    expect(all.filter(it => /^[ab]/.test(it))).toEqual([
      `a.yaml: fails of first error: ${bug('rule fails of policy first')}`,
      expect.stringMatching(/^a\.yaml: labelled of first fail: validation error: Label\./),
      'a.yaml: named of second fail: Refused.',
      `b.yaml: fails of first error: ${bug('rule fails of policy first')}`,
      expect.stringMatching(/^b\.yaml: labelled of first fail/),
    ]);
  });

  it('for one object does not affect the others', async () => {
    const rules = policy('rules', [rule('labelled', label)]);
    expect(await reported({ 'a.yaml': pod('web', 'broken'), 'b.yaml': pod('web'), 'p.yaml': rules })).toEqual([
      `a.yaml: labelled of rules error: ${bug('rule labelled of policy rules')}`,
      expect.stringMatching(/^b\.yaml: labelled of rules fail/),
    ]);
  });

  it('before any policy is evaluated is reported at the object', async () => {
    const strange = 'apiVersion: example.com/v1\nkind: Broken\nmetadata: { name: a }\n';
    const files = { 'a.yaml': strange, 'b.yaml': pod('web'), 'p.yaml': policy('rules', [rule('labelled', label)]) };
    const named = celPolicy('ValidatingPolicy', 'named', {
      validations: [{ expression: "object.metadata.name != 'web'" }],
    });
    expect(await reported({ ...files, 'q.yaml': named })).toEqual([
      `a.yaml: - of not-judged error: ${bug('any policy')}`,
      expect.stringMatching(/^b\.yaml: labelled of rules fail/),
      expect.stringMatching(/^b\.yaml: - of named fail/),
    ]);
  });

  it('during admission of one object is reported at that object', async () => {
    const files = {
      'a.yaml': pod('web'),
      'b.yaml': pod('broken'),
      'c.yaml': pod('other'),
      'p.yaml': policy('rules', [rule('labelled', label)]),
    };
    const chain = withoutMutation(kube);
    const failing = {
      ...chain,
      admit: async (objects: Parameters<typeof chain.admit>[0]) => {
        if (objects.some(it => it.name === 'broken')) throw new TypeError('it is not a function');
        return chain.admit(objects);
      },
    };
    const set = kyvernoPolicySet(snapshotOf(files), kube, failing);
    const answers = (await set?.evaluate(set.objects())) ?? [];
    expect(answers.map(it => it.results.map(result => result.message))).toEqual([
      [expect.stringContaining('rule labelled failed')],
      [bug('any policy')],
      [expect.stringContaining('rule labelled failed')],
    ]);
  });

  const conditions = "webhookConfiguration: { matchConditions: [{ name: a, expression: \"'broken' == ''\" }] }";
  const validations = [{ expression: "'broken' == ''" }];
  const ofPolicies: readonly (readonly [what: string, text: string, name: string, speaker: string])[] = [
    ['what it asks of requests', policy('all', [rule('a', label)], conditions), 'all', 'policy all'],
    [
      'a generate rule',
      policy('makes', [
        rule('a', "generate: { apiVersion: v1, kind: ConfigMap, name: '{{ broken }}', namespace: a, data: {} }"),
      ]),
      'makes',
      'rule a of policy makes',
    ],
    ['a ValidatingPolicy', celPolicy('ValidatingPolicy', 'v', { validations }), 'v', 'policy v'],
    ['a DeletingPolicy', celPolicy('DeletingPolicy', 'd', { conditions: validations }), 'd', 'policy d'],
    [
      'an ImageValidatingPolicy',
      celPolicy('ImageValidatingPolicy', 'i', { images: [{ name: 'a', ...validations[0] }] }),
      'i',
      'policy i',
    ],
    ['a ClusterCleanupPolicy', cleanup, 'sweeps', 'policy sweeps'],
  ];
  it.each(ofPolicies)('at %s is told once', async (_, text, name, speaker) => {
    const files = { 'a.yaml': pod('web'), 'p.yaml': text, 'q.yaml': policy('other', [rule('labelled', label)]) };
    const all = (await reported(files)).filter(it => it.startsWith('a.yaml'));
    expect(all.filter(it => it.includes('bug'))).toEqual([
      expect.stringMatching(new RegExp(`of ${name} error: ${bug(speaker).replaceAll('.', '\\.')}$`)),
    ]);
    expect(all).toContainEqual(expect.stringContaining('labelled of other fail'));
  });

  it('in a mutating policy leaves the object to those after it', async () => {
    const mutate = (name: string, value: string) =>
      rule(name, `mutate: { patchStrategicMerge: { metadata: { labels: { ${name}: "${value}" } } } }`);
    const expression = "Object{metadata: Object.metadata{labels: {'broken': 'a'}}}";
    const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
    const files = {
      'a.yaml': pod('web'),
      'p.yaml': policy('rules', [mutate('first', '{{ broken }}'), mutate('second', 'b')]),
      'q.yaml': celPolicy('MutatingPolicy', 'm', { mutations }),
      'r.yaml': policy('last', [mutate('third', '{{ request.object.metadata.labels.second }}')]),
    };
    const snapshot = snapshotOf(files);
    const [object] = snapshot.objectsIn('a.yaml');
    if (object === undefined) throw new Error('there is a Pod');
    const { value } = object.manifest;
    const mutator = kyvernoMutator(snapshot, kube, everywhere, () => brokenWorld(files));
    const [made] = (await mutator?.mutate([{ object, original: value, value }], 'first')) ?? [];
    expect(made?.value.metadata).toMatchObject({ labels: { second: 'b', third: 'b' } });
    expect(made?.results.map(it => it.message)).toEqual([bug('rule first of policy rules'), bug('policy m')]);
  });

  it('in a check of a policy is reported once, with the other mistakes', async () => {
    const wrong = rule(
      'a',
      "validate: { cel: { expressions: [{ expression: \"'broken' == ''\" }] }, pattern: { a: b } }",
    );
    const all = await reported({ 'p.yaml': policy('p', [wrong, rule('a', label)]) });
    expect(all).toEqual([
      expect.stringMatching(/p of policy-refused error: .* here are pattern and cel|here are cel and pattern/),
      `p.yaml: p of policy-unchecked warn: ${bug("Kyverno's webhook")}`,
      expect.stringContaining('Duplicate rule name: a'),
    ]);
  });
});

it.each(['not-judged', 'policy-unchecked', 'policy-refused', 'policy-undecided', 'policy-ineffective'])(
  'kyverno/%s is told by Berth, and has a page that says so',
  name => {
    expect(policyPage(`kyverno/${name}`)).toContain(`# kyverno/${name}`);
    expect(policyPage(`kyverno/${name}`)).not.toContain('A policy of yours');
    expect(policyPage(`kyverno/${name}-of-ours`)).toContain('A policy of yours');
  },
);

describe('a bug of Berth in a suite', () => {
  const files = new Map([
    ['a/kyverno-test.yaml', suite('p.yaml', 'a.yaml')],
    ['a/p.yaml', policy('p', [rule('labelled', label)])],
    ['a/a.yaml', pod('web')],
    ['b/kyverno-test.yaml', suite('p.yaml', 'b.yaml')],
    ['b/p.yaml', policy('p', [rule('labelled', label)])],
    ['b/b.yaml', 'apiVersion: v1\nkind: Broken\nmetadata: { name: web }\n'],
  ]);

  it('is an error of that suite', () => {
    const suites = runKyvernoSuites(files, { ...kube, kindOf: failingKindOf }, 0);
    expect(suites.map(it => it.tests)).toEqual([
      [{ name: 'p/labelled Pod prod/web', outcome: 'pass' }],
      [{ name: 'b/kyverno-test.yaml', outcome: 'error', message: bug('this suite') }],
    ]);
  });
});

const failingKindOf: typeof kube.kindOf = (apiVersion, kind) => {
  if (kind === 'Broken') throw new TypeError('it is not a function');
  return kube.kindOf(apiVersion, kind);
};

function suite(policies: string, resources: string): string {
  const results = [{ policy: 'p', rule: 'labelled', kind: 'Pod', resources: ['web'], result: 'fail' }];
  return JSON.stringify({
    apiVersion: 'cli.kyverno.io/v1alpha1',
    kind: 'Test',
    policies: [policies],
    resources: [resources],
    results,
  });
}
