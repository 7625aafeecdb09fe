import { describe, expect, it } from 'vitest';
import { problemsOfFiles } from '../../../server/src/analysis/host';
import { acceptedAfter } from '../../../server/src/analysis/placementTests/accepted';
import { failureIn } from '../../../server/src/analysis/placementTests/expectations';
import { ordersOf } from '../../../server/src/analysis/placementTests/orders';
import { placementTestOf, runPlacementTests } from '../../../server/src/analysis/placementTests/suite';
import { runToEnd } from '../../../server/src/base/steps';
import type { PodModel } from '../../../server/src/cluster/pods/podModel';
import { loadKube } from '../../../server/src/kube/load';
import { parseManifests } from '../../../server/src/manifest/parse';
import { readPack } from '../../support/packs';
import { sampled } from '../../support/thorough';
import { throwBug } from '../../support/throwBug';

const node = (name: string, zone: string, cpu = '4'): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name}, topology.kubernetes.io/zone: ${zone} } }
status: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "20" } }
`;

const deployment = (name: string, replicas: number, cpu: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
${more}      containers: [{ name: main, image: "${name}:1", resources: { requests: { cpu: "${cpu}" } } }]
`;

const TWO_ZONES = [node('a1', 'a'), node('b1', 'b')];

interface Given {
  readonly manifests: readonly string[];
  readonly expect: string;
  readonly changes?: string;
  readonly accepted?: Readonly<Record<string, string | null>>;
  readonly name?: string;
  readonly isOver?: () => boolean;
}

