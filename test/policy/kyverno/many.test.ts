import { describe, expect, it } from 'vitest';
import { loadKube } from '../../../server/src/kube/load';
import { admissionChain, withoutMutation } from '../../../server/src/policy/admission/chain';
import { noPlugins } from '../../../server/src/policy/admission/serverPlugins';
import { jmespath } from '../../../server/src/policy/kyverno/jmespath/jmespath';
import { kyvernoMutator } from '../../../server/src/policy/kyverno/mutator';
import { celExceptionsByPolicy, exceptionsByPolicy } from '../../../server/src/policy/kyverno/policies/exceptions';
import { kyvernoPolicySet } from '../../../server/src/policy/kyverno/policySet';
import { clusterObjects } from '../../../server/src/policy/kyverno/resource/clusterObjects';
import { type Resource, resourceOf } from '../../../server/src/policy/kyverno/resource/resource';
import { budgetOf } from '../../../server/src/policy/kyverno/results/failures';
import { workspaceWorld } from '../../../server/src/policy/kyverno/workspaceWorld';
import { everywhere } from '../../../server/src/policy/scopes';
import type { Snapshot } from '../../../server/src/workspace/workspace';
import { kyvernoTimes } from '../../bench/kyverno';
import { snapshotOf } from '../../support/check';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);

const numbered = (count: number, prefix: string, text: (i: number) => string): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, i) => [`${prefix}${i}.yaml`, text(i)]);

const configMap = (i: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${i}, namespace: prod }\n`;

const rules = (i: number, kind: string, body: string) => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: p${i} }
spec: { rules: [{ name: r, match: { any: [{ resources: { kinds: [${kind}] } }] }, ${body} }] }
`;

const expressions = (i: number, resource: string) => `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: { name: v${i} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [${resource}] }] }
  validations: [{ expression: "false" }]
`;

const label = 'validate: { pattern: { metadata: { labels: { a: "?*" } } } }';

/** The number of the world's matching queries while all objects are evaluated, and the number of failures. */
async function matchingQueries(snapshot: Snapshot): Promise<{ readonly questions: number; readonly failures: number }> {
  let questions = 0;
  const world = workspaceWorld(kube, snapshot);
  const counting = {
    ...world,
    namespaceLabels: (name: string) => {
      questions += 1;
      return world.namespaceLabels(name);
    },
    resourceName: (group: string, version: string, kind: string) => {
      questions += 1;
      return world.resourceName(group, version, kind);
    },
  };
  const set = kyvernoPolicySet(snapshot, kube, withoutMutation(kube), everywhere, () => counting);
  const answers = (await set?.evaluate(set.objects())) ?? [];
  return { questions, failures: answers.flatMap(it => it.results).filter(it => it.outcome === 'fail').length };
}

describe('what evaluating an object takes', () => {
  const exception = (i: number) => `apiVersion: kyverno.io/v2
kind: PolicyException
metadata: { name: e${i}, namespace: prod }
spec: { exceptions: [{ policyName: p0, ruleNames: [r] }], match: { any: [{ resources: { names: ["x*"] } }] } }
`;
  const answersFor = async (files: Readonly<Record<string, string>>) => {
    const snapshot = snapshotOf({ ...files, 'c.yaml': configMap(0) });
    const mutator = kyvernoMutator(snapshot, kube);
    const chain = admissionChain(
      { webhooks: mutator === undefined ? [] : [{ mutator, reinvocationPolicy: 'Never' }] },
      { kube, plugins: noPlugins },
    );
    const set = kyvernoPolicySet(snapshot, kube, chain);
    return (await set?.evaluate(set.objects())) ?? [];
  };
  const workWith = async (files: Readonly<Record<string, string>>): Promise<number> =>
    (await answersFor(files))[0]?.work ?? 0;

  it('is counted in values of the policies and exceptions that may concern it', async () => {
    const one = await workWith({ 'p.yaml': rules(0, 'ConfigMap', label) });
    const names = Array.from({ length: 50 }, (_, i) => `"x${i}*"`).join(', ');
    const ofNames = rules(0, `ConfigMap], names: [${names}`, label);
    expect(one).toBeGreaterThan(0);
    expect(await workWith({ 'p.yaml': ofNames })).toBe(one + 51);
    expect(await workWith({ 'p.yaml': rules(0, 'ConfigMap', label), 'q.yaml': rules(1, 'Pod', label) })).toBe(one);
    const exceptions = Object.fromEntries(numbered(20, 'e', exception));
    expect(await workWith({ 'p.yaml': rules(0, 'ConfigMap', label), ...exceptions })).toBeGreaterThan(one + 20 * 10);
  });

  it('ends for policies that change it again and again', async () => {
    const change = (i: number) =>
      rules(i, 'ConfigMap', `mutate: { patchStrategicMerge: { metadata: { labels: { a${i}: b } } } }`);
    const results = async (count: number) => {
      const text = Array.from({ length: count }, (_, i) => change(i)).join('---\n');
      const [answer] = await answersFor({ 'p.yaml': text });
      return { changes: answer?.mutations.length, told: answer?.results.map(it => it.policy) };
    };
    expect(await results(100)).toEqual({ changes: 100, told: [] });
    const many = await results(1_200);
    expect(many.changes).toBeLessThan(1_100);
    expect(many.told).toEqual(['not-judged']);
  });

  it('is told in messages of bounded length', async () => {
    const patterns = Array.from({ length: 500 }, (_, i) => `{ metadata: { labels: { a: "x${i}?*" } } }`).join(', ');
    const [answer] = await answersFor({
      'p.yaml': rules(0, 'ConfigMap', `validate: { message: no, anyPattern: [${patterns}] }`),
    });
    expect(answer?.results.map(it => it.message.length < 4_100)).toEqual([true]);
  });
});

