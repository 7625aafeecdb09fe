import { describe, expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

const policy = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: owned }
spec:
  rules:
    - name: owner
      match: { any: [{ resources: { kinds: [Secret], namespaces: [prod] } }] }
      validate:
        message: an owner is needed
        pattern: { metadata: { labels: { owner: "?*" } } }
`;
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: settings }\n';

const inProd = secret.replace('name: settings', 'name: settings, namespace: prod');

type Files = Readonly<Record<string, string | undefined>>;

function hostOf(files: Files): AnalysisHost {
  const host = createAnalysisHost({
    readPack,
    policyEngine: engineThatIsNotBuilt(),
    onBug: throwBug,
  });
  host.apply({ folders: [{ uri: 'file:///ws' }] });
  change(host, files);
  return host;
}

function change(host: AnalysisHost, files: Files): void {
  host.apply({ files: Object.entries(files).map(([path, text]) => ({ uri: `file:///ws/${path}`, text })) });
}

/** Judges everything; the messages of a file, and how often it was said that they may be others. */
async function judged(host: AnalysisHost, path: string) {
  const told: string[] = [];
  for await (const { uris } of host.evaluatePolicies([])) told.push(...uris);
  const problems = host.analysis().diagnostics(`file:///ws/${path}`);
  const messages = problems.filter(it => it.category === 'policy').map(it => it.message);
  return { messages, times: told.filter(it => it === `file:///ws/${path}`).length };
}

/** A policy whose message says what an expression of its context is. */
const reading = (entry: string, expression: string): string =>
  policy
    .replace('      validate:', `      context: [{ name: read, ${entry} }]\n      validate:`)
    .replace('is needed', `is needed, {{ ${expression} }}`);
/** A policy that labels Secrets with what it reads. */
const labelling = (entry: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labelled }
spec:
  rules:
    - name: label
      match: { any: [{ resources: { kinds: [Secret] } }] }
      context: [{ name: read, ${entry} }]
      mutate: { patchStrategicMerge: { metadata: { labels: { from: '{{ read.data.a }}' } } } }
`;
const readingConfigMap = reading('configMap: { name: owners, namespace: prod }', 'read.data.a');
const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: web, namespace: prod }\n';
const owners = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: owners, namespace: prod }\ndata: { a: b }\n';

it('a list that policies read has the order of the API server, whichever file came later', async () => {
  const text = reading("apiCall: { urlPath: '/api/v1/namespaces/prod/configmaps' }", 'read.items[].metadata.name');
  const host = hostOf({ 'policy.yaml': text, 'secret.yaml': inProd, 'z.yaml': owners });
  await judged(host, 'secret.yaml');
  change(host, { 'a.yaml': owners.replace('owners', 'zz'), 'b.yaml': owners.replace('owners', 'aa') });
  expect((await judged(host, 'secret.yaml')).messages).toEqual([expect.stringContaining('["aa","owners","zz"]')]);
});

it('a policy that changes objects reads what is there, whatever was there meanwhile', async () => {
  const changing = `${labelling("configMap: { name: '{{ request.object.metadata.name }}', namespace: prod }")}    - name: tell
      match: { any: [{ resources: { kinds: [Secret] } }] }
      validate: { message: 'from {{ request.object.metadata.labels.from }}', deny: {} }