function suiteOf({ manifests, expect: expected, changes = '[]', accepted, name = 'it', isOver = () => false }: Given) {
  const text = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
tests:
  - name: ${name}
    changes: ${changes}
    expect: [${expected}]
`;
  return runPlacementTests(placementTestOf({ uri: 'a.placement-test.yaml', text }), {
    kube: loadKube('1.37', {}, readPack),
    readPack,
    onBug: throwBug,
    problemsOfFiles,
    finish: runToEnd,
    isOver,
    manifests: [parseManifests('all.yaml', manifests.join('---\n'))],
    accepted: accepted === undefined ? {} : { [name]: accepted },
  });
}

/** Asserts what the only test of a file says; nothing when it passes. */
async function checkTest(given: Given, ...messages: readonly (string | RegExp)[]): Promise<void> {
  const { file, results } = await suiteOf(given);
  expect(file.problems).toEqual([]);
  const told = results.flatMap(it => it.failures.map(({ message }) => message));
  expect(told).toEqual(messages.map(it => (typeof it === 'string' ? it : expect.stringMatching(it))));
}

describe('an expectation', () => {
  const spread = [...TWO_ZONES, deployment('web', 2, '1')];

  it('that Pods are scheduled or pending', async () => {
    await checkTest({ manifests: spread, expect: '{ scheduled: all }' });
    await checkTest(
      { manifests: [...spread, deployment('big', 1, '9')], expect: '{ scheduled: all }' },
      /^default\/big-1 has no node: 0\/2 nodes are available: 2 Insufficient cpu/,
    );
    await checkTest({ manifests: [...spread, deployment('big', 1, '9')], expect: '{ pending: { workload: big } }' });
    await checkTest(
      { manifests: spread, expect: '{ pending: { labels: { app: web } } }' },
      /^default\/web-1 has the node a1/,
    );
  });

  it('that Pods are spread', async () => {
    await checkTest({
      manifests: spread,
      expect: '{ spread: { over: zone, atLeast: 2, maxPerDomain: 1, maxSkew: 0 } }',
    });
    await checkTest(
      { manifests: spread, expect: '{ spread: { over: zone, atLeast: 3 } }' },
      'they are in 2 of at least 3 topology.kubernetes.io/zone (a: 1, b: 1)',
    );
    const crowded = [
      ...TWO_ZONES,
      deployment('web', 2, '1', '      nodeSelector: { topology.kubernetes.io/zone: a }\n'),
    ];
    await checkTest(
      { manifests: crowded, expect: '{ spread: { maxPerDomain: 1 } }, { spread: { over: zone, maxSkew: 1 } }' },
      '2 are in one kubernetes.io/hostname, at most 1 may be (a1: 2)',
      'their skew over topology.kubernetes.io/zone is 2, at most 1 (a: 2)',
    );
  });

  it('where Pods land', async () => {
    await checkTest(
      { manifests: spread, expect: '{ landOn: { nodes: { topology.kubernetes.io/zone: a } } }' },
      /web-. is on b1/,
    );
    await checkTest({ manifests: spread, expect: '{ holds: "pods.all(p, p.node in nodes.map(n, n.name))" }' });
    await checkTest({ manifests: spread, expect: '{ holds: "evicted.size() == 1" }' }, 'evicted.size() == 1 is false');
    await checkTest({ manifests: spread, expect: '{ holds: "pods.nothing" }' }, /^pods\.nothing cannot be evaluated/);
  });

  it('that nobody is evicted', async () => {
    const victims = [
      node('a1', 'a', '1'),
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: low }\nspec: { nodeName: a1, containers: [{ name: a, image: "a:1", resources: { requests: { cpu: "1" } } }] }\n',
      deployment('web', 1, '1', '      priorityClassName: high\n'),
    ];
    await checkTest({ manifests: victims, expect: '{ victims: { atMost: 1 } }' });
    await checkTest({ manifests: victims, expect: '{ victims: {} }' }, 'default/low is evicted, 0 at most may be');
    await checkTest({ manifests: victims, expect: '{ victims: { pods: { namespace: prod } } }' });
  });

  it('that Pods fit whichever node is down', async () => {
    await checkTest({ manifests: spread, expect: '{ fits: withAnyNodeDown }' });
    await checkTest(
      { manifests: [...TWO_ZONES, deployment('web', 5, '1')], expect: '{ fits: withAnyNodeDown }' },
      /^without a1, default\/web-5 has no node: 0\/1 nodes are available/,
    );
    const bare =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: bare }\nspec: { containers: [{ name: a, image: "a:1" }] }\n';
    await checkTest(
      { manifests: [...TWO_ZONES, bare], expect: '{ fits: withAnyNodeDown }' },
      'without a1, default/bare is lost: it has no controller that makes it again',
    );
  });

  it('that Pods fit in whatever order they come', async () => {
    const luck = [...TWO_ZONES, deployment('big', 1, '4'), deployment('small', 2, '1')];
    await checkTest({ manifests: luck, expect: '{ scheduled: all }' });
    await checkTest(
      { manifests: luck, expect: '{ fits: inAnyOrder }' },
      /^in 1 of 3 orders not all fit; when they come as small-1, small-2, big-1: default\/big-1 has no node/,
    );
    const calm = [...TWO_ZONES, deployment('big', 1, '3'), deployment('small', 2, '1')];
    await checkTest({ manifests: calm, expect: '{ fits: inAnyOrder }' });
  });

  it('says so when not all orders could be tried', async () => {
    const many = [...TWO_ZONES, ...['a', 'b', 'c', 'd', 'e', 'f'].map(it => deployment(it, 1, '100m'))];
    const { results } = await suiteOf({ manifests: many, expect: '{ fits: inAnyOrder }' });
    const [result] = results;
    expect(result?.failures).toEqual([]);
    expect(result?.notes).toEqual(['Of all orders in which the Pods may come, 500 of 720 were tried.']);
  });

  it('that Pods have nodes whatever order they arrive in', async () => {
    const luck = [...TWO_ZONES, deployment('big', 1, '4'), deployment('small', 2, '1')];
    await checkTest(
      { manifests: luck, expect: '{ whatever: order }' },
      'stranded in 1 of 3 orders: default/small-1 to a1, default/small-2 to b1',
    );
    await checkTest({ manifests: luck, expect: '{ whatever: { happens: order, pods: { workload: small } } }' });
    const calm = [...TWO_ZONES, deployment('big', 1, '3'), deployment('small', 2, '1')];
    await checkTest({ manifests: calm, expect: '{ whatever: order }' });
  });

  it('that an expression is true in whatever order Pods arrive', async () => {
    const luck = [...TWO_ZONES, deployment('big', 1, '4'), deployment('small', 2, '1')];
    const all = (cel: string) => `{ whatever: { happens: order, holds: "${cel}" } }`;
    await checkTest({
      manifests: luck,
      expect: all("pods.filter(p, p.workload == 'Deployment/small').all(p, has(p.node))"),
    });
    await checkTest(
      { manifests: luck, expect: all('pods.all(p, has(p.node))') },
      /^pods\.all\(p, has\(p\.node\)\) is false, where the Pods arrive as default\/small-[12], default\/small-[12], default\/big-1$/,
    );
  });

  it('what controllers may do', async () => {
    const ports = '      containers: [{ name: app, image: nginx, ports: [{ containerPort: 80, hostPort: 80 }] }]\n';
    const web = deployment('web', 2, '1').replace(/ {6}containers:[\s\S]*$/, ports);
    await checkTest({ manifests: [...TWO_ZONES, deployment('web', 2, '1')], expect: '{ whatever: rollout }' });
    await checkTest(
      { manifests: [...TWO_ZONES, web], expect: '{ whatever: rollout }' },
      /^a rollout of Deployment web never ends .*: Deployment web: scale the new ReplicaSet to 1, /,
    );
    const other = '{ whatever: { happens: rollout, pods: { workload: other } } }';
    await checkTest({ manifests: [...TWO_ZONES, web, deployment('other', 1, '1')], expect: other });
  });

  it('that Pods have nodes however ties are broken', async () => {
    const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n';
    const first = deployment('first', 1, '1', '      priorityClassName: high\n');
    const pinned = deployment('pinned', 1, '4', '      nodeSelector: { kubernetes.io/hostname: b1 }\n');
    const manifests = [...TWO_ZONES, high, first, pinned];
    await checkTest({ manifests, expect: '{ scheduled: all }' });
    await checkTest(
      { manifests, expect: '{ whatever: ties }' },
      'stranded where ties are broken so: default/first-1 to b1, default/pinned-1 waits',
    );
    await checkTest({ manifests: [...TWO_ZONES, pinned], expect: '{ whatever: ties }' });
  });

  it('that Pods have nodes whichever node is down, however ties are broken', async () => {
    await checkTest({ manifests: spread, expect: '{ whatever: oneNodeDown }' });
    await checkTest(
      { manifests: [...TWO_ZONES, deployment('web', 5, '1')], expect: '{ whatever: oneNodeDown }' },
      /^without a1, stranded where ties are broken so: default\/web-1 to b1, .*, default\/web-5 waits$/,
    );
  });

  it('that any node can be drained', async () => {
    const budget = (name: string, spec: string): string =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${name} }\nspec: { ${spec}, selector: { matchLabels: { app: web } } }\n`;
    const three = [...TWO_ZONES, deployment('web', 3, '1')];
    await checkTest({ manifests: [...three, budget('calm', 'minAvailable: 2')], expect: '{ whatever: drain }' });
    await checkTest(
      { manifests: [...three, budget('strict', 'minAvailable: 3')], expect: '{ whatever: drain }' },
      'the drain of a1 never ends: the budget strict never allows to evict default/web-1',
    );
    await checkTest(
      {
        manifests: [...three, budget('one', 'minAvailable: 1'), budget('two', 'maxUnavailable: 1')],
        expect: '{ whatever: drain }',
      },
      'the drain of a1 never ends: default/web-1 has several budgets, one and two, so that no eviction is served',
    );
  });

  it('that the API server refuses an object', async () => {
    const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 2000000000\n';
    const manifests = [...spread, high];
    await checkTest({ manifests, expect: '{ refused: { object: PriorityClass/high, field: value } }' });
    await checkTest({ manifests, expect: '{ refused: { object: Deployment/web } }' }, 'Deployment/web is not refused');
    await checkTest(
      { manifests, expect: '{ refused: { object: PriorityClass/high, message: nonsense } }' },
      /^PriorityClass\/high is refused for another reason: value /,
    );
  });

  it('that nothing moved', async () => {
    const where = { 'default/web-1': 'a1', 'default/web-2': 'b1' };
    await checkTest({ manifests: spread, expect: '{ unmoved: true }', accepted: where });
    await checkTest({ manifests: spread, expect: '{ unmoved: true }' }, /^no placement was accepted yet/);
    await checkTest(
      { manifests: spread, expect: '{ unmoved: true }', accepted: { 'default/web-1': 'b1', 'default/old': null } },
      'default/web-1 moved from b1 to a1; default/old is gone; default/web-2 is new, on b1',
    );
  });

  it('about Pods that are not there', async () => {
    await checkTest(
      { manifests: spread, expect: '{ scheduled: { workload: Deployment/wbe } }' },
      'no Pod is of Deployment/wbe',
    );
  });

  it('after changes, and says which could not be made', async () => {
    await checkTest(
      { manifests: spread, changes: '[{ zoneDown: a }]', expect: '{ spread: { over: zone, atLeast: 2 } }' },
      /1 of/,
    );
    await checkTest(
      { manifests: spread, changes: '[{ drain: c1 }]', expect: '{ scheduled: all }' },
      'there is no Node "c1"',
    );
    const scaled = '[{ scale: { object: Deployment/web, replicas: 9 } }]';
    await checkTest(
      { manifests: spread, changes: scaled, expect: '{ scheduled: all }' },
      /^default\/web-9 has no node/,
    );
  });
});