describe('many policies and objects', () => {
  it('policies for other kinds cost one check a kind, however many objects there are', async () => {
    const policies = [
      ...numbered(12, 'p', i => rules(i, 'Deployment', label)),
      ...numbered(12, 'v', i => expressions(i, 'services')),
    ];
    const among = (count: number) =>
      matchingQueries(snapshotOf(Object.fromEntries([...policies, ...numbered(count, 'c', configMap)])));
    const few = await among(1);
    expect(few.failures).toBe(0);
    expect(await among(30)).toEqual(few);
  });

  it('policies for the kind, all kinds, or a part of its name are evaluated', async () => {
    const all = [
      ['a.yaml', rules(0, 'ConfigMap', label)],
      ['b.yaml', rules(1, 'v1/Config*', label)],
      ['c.yaml', rules(2, '"*"', label)],
      ['d.yaml', expressions(0, 'configmaps')],
      ['e.yaml', expressions(1, '"*"')],
      ['f.yaml', rules(3, 'Secret', label)],
      ['g.yaml', expressions(2, 'secrets')],
    ] as const;
    expect(
      (await matchingQueries(snapshotOf(Object.fromEntries([...all, ...numbered(2, 'o', configMap)])))).failures,
    ).toBe(10);
  });

  it('policies for other names and namespaces cost nothing, either', async () => {
    const named = (i: number, field: string, name: string) =>
      rules(i, 'ConfigMap', label).replace('kinds:', `${field}: [${name}], kinds:`);
    const policies = [
      ...numbered(12, 'n', i => named(i, 'names', `other-${i}`)),
      ...numbered(12, 's', i => named(i, 'namespaces', `other-${i}`)),
      ...numbered(12, 'o', i =>
        rules(i, 'ConfigMap', label)
          .replace('ClusterPolicy', 'Policy')
          .replace(`{ name: p${i} }`, `{ name: p${i}, namespace: other-${i} }`),
      ),
    ];
    const among = (count: number) =>
      matchingQueries(snapshotOf(Object.fromEntries([...policies, ...numbered(count, 'c', configMap)])));
    expect(await among(30)).toEqual(await among(1));
  });

  it('policies for its name or namespace, or a part of these, are evaluated', async () => {
    const about = (text: string, kind = 'ConfigMap') => rules(0, kind, label).replace(`{ kinds: [${kind}] }`, text);
    const own = '{ kinds: [ConfigMap], names: [c1] }';
    const failing = async (policy: string) =>
      (
        await matchingQueries(
          snapshotOf({ 'p.yaml': policy, 'n.yaml': namespace, ...Object.fromEntries(numbered(3, 'c', configMap)) }),
        )
      ).failures;
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: prod }\n';
    expect(await failing(about(own))).toBe(1);
    expect(await failing(about('{ kinds: [ConfigMap], names: ["c?"] }'))).toBe(3);
    expect(await failing(about('{ kinds: [ConfigMap], name: c2 }'))).toBe(1);
    expect(await failing(about('{ kinds: [ConfigMap], namespaces: [other, prod] }'))).toBe(3);
    expect(await failing(about('{ kinds: [ConfigMap], namespaces: [other, "p*"] }'))).toBe(3);
    expect(await failing(about('{ kinds: [Namespace], namespaces: [prod] }'))).toBe(1);
    const two = `{ resources: ${own} }, { resources: { kinds: [ConfigMap], names: [c0, c1] } }`;
    expect(await failing(about(own).replace(`any: [{ resources: ${own} }]`, `all: [${two}]`))).toBe(1);
    expect(await failing(about(own).replace(`any: [{ resources: ${own} }]`, `any: [${two}]`))).toBe(2);
    expect(await failing(about(own).replace(`any: [{ resources: ${own} }]`, `resources: ${own}`))).toBe(1);
  });

  it('a folder of policies and objects is evaluated completely', async () => {
    const { problems } = await kyvernoTimes(readPack, 360);
    // Every ninth policy is for ConfigMaps, and each of those for the one of its team.
    expect(problems).toBe(10);
  });

  it('mutating policies are evaluated for their kinds, too', async () => {
    const patch = 'mutate: { patchStrategicMerge: { metadata: { labels: { a: b } } } }';
    const snapshot = snapshotOf({
      'a.yaml': configMap(0),
      ...Object.fromEntries(numbered(9, 'p', i => rules(i, i === 4 ? 'ConfigMap' : 'Deployment', patch))),
    });
    let questions = 0;
    const world = workspaceWorld(kube, snapshot);
    const namespaceLabels = (name: string) => {
      questions += 1;
      return world.namespaceLabels(name);
    };
    const mutator = kyvernoMutator(snapshot, kube, everywhere, () => ({ ...world, namespaceLabels }));
    const [object] = snapshot.objectsIn('a.yaml');
    if (object === undefined) throw new Error('there is a ConfigMap');
    const { value } = object.manifest;
    const [made] = (await mutator?.mutate([{ object, original: value, value }], 'first')) ?? [];
    expect(made?.value.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(questions).toBe(1);
  });
});