`;
  const map = (name: string, value: string): string => owners.replace('owners', name).replace('a: b', `a: ${value}`);
  const host = hostOf({
    'policy.yaml': changing,
    'secret.yaml': inProd,
    'a.yaml': map('settings', 'one'),
    'b.yaml': map('late', 'two'),
  });
  expect((await judged(host, 'secret.yaml')).messages).toEqual([expect.stringContaining('from one')]);
  for (const value of ['three', 'two']) {
    change(host, { 'b.yaml': map('late', value) });
    await judged(host, 'secret.yaml');
  }
  change(host, { 'late.yaml': inProd.replace('settings', 'late') });
  expect((await judged(host, 'late.yaml')).messages).toEqual([expect.stringContaining('from two')]);
});

describe('policies of several environments', () => {
  const dev = 'environments: { prod: { paths: [base], namespace: prod }, dev: { paths: [base], namespace: dev } }\n';

  it('an object in two namespaces gets the results of both', async () => {
    const host = hostOf({ 'berth.yaml': dev, 'base/policy.yaml': policy, 'base/secret.yaml': secret });
    const { messages } = await judged(host, 'base/secret.yaml');
    expect(messages).toEqual([expect.stringMatching(/an owner is needed.*\(in the environment prod\)$/)]);
  });

  it('another default namespace is evaluated again', async () => {
    const host = hostOf({ 'berth.yaml': 'namespace: dev\n', 'policy.yaml': policy, 'secret.yaml': secret });
    expect((await judged(host, 'secret.yaml')).messages).toEqual([]);
    change(host, { 'berth.yaml': 'namespace: prod\n' });
    expect((await judged(host, 'secret.yaml')).messages).toHaveLength(1);
    change(host, { 'berth.yaml': 'namespace: dev\n' });
    expect((await judged(host, 'secret.yaml')).messages).toEqual([]);
  });

  it.each([
    ['that are declared', { 'berth.yaml': dev.replace('namespace: dev', 'namespace: prod') }],
    ['that are guessed', { 'overlays/a/own.yaml': secret, 'overlays/b/own.yaml': secret }],
  ])('the last reported problems of a shared file are the final ones, with environments %s', async (_, own) => {
    const host = hostOf({ ...own, 'base/policy.yaml': policy, 'base/secret.yaml': inProd });
    const uri = 'file:///ws/base/secret.yaml';
    const messages = () =>
      host
        .analysis()
        .diagnostics(uri)
        .map(it => it.message);
    const shown = async () => {
      const all: (readonly string[])[] = [];
      for await (const { uris } of host.evaluatePolicies([])) if (uris.includes(uri)) all.push(messages());
      expect(all.at(-1)).toEqual(messages());
      return messages().filter(it => it.includes('needed'));
    };
    expect(await shown()).toHaveLength(1);
    change(host, { 'base/policy.yaml': policy.replace('?*', '*').replace('{ labels', '{ =(labels)') });
    expect(await shown()).toEqual([]);
    change(host, { 'base/policy.yaml': policy });
    expect(await shown()).toHaveLength(1);
  });

  it('shared policies are evaluated once, and stay loaded when one environment gets other policies', async () => {
    const host = hostOf({
      'base/policy.yaml': policy,
      'base/secret.yaml': inProd,
      'overlays/a/own.yaml': secret.replace('settings', 'a'),
      'overlays/b/own.yaml': secret.replace('settings', 'b'),
    });
    // Told with the first environment's answers, and again when the other one has them.
    expect(await judged(host, 'base/secret.yaml')).toEqual({ messages: [expect.any(String)], times: 2 });
    change(host, { 'overlays/b/policy.yaml': policy.replace('name: owned', 'name: other') });
    expect(await judged(host, 'base/secret.yaml')).toEqual({ messages: [expect.any(String)], times: 1 });
    change(host, { 'overlays/b/policy.yaml': undefined, 'overlays/b/own.yaml': undefined });
    expect((await judged(host, 'base/secret.yaml')).messages).toHaveLength(1);
    change(host, { 'base/policy.yaml': undefined });
    expect((await judged(host, 'base/secret.yaml')).messages).toEqual([]);
  });
});

describe('an edit', () => {
  const PATHS = ['first.yaml', 'second.yaml', 'third.yaml'];
  const files = Object.fromEntries(PATHS.map(it => [it, inProd.replace('settings', it.slice(0, -5))]));
  const newsOf = async (host: AnalysisHost, edit: Files): Promise<readonly string[]> => {
    change(host, edit);
    const told: string[] = [];
    for await (const { uris } of host.evaluatePolicies([])) told.push(...uris);
    return told.map(it => it.slice('file:///ws/'.length)).filter(it => PATHS.includes(it));
  };

  it.each([
    ['that read nothing else', policy],
    ['that read ConfigMaps', readingConfigMap],
  ])('has policies %s judge its file alone, and all files where it changes a policy', async (_, text) => {
    const host = hostOf({});
    expect(await newsOf(host, { ...files, 'policy.yaml': text, 'owners.yaml': owners })).toEqual(PATHS);
    const edited = files['second.yaml']!.replace('metadata: {', 'metadata: { labels: { owner: me },');
    expect(await newsOf(host, { 'second.yaml': edited })).toEqual(['second.yaml']);
    expect((await judged(host, 'second.yaml')).messages).toEqual([]);
    expect((await judged(host, 'first.yaml')).messages).toHaveLength(1);
    expect((await newsOf(host, { 'policy.yaml': text.replace('?*', 'you') })).toSorted()).toEqual(PATHS);
    expect((await judged(host, 'second.yaml')).messages).toHaveLength(1);
    change(host, { 'first.yaml': undefined });
    expect(await newsOf(host, { 'first.yaml': files['first.yaml'] })).toEqual(['first.yaml']);
  });

  const readingList = reading(
    "apiCall: { urlPath: '/api/v1/namespaces/prod/configmaps' }",
    'read.items[].data.a | [0]',
  );
  const readingOne = reading("apiCall: { urlPath: '/api/v1/namespaces/prod/configmaps/owners' }", 'read.data.a');
  const inExpression = `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: { name: owned }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets] }] }
  variables: [{ name: read, expression: 'resource.List("v1", "configmaps", "prod").items' }]
  validations: [{ expression: 'variables.read.exists(it, has(it.data.z))', messageExpression: 'string(variables.read[0].data.a)' }]