describe('a file of tests', () => {
  const wrong = (text: string): readonly string[] =>
    placementTestOf({ uri: 'a.placement-test.yaml', text }).problems.map(it => it.clause);
  const head = 'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\n';

  it.each([
    ['', ['there is no placement test in it']],
    [`${head}tests: []\n`, []],
    [head, ['tests must list tests: each a name and what to expect']],
    ['kind: PlacementTest\ntests: []\n', ['apiVersion must be berth.dev/v1alpha1']],
    [`${head}tetss: []\ntests: []\n`, ['has no field "tetss"; did you mean "tests"?']],
    [`${head}tests: [{ name: a }]\n`, ['tests[0] expects nothing, so that it could not fail']],
    [`${head}tests: [{ expect: [{ unmoved: true }] }]\n`, ['tests[0] needs a name']],
    [
      `${head}tests: [{ name: a, expect: [{ scheduld: all }, { unmoved: true }] }]\n`,
      ['tests[0].expect[0] has no field "scheduld"; did you mean "scheduled"?'],
    ],
    [
      `${head}tests: [{ name: a, changes: [{ scale: { object: web } }], expect: [{ fits: always }, { whatever: always }, { holds: "true" }] }]\n`,
      [
        'tests[0].expect[0].fits must be one of: withAnyNodeDown, inAnyOrder',
        'tests[0].expect[1].whatever must be one of: order, ties, oneNodeDown, drain, twoDrains, availability, rollout, settles, zoneLoss, zoneReturn, nodeLoss, nodeReturn, jobs, parts, maximum, apply, autoscaling',
        'tests[0].changes[0].scale.object must look like Deployment/web or prod/Deployment/web',
        'tests[0].changes[0].scale needs replicas',
      ],
    ],
    [
      `${head}tests: [{ name: a, expect: [{ whatever: { happens: ties, holds: "true" } }] }]\n`,
      ['tests[0].expect[0].whatever.holds goes with `happens: order` only'],
    ],
    [`${head}tests:\n  - name: "a\n`, [expect.stringMatching(/./)]],
  ])('that is wrong is told where: %#', (text, problems) => {
    expect(wrong(text)).toEqual(problems);
  });
});