it('other work goes on between objects of which many results are told', async () => {
  const snapshot = snapshotOf({
    'p.yaml': Array.from({ length: 1_000 }, (_, i) => rules(i, 'ConfigMap', label)).join('---\n'),
    ...Object.fromEntries(numbered(4, 'c', configMap)),
  });
  const set = kyvernoPolicySet(snapshot, kube, withoutMutation(kube));
  const order: string[] = [];
  const judged = set?.evaluate(set.objects()).then(() => order.push('judged'));
  for (let i = 0; i < 2; i++) await new Promise<void>(resolve => setImmediate(resolve));
  order.push('other work');
  await judged;
  expect(order).toEqual(['other work', 'judged']);
});

describe('existing objects', () => {
  const files = Object.fromEntries([
    ...numbered(3, 'a', configMap),
    ['b.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n'],
    ['c.yaml', configMap(7)],
  ]);
  const snapshot = snapshotOf(files);
  const all = [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri).map(it => resourceOf(it)));
  const existing = clusterObjects(() => all);
  const names = (found: readonly Resource[]) => found.map(it => it.name);

  it('are found by kind with one check a kind, in order', () => {
    const seen: string[] = [];
    const wanted = (of: readonly string[]) => (it: Resource) => {
      seen.push(it.kind);
      return of.includes(it.kind);
    };
    expect(names(existing.ofKinds(existing.kinds(wanted(['ConfigMap']))))).toEqual(['c0', 'c1', 'c2', 'c7']);
    expect(seen).toEqual(['ConfigMap', 'Secret']);
    expect(names(existing.ofKinds(existing.kinds(wanted(['ConfigMap', 'Secret']))))).toEqual([
      'c0',
      'c1',
      'c2',
      's',
      'c7',
    ]);
    expect(names(existing.ofKinds(existing.kinds(wanted(['Pod']))))).toEqual([]);
  });

  it('are found by identity, in order and once', () => {
    const named = (i: number) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c${i}`, namespace: 'prod' },
    });
    expect(names(existing.sameAs([named(7), named(1), named(7), named(5)]))).toEqual(['c1', 'c7']);
  });
});

describe('queries that many objects repeat', () => {
  it('return the same list', () => {
    const world = workspaceWorld(kube, snapshotOf(Object.fromEntries(numbered(3, 'a', configMap))));
    const list = world.apiCall('/api/v1/namespaces/prod/configmaps');
    expect(list).toMatchObject({ items: [{ kind: 'ConfigMap' }, {}, {}] });
    expect(world.apiCall('/api/v1/namespaces/prod/configmaps')).toBe(list);
    expect(world.apiCall('/api/v1/namespaces/prod/configmaps/c1')).toMatchObject({ metadata: { name: 'c1' } });
    expect(world.apiCall('/api/v1/namespaces/prod/configmaps/c5')).toBeUndefined();
  });

  it('are evaluated once for a list, and cost the same steps again', () => {
    const { searchShared } = jmespath();
    const data = { items: Array.from({ length: 100 }, (_, i) => ({ name: `n${i}` })) };
    const spent = () => {
      let steps = 0;
      const budget = budgetOf(1000);
      const found = searchShared('items[].name', data, {
        spend: taken => {
          steps += taken;
          budget.spend(taken);
        },
      });
      return { found, steps };
    };
    const first = spent();
    const second = spent();
    expect(second.found).toBe(first.found);
    expect(second.steps).toBe(first.steps);
    expect(first.steps).toBeGreaterThan(100);
    expect(() => searchShared('items[].name', data, budgetOf(50))).toThrow(/more steps/);
    expect(searchShared('items[].name', { items: [] }, budgetOf(50))).toEqual([]);
  });
});

it('find exceptions by the policies that they name', () => {
  const own = [
    { spec: { exceptions: [{ policyName: 'a' }, { policyName: 'b' }, { policyName: 'a' }] } },
    { spec: { exceptions: [{ policyName: 'b' }] } },
  ];
  expect(
    ['a', 'b', 'c'].map(it => exceptionsByPolicy(own)(it).map(found => own.indexOf(found as (typeof own)[0]))),
  ).toEqual([[0], [0, 1], []]);
  const ofExpressions = [{ spec: { policyRefs: [{ kind: 'ValidatingPolicy', name: 'a' }] } }];
  expect(celExceptionsByPolicy(ofExpressions)('ValidatingPolicy/a')).toEqual(ofExpressions);
  expect(celExceptionsByPolicy(ofExpressions)('MutatingPolicy/a')).toEqual([]);
});