`;
  const changing = labelling(`apiCall: { urlPath: '/api/v1/namespaces/prod/configmaps/owners' }`);
  const targeting = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: targeting }
spec:
  rules:
    - name: owners
      match: { any: [{ resources: { kinds: [Secret] } }] }
      mutate:
        targets: [{ apiVersion: v1, kind: ConfigMap, namespace: prod, name: owners }]
        patchStrategicMerge: { metadata: { labels: { secret: '{{ request.object.metadata.name }}' } } }
`;

  it.each([
    ['of a ConfigMap', readingConfigMap],
    ['of one object of the API', readingOne],
    ['of a list of the API', readingList],
    ['of a list in CEL', inExpression],
    ['of what changes objects', changing],
    ['of targets', targeting],
  ])('has policies that read what it changes judge all files, and no others: %s', async (_, text) => {
    const host = hostOf({});
    const other = owners.replace('name: owners, namespace: prod', 'name: other, namespace: dev');
    const all = { ...files, 'policy.yaml': text, 'owners.yaml': owners, 'other.yaml': other, 'service.yaml': service };
    expect((await newsOf(host, all)).toSorted()).toEqual(PATHS);
    expect(await newsOf(host, { 'service.yaml': `${service}spec: {}\n` })).toEqual([]);
    const labelled = files['second.yaml']!.replace('metadata: {', 'metadata: { labels: { app: web },');
    expect(await newsOf(host, { 'second.yaml': labelled })).toEqual(['second.yaml']);
    expect((await newsOf(host, { 'owners.yaml': owners.replace('a: b', 'a: c') })).toSorted()).toEqual(PATHS);
    expect((await newsOf(host, { 'owners.yaml': undefined })).toSorted()).toEqual(PATHS);
  });

  it.each([
    ['in its message', readingOne, (value: string) => `an owner is needed, ${value}`],
    ['in a list', readingList, (value: string) => `an owner is needed, ${value}`],
    ['in an expression', inExpression, (value: string) => value],
  ])('of an object tells what policies read of it %s', async (_, text, message) => {
    const host = hostOf({ ...files, 'policy.yaml': text, 'owners.yaml': owners });
    const told = async (): Promise<string> => (await judged(host, 'first.yaml')).messages.join();
    expect(await told()).toContain(message('b'));
    change(host, { 'owners.yaml': owners.replace('a: b', 'a: c') });
    expect(await told()).toContain(message('c'));
    change(host, { 'service.yaml': service });
    expect(await told()).toContain(message('c'));
    change(host, { 'owners.yaml': owners.replace('a: b', 'a: d') });
    expect(await told()).toContain(message('d'));
  });
});