it('a test whose time is over has failed, and has no placements that could be accepted', async () => {
  const { results } = await suiteOf({
    manifests: TWO_ZONES,
    expect: '{ scheduled: all }, { unmoved: true }',
    isOver: () => true,
  });
  expect(results).toMatchObject([
    { failures: [{ message: 'the time was over before this was decided' }], placements: {}, isUndecided: true },
  ]);
});

describe('a file that is made to be slow', () => {
  /** A clock by which the time is over after so many questions. */
  const clock = (questions: number): (() => boolean) => {
    let asked = 0;
    return () => ++asked > questions;
  };
  const QUESTIONS = 200;
  const many = (text: string): string => Array.from({ length: 2 * QUESTIONS }, () => text).join(', ');

  it.each([
    ['expectations', { expect: many('{ scheduled: all }') }],
    ['expressions', { expect: many('{ holds: "pods.size() == 1" }') }],
    ['changes', { expect: '{ scheduled: all }', changes: `[${many('{ scaleBy: 1 }')}]` }],
  ])('is left where the time is over between two of its %s', async (_, given) => {
    const manifests = [...TWO_ZONES, deployment('web', 1, '1')];
    const { results } = await suiteOf({ manifests, ...given, isOver: clock(QUESTIONS) });
    expect(results).toMatchObject([{ isUndecided: true }]);
    const inTime = await suiteOf({ manifests, ...given });
    expect(inTime.results).toMatchObject([{ failures: [] }]);
  });

  const podsOf = (workload: string, count: number): readonly PodModel[] =>
    Array.from({ length: count }, (_, i) => ({ id: `default/${workload}-${i}`, priority: 0 }) as PodModel);

  it('has as many equal Pods as one likes, which come in one order', () => {
    const pods = podsOf('web', 20_000);
    const { orders, count, total } = ordersOf(pods, () => 'Deployment/web');
    expect([[...orders], count, total]).toEqual([[pods], 1, 1]);
  });

  it('has its orders made one by one', () => {
    const pods = podsOf('web', 10);
    const { orders, count } = ordersOf(pods, it => it.id);
    const [first, second] = orders;
    expect([first, second, count]).toEqual([pods, pods.toReversed(), 500]);
  });

  it('has as many domains as one likes, of which the fullest are named', () => {
    const nodes = Array.from({ length: 100_000 }, (_, i) => ({ name: `n${i}`, labels: { rack: `r${i}` } }));
    const pods = nodes.slice(0, 1_000).map(({ name }, i) => ({
      ...{ id: `default/p${i}`, namespace: 'default', name: `p${i}`, labels: {}, workload: '' },
      ...{ node: i === 999 ? 'n5' : name, status: 'scheduled' as const },
    }));
    const message = failureIn({ kind: 'spread', pods: {}, over: 'rack', bounds: { maxPerDomain: 1 } }, { pods, nodes });
    expect(message).toMatch(/^2 are in one rack, at most 1 may be \(r5: 2, r0: 1, .* and 989 more\)$/);
  });

  it('has names of inherited properties', async () => {
    const manifests = [...TWO_ZONES, deployment('web', 2, '1')];
    const over = (label: string): string => `{ spread: { over: ${label}, atLeast: 1 } }`;
    for (const label of ['constructor', 'toString'])
      await checkTest({ manifests, expect: over(label) }, `they are in 0 of at least 1 ${label} (nowhere)`);
    await checkTest({ manifests, expect: '{ unmoved: true }', name: 'constructor' }, /^no placement was accepted yet/);
    await checkTest(
      {
        manifests,
        expect: '{ unmoved: true }',
        accepted: { 'default/web-1': 'a1', 'default/web-2': 'b1', constructor: 'a1' },
      },
      'constructor is gone',
    );
  });

  it.each([
    ['long', `[${'1, '.repeat(5_000)}1].size() == 0`, / is false$|more characters/],
    ['deep', `${'0 + '.repeat(20_000)}0 == 1`, /^Berth cannot evaluate an expression of so many nested parts$/],
  ])('has %s expressions, which are told in short', async (_, expression, message) => {
    const { results } = await suiteOf({ manifests: TWO_ZONES, expect: `{ holds: "${expression}" }` });
    const [told = ''] = results.flatMap(it => it.failures.map(failure => failure.message));
    expect(told).toMatch(message);
    expect(told.length).toBeLessThan(5_000);
  });

  it('loses many Pods at once, of which some are named', async () => {
    const bare = (_: unknown, i: number): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: p${i} }\nspec: { nodeName: a1, containers: [{ name: a, image: "a:1" }] }\n`;
    const manifests = [...TWO_ZONES, ...Array.from({ length: 30 }, bare)];
    const { results } = await suiteOf({ manifests, changes: '[{ nodeDown: a1 }]', expect: '{ pending: all }' });
    expect(results[0]?.notes).toHaveLength(21);
    expect(results[0]?.notes.at(-1)).toBe('and 10 more');
  });

  it.each([
    [1, ['Deployment w0: spec.selector.matchLabels.app is not a string, so the object is left out.']],
    [
      5,
      [0, 1, 2].map(i => `Deployment w${i}: spec.selector.matchLabels.app is not a string, so the object is left out.`),
    ],
  ])('says that %i objects cannot be decoded, whose Pods are in no test', async (count, notes) => {
    const unreadable = Array.from({ length: count }, (_, i) =>
      deployment(`w${i}`, 1, '1').replaceAll(`app: w${i}`, 'app: yes'),
    );
    const manifests = [...TWO_ZONES, deployment('web', 1, '1'), ...unreadable];
    const { results } = await suiteOf({ manifests, expect: '{ scheduled: all }' });
    expect(results[0]).toMatchObject({ failures: [], placements: { 'default/web-1': 'a1' } });
    expect(results[0]?.notes).toEqual(count > 3 ? [...notes, `and ${count - 3} more`] : notes);
  });

  it('says that what a change applies cannot be decoded', async () => {
    const applied = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { app: 1 } } });
    const changes = `[{ apply: '${applied}' }]`;
    const { results } = await suiteOf({ manifests: TWO_ZONES, changes, expect: '{ holds: "pods.size() == 0" }' });
    expect(results[0]).toMatchObject({
      failures: [],
      notes: ['Pod p: metadata.labels.app is not a string, so the object is left out.'],
    });
  });

  it('has more placements than a file of accepted ones holds', async () => {
    const { results } = await suiteOf({ manifests: TWO_ZONES, expect: '{ unmoved: true }' });
    const placements = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`default/p${i}`, 'a1']));
    const accepting = results.map(it => ({ ...it, placements }));
    expect(acceptedAfter(accepting, {})).toEqual({ it: placements });
    expect(
      acceptedAfter(
        Array.from({ length: 1_001 }).flatMap(() => accepting),
        {},
      ),
    ).toBe('tooMany');
  });

  it('has a factor that nothing can be scaled by', () => {
    const text = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
tests: [{ name: it, changes: [{ scaleBy: -1 }, { scaleBy: 0 }], expect: [{ scheduled: all }] }]
`;
    const { problems } = placementTestOf({ uri: 'a.placement-test.yaml', text });
    expect(problems.map(it => it.clause)).toEqual(['tests[0].changes[0].scaleBy needs a factor, a number from 0']);
  });
});

describe('any value at any place of a file of tests', () => {
  const manifests = [...TWO_ZONES, deployment('web', 2, '1')];
  const pods = { workload: 'Deployment/web', namespace: 'default', labels: { app: 'web' } };
  const whole = {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'PlacementTest',
    metadata: { name: 'a' },
    cluster: 'auto',
    manifests: ['.'],
    kubernetesVersion: '1.37',
    featureGates: { GenericWorkload: false },
    tests: [
      {
        name: 'changed',
        changes: [
          { nodeDown: 'a1' },
          { zoneDown: 'a' },
          { drain: 'b1' },
          { cordon: 'b1' },
          { scale: { object: 'Deployment/web', replicas: 3 } },
          { scaleBy: { factor: 2, object: 'default/Deployment/web' } },
          { remove: 'Deployment/web' },
          { apply: 'kind: Pod' },
        ],
        expect: [{ scheduled: 'all' }],
      },
      {
        name: 'all',
        expect: [
          { scheduled: pods },
          { pending: 'all' },
          { spread: { pods, over: 'zone', atLeast: 1, maxPerDomain: 2, maxSkew: 0 } },
          { landOn: { pods, nodes: { a: 'b' } } },
          { victims: { pods, atMost: 1 } },
          { fits: { pods, even: 'inAnyOrder' } },
          { fits: 'withAnyNodeDown' },
          { whatever: { pods, happens: 'order', holds: 'true' } },
          { refused: { object: 'Pod/a', field: 'a', message: 'b', code: 'c' } },
          { unmoved: true },
          { holds: 'true' },
        ],
      },
    ],
  };

  /** The value with others in the place of each of its parts, one after the other. */
  function* variantsOf(value: unknown): Generator<unknown> {
    yield* [null, '', 'x', -1, 1.5, 1e300, true, [], [null], [[]], {}, { constructor: 1 }];
    if (Array.isArray(value)) {
      for (const [i, it] of value.entries()) for (const other of variantsOf(it)) yield value.with(i, other);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, it] of Object.entries(value))
        for (const other of variantsOf(it)) yield { ...value, [key]: other };
    }
  }

  it('is told or followed, and never thrown at', async () => {
    const kube = loadKube('1.37', {}, readPack);
    const files = [...variantsOf(whole)].map(it =>
      placementTestOf({ uri: 'a.placement-test.yaml', text: JSON.stringify(it) }),
    );
    const right = files.filter(it => it.problems.length === 0);
    expect(right.length).toBeGreaterThan(100);
    for (const file of sampled(right, 8)) {
      const { results } = await runPlacementTests(file, {
        kube,
        readPack,
        onBug: throwBug,
        problemsOfFiles,
        finish: runToEnd,
        isOver: () => false,
        manifests: [parseManifests('all.yaml', manifests.join('---\n'))],
        accepted: {},
      });
      for (const { failures, test } of results) expect(failures.length).toBeLessThanOrEqual(test.expect.length);
    }
  });
});