it('what placements ask policies is found out once nothing changes any more', async () => {
  const host = hostOf({
    'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: a }\nstatus: { allocatable: { cpu: 1, pods: 9 } }\n',
    'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: a }] }\n',
    'policy.yaml': `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: small }
spec:
  rules:
    - name: small
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { spec: { priority: 7 } } }
`,
  });
  const placements = async (rests?: () => Promise<boolean>): Promise<readonly string[]> => {
    const told: string[] = [];
    for await (const it of host.evaluatePolicies([], rests)) told.push(it.placements);
    return told;
  };
  expect(await placements(async () => false)).not.toContain('changed');
  expect(await placements(async () => true)).toContain('changed');
  expect(await placements()).not.toContain('changed');
});

describe('the result of mutating policies', () => {
  const mutating = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: hostname }
spec:
  rules:
    - name: replace
      match: { any: [{ resources: { kinds: [Secret] } }] }
      mutate: { patchesJson6902: "- { op: replace, path: /data/none/deeper, value: b }" }
`;
  it('stays when objects move in their file and other policies are evaluated again', async () => {
    const two = (first: string): string =>
      `${owners.replace('owners', first)}---\n${inProd}---\n${inProd.replace('settings', 'keys')}`;
    const host = hostOf({
      'a.yaml': mutating,
      'b.yaml': readingConfigMap,
      'owners.yaml': owners,
      'secret.yaml': two('x'),
    });
    const before = (await judged(host, 'secret.yaml')).messages;
    expect(before.filter(it => it.includes('/data/none'))).toHaveLength(2);
    change(host, { 'secret.yaml': two('longer') });
    change(host, { 'owners.yaml': owners.replace('a: b', 'a: c') });
    const expected = before.map(it => it.replace('is needed, b', 'is needed, c'));
    expect((await judged(host, 'secret.yaml')).messages).toEqual(expected);
  });
});

describe('policies in folders of tests, examples and tools', () => {
  const files = { 'tools/test/policy.yaml': policy, 'tools/test/secret.yaml': inProd };
  const all = 'environments: { all: { paths: ["."] } }\n';

  it.each([
    ['are not asked of what is deployed', { ...files, 'apps/secret.yaml': inProd }, 'apps/secret.yaml', 0],
    ['are asked where nothing else is deployed', files, 'tools/test/secret.yaml', 1],
    [
      'are asked where berth.yaml lists them',
      { ...files, 'apps/secret.yaml': inProd, 'berth.yaml': all },
      'apps/secret.yaml',
      1,
    ],
  ])('%s', async (_, given, path, count) => {
    const host = hostOf(given);
    expect((await judged(host, path)).messages).toHaveLength(count);
    const { notes } = host.analysis().status;
    expect(notes).toEqual(
      count > 0 ? [] : [expect.stringMatching(/^The policies of .*tools\/test\/policy\.yaml are not asked/)],
    );
  });
});

it('other work goes on between the objects of very many policies, and their file is told few times', async () => {
  const rules = Array.from({ length: 100 }, (_, i) => policy.replace('name: owned', `name: owned-${i}`));
  const objects = Array.from({ length: 30 }, (_, i) => inProd.replace('settings', `settings-${i}`));
  const host = hostOf({ 'policy.yaml': rules.join('---\n'), 'secret.yaml': objects.join('---\n') });
  const turns = { count: 0, isOver: false };
  const turn = (): void => {
    turns.count += 1;
    if (!turns.isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { times } = await judged(host, 'secret.yaml');
  turns.isOver = true;
  expect(turns.count).toBeGreaterThan(4);
  expect(times).toBeLessThan(4);
});

it('a workload that a policy refuses says so over its first line', async () => {
  const enforced = policy
    .replace('spec:\n', 'spec:\n  validationFailureAction: Enforce\n')
    .replace('kinds: [Secret], namespaces: [prod]', 'kinds: [Deployment]');
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: nginx }] }
`;
  const host = hostOf({ 'policy.yaml': enforced, 'web.yaml': deployment });
  await judged(host, 'web.yaml');
  // A placement asks about what it creates; the answer is there after another evaluation.
  const lenses = (): readonly string[] =>
    host
      .analysis()
      .codeLenses('file:///ws/web.yaml')
      .map(it => it.title);
  lenses();
  await judged(host, 'web.yaml');
  expect(lenses()[0]).toBe('0 of 3 Pods land · refused by a policy');
});
