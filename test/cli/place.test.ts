import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OuterWorld } from '../../server/src/cli/world';
import { type Files, run } from './world';

const node = (name: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\nstatus: { capacity: { cpu: "2", memory: 4Gi, pods: "9" }, allocatable: { cpu: "2", memory: 4Gi, pods: "9" } }\n`;
const pod = (name: string, cpu: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: c, image: i, resources: { requests: { cpu: "${cpu}" } } }] }\n`;
const scenario = (...docs: readonly string[]): string => docs.join('---\n');
const files = {
  'fits.yaml': scenario(node('n1'), node('n2'), pod('web', '1')),
  'full/nodes.yaml': node('n1'),
  'full/pods.yaml': pod('big', '4'),
  'pods.yaml': pod('web', '1'),
  'cluster.yaml': scenario(node('c1'), pod('other', '1')),
  'broken.yaml': scenario(node('n1'), pod('web', '1'), 'a: [\n'),
} satisfies Files;
const json = async (...args: readonly string[]) => {
  const done = await run(['place', '--format', 'json', ...args], files);
  const lines = done.out.trim().split('\n');
  return { ...done, lines: lines.map(it => JSON.parse(it)) };
};

const jsonOf = async (more: Files) => {
  const done = await run(['place', '--format', 'json', ...Object.keys(more)], { ...files, ...more });
  return {
    lines: done.out
      .trim()
      .split('\n')
      .map(it => JSON.parse(it)),
  };
};

describe('berth place', () => {
  it('--compare sets the strategies and the optimum side by side, with gaps', async () => {
    const more = { 'tight.yaml': scenario(node('n1'), node('n2'), pod('a', '1'), pod('b', '1'), pod('big', '2')) };
    const text = await run(['place', '--compare', 'tight.yaml'], more);
    const rows = text.out.split('\n').filter(it => /^ {2}(STRATEGY|default|pack|spread|optimal) /.test(it));
    expect(rows.slice(-5)).toEqual([
      '  STRATEGY  NODES USED  PENDING  OBJECTIVE     GAP',
      '  default            2        1          5  60.0 %',
      '  pack               2        0          2   0.0 %',
      '  spread             2        1          5  60.0 %',
      '  optimal            2        0          2   0.0 %',
    ]);
    expect(text.out).toContain('No placement that evicts nobody else has a lower objective.');
    const { out } = await run(['place', '--compare', '--format', 'json', 'tight.yaml'], more);
    const { comparison } = JSON.parse(out);
    expect(comparison.strategies[0]).toEqual({
      strategy: 'default',
      nodesUsed: 2,
      pending: 1,
      objective: 5,
      gap: 0.6,
    });
    expect(comparison.optimum).toMatchObject({ proof: 'optimal', kept: {} });
    const { placements } = comparison.optimum;
    expect(placements['default/a']).toBe(placements['default/b']);
    expect(placements['default/big']).not.toBe(placements['default/a']);
  });

  it('answers a line a scenario, in the order of the arguments', async () => {
    const { code, lines } = await json('full', 'fits.yaml');
    expect(code).toBe(1);
    expect(lines.map(it => it.scenario)).toEqual(['full', 'fits.yaml']);
    expect(lines[1]).toMatchObject({
      contract: 1,
      attempts: [{ pod: 'default/web', attempt: 1, status: 'scheduled', node: 'n1', tiedNodes: ['n1', 'n2'] }],
      placements: { 'default/web': 'n1' },
      evicted: [],
    });
    expect(lines[0].attempts[0]).toMatchObject({ status: 'unschedulable' });
    expect(lines[0].attempts[0].message).toMatch(/^0\/1 nodes are available: 1 Insufficient cpu\./);
  });

  it.each([
    [['full'], 1],
    [['--fail-on', 'never', 'full'], 0],
    [['fits.yaml'], 0],
  ])('%j exits with %i', async (args, code) => {
    expect((await json(...args)).code).toBe(code);
  });

  it('says when the example cluster stands in', async () => {
    const { out } = await run(['place', 'pods.yaml'], files);
    expect(out).toContain('no Node is given, so that an example cluster of');
  });

  it('does not hold a plugin of another build against a configuration', async () => {
    const configuration = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: { multiPoint: { enabled: [{ name: Coscheduling }, { name: OurOwn }] } }
`;
    const { lines } = await jsonOf({ 'own-build.yaml': scenario(files['fits.yaml'], configuration) });
    expect(lines[0].notes.map((it: { message: string }) => it.message)).toEqual([
      'The scheduler plugin OurOwn is not known; the result does not take it into account.',
    ]);
  });

  it('tells what the cycles of groups came to', async () => {
    const member = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { schedulingGroup: { podGroupName: gang }, containers: [{ name: main, image: app:1 }] }
`;
    const gang = `apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: { name: gang, namespace: default }
spec: { schedulingPolicy: { gang: { minCount: 2 } } }
`;
    const options = `apiVersion: berth.dev/v1alpha1
kind: ScenarioOptions
featureGates: { GenericWorkload: true }
`;
    const { lines } = await jsonOf({ 'gang.yaml': scenario(options, gang, member('a'), member('b')) });
    expect(lines[0].groups).toEqual([{ group: 'default/gang', status: 'scheduled' }]);
  });

  it('tells in which queue a Pod waits, and for what', async () => {
    const { lines } = await json('full');
    expect(lines[0].queue).toMatchObject([
      { pod: 'default/big', queue: 'unschedulable', rejectedBy: ['NodeResourcesFit'] },
    ]);
    expect(lines[0].queue[0].waitsFor).toContainEqual({ resource: 'Node', action: 'Add', plugin: 'NodeResourcesFit' });
    const { out } = await run(['place', 'full'], files);
    expect(out).toContain('  default/big stays in the unschedulable queue until a running Pod goes, ');
    expect(out).toMatch(/^ {2}Queues: 0 active, 0 backoff, \d+ unschedulable, \d+ gated$/m);
    expect((await run(['place', 'fits.yaml'], files)).out).not.toContain(' queue');
  });

  it('places on with what is left of a broken scheduler configuration, and says what is wrong', async () => {
    const configuration = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
parallelism: 0
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args: { scoringStrategy: { type: Most }, ignoredResource: [] }
`;
    const { lines } = await jsonOf({ 'broken-config.yaml': scenario(files['fits.yaml'], configuration) });
    expect(lines[0].placements).toEqual({ 'default/web': 'n1' });
    expect(lines[0].notes.map((it: { message: string }) => it.message)).toEqual([
      'kube-scheduler does not start with this configuration: unknown field "profiles[0].pluginConfig[0].args.ignoredResource"',
      'kube-scheduler does not start with this configuration: parallelism: Invalid value: 0: should be an integer value greater than zero',
      'kube-scheduler does not start with this configuration: profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Most": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ]);
  });

  const withExtender = {
    'extended.yaml': scenario(
      node('n1'),
      node('n2'),
      pod('web', '1'),
      pod('api', '1'),
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nextenders:\n- { urlPrefix: http://x, filterVerb: filter, prioritizeVerb: score, weight: 1, nodeCacheCapable: true }\n',
    ),
  };

  it('asks extenders when it is told to, and only then', async () => {
    const posted: string[] = [];
    const post: OuterWorld['post'] = async (url, body) => {
      posted.push(`${url} ${JSON.parse(body).Pod.metadata.name}`);
      const [first, second] = JSON.parse(body).NodeNames;
      const text = url.endsWith('/filter')
        ? JSON.stringify({ NodeNames: [first, second] })
        : JSON.stringify([{ Host: second, Score: 10 }]);
      return { value: { status: 200, text } };
    };
    const asked = await run(['place', '--format', 'json', '--ask-extenders', 'extended.yaml'], withExtender, '', post);
    expect(JSON.parse(asked.out).placements).toEqual({ 'default/web': 'n2', 'default/api': 'n2' });
    expect(posted).toEqual(['http://x/filter web', 'http://x/score web', 'http://x/filter api', 'http://x/score api']);
    const silent = await run(['place', '--format', 'json', 'extended.yaml'], withExtender, '', post);
    expect(posted).toHaveLength(4);
    expect(JSON.parse(silent.out).notes[0].message).toMatch(
      /^Extender http:\/\/x was not asked \(filter, prioritize\)/,
    );
  });

  it.each<[string, Awaited<ReturnType<OuterWorld['post']>>, string]>([
    ['nobody answers', { failure: 'ECONNREFUSED' }, 'Post "http://x/filter": ECONNREFUSED'],
    [
      'the answer is an error',
      { value: { status: 500, text: '' } },
      'failed filter with extender at URL http://x/filter, code 500',
    ],
    ['the answer is no JSON', { value: { status: 200, text: '<html>' } }, 'the answer of http://x/filter is no JSON'],
  ])('tells when %s', async (_, answer, message) => {
    const done = await run(
      ['place', '--format', 'json', '--ask-extenders', 'extended.yaml'],
      withExtender,
      '',
      async () => answer,
    );
    expect(JSON.parse(done.out).attempts[0]).toMatchObject({ status: 'error', message });
    expect(done.code).toBe(1);
  });

  it('takes the cluster of a snapshot', async () => {
    const { lines } = await json('--cluster', 'snapshot:cluster.yaml', 'pods.yaml');
    expect(lines[0].placements).toMatchObject({ 'default/web': 'c1' });
    expect(lines[0].cluster).toBe('given');
  });

  it('prints a table, and with --verbose what every node said', async () => {
    const { out } = await run(['place', 'full', '--verbose'], files);
    expect(out).toContain('full: 0 of 1 Pod placed; 1 node\n');
    expect(out).toMatch(/ {2}default\/big {2}- {5}unschedulable: 0\/1 nodes are available/);
    expect(out).toContain('      n1: NodeResourcesFit: Insufficient cpu\n');
  });

  it.each<[readonly string[], RegExp]>([
    [['--cluster', 'kind:fits.yaml', 'pods.yaml'], /kind:fits\.yaml cannot be used: the file holds no Cluster of kind/],
    [['--cluster', 'kind:', 'pods.yaml'], /must look like kind:FILE/],
    [['--cluster', 'moon', 'pods.yaml'], /"moon" is not one of/],
    [['--cluster', 'snapshot:nowhere.yaml', 'pods.yaml'], /cannot be used: there is no file nowhere\.yaml/],
    [['--scheduler-config', 'nowhere.yaml', 'pods.yaml'], /nowhere\.yaml: There is no such file/],
    [['--scheduler-config', 'pods.yaml', 'pods.yaml'], /holds no KubeSchedulerConfiguration/],
    [['--fail-on', 'error', 'pods.yaml'], /--fail-on "error"/],
    [['nowhere'], /nowhere: There is no such file or folder\./],
    [['--nope'], /[Uu]nknown option/],
  ])('%j: exit 2, one sentence, valid JSON', async (args, sentence) => {
    const { code, err, lines } = await json(...args);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(lines).toHaveLength(1);
    expect(lines[0].error).toMatch(sentence);
  });

  it('answers for what can be read of a broken file, and says what cannot', async () => {
    const { code, lines } = await json('broken.yaml', 'fits.yaml');
    expect(code).toBe(2);
    expect(lines[0].placements).toEqual({ 'default/web': 'n1' });
    expect(lines[0].error).toMatch(/^broken\.yaml:\d+: /);
    expect(lines[1].error).toBeUndefined();
  });
});

describe('berth place --suggest and --explain', () => {
  const tainted = node('n2').replace(
    'status:',
    'spec: { taints: [{ key: a, value: b, effect: NoSchedule }] }\nstatus:',
  );
  const more = { 'stuck.yaml': scenario(node('n1'), tainted, pod('web', '1'), pod('two', '1500m')) };

  it('says below a Pod without a node what to change', async () => {
    const { out, code } = await run(['place', '--suggest', 'stuck.yaml'], more);
    expect(code).toBe(1);
    const lines = out.split('\n').filter(it => it.trimStart().startsWith('try'));
    expect(lines).toEqual([
      '      try Tolerate the taint a=b:NoSchedule: the Pod lands on n2',
      '      try Request 1 cpu instead of 1500m (container c): the Pod lands on n1',
    ]);
  });

  it('gives them as data with the changes of the files, on the attempt', async () => {
    const { out } = await run(['place', '--suggest', '--format', 'json', 'stuck.yaml'], more);
    const { attempts } = JSON.parse(out);
    expect(attempts[0].suggestions).toBeUndefined();
    expect(attempts[1].suggestions[1]).toEqual({
      title: 'Request 1 cpu instead of 1500m (container c)',
      effect: 'the Pod lands on n1',
      changes: [
        {
          kind: 'lowerRequest',
          plugin: 'NodeResourcesFit',
          words: 'request 1 cpu instead of 1500m (container c)',
        },
      ],
      edits: [
        {
          object: { group: '', kind: 'Pod', namespace: 'default', name: 'two' },
          fieldPath: 'spec.containers[0].resources.requests.cpu',
          action: 'set',
          value: '1',
        },
      ],
      files: [
        {
          path: 'stuck.yaml',
          range: { start: { line: 19, character: 72 }, end: { line: 19, character: 79 } },
          newText: '"1"',
        },
      ],
      outcome: {
        node: 'n1',
        opens: ['n1'],
        alsoPlaced: [],
        noLongerPlaced: [],
        evicted: [],
        stillWithout: [],
      },
    });
  });

  it('counts what is kept for nominated Pods as taken, and says so', async () => {
    const pod = (name: string, cpu: number, more = '') => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { ${more} containers: [{ name: c, image: "x:1", resources: { requests: { cpu: ${cpu} } } }] }
`;
    const node = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }
`;
    const kept = `${pod('kept', 3, 'schedulingGates: [{ name: wait }],')}status: { nominatedNodeName: n1 }\n`;
    const { out } = await run(['place', '--explain', 'low', 'kept.yaml'], {
      'kept.yaml': [node, kept, pod('low', 2)].join('---\n'),
    });
    expect(out).toContain(
      'the Pod asks for 2, and there only 1 of 4 is free, as 3 is kept for Pods that are nominated to it (default/kept)',
    );
  });

  it('tells the decision about one Pod in sentences, by its name alone, too', async () => {
    const { out } = await run(['place', '--explain', 'two', 'stuck.yaml'], more);
    expect(out.split('\n')[0]).toBe('stuck.yaml: default/two has no node.');
    expect(out).toMatch(
      /NodeResourcesFit +n1 is out: too little cpu: the Pod asks for 1500m, and there only 1 of 2 is free/,
    );
    const asJson = await run(['place', '--explain', 'default/two', '--format', 'json', 'stuck.yaml'], more);
    expect(JSON.parse(asJson.out).explanation[0]).toEqual({
      plugin: 'PrioritySort',
      sentence: expect.stringMatching(/^Its turn is number 2 of 2/),
      nodes: [],
    });
  });

  it('says so when there is no such Pod', async () => {
    const { code, err } = await run(['place', '--explain', 'nobody', 'stuck.yaml'], more);
    expect([code, err]).toEqual([2, 'berth: stuck.yaml has no Pod nobody.\n']);
  });
});

describe('the examples show what their comments say', () => {
  const examples = join(import.meta.dirname, '../../examples');
  const example = (name: string): Files =>
    Object.fromEntries(
      readdirSync(join(examples, name))
        .filter(it => it.endsWith('.yaml'))
        .map(it => [it, readFileSync(join(examples, name, it), 'utf8')]),
    );
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['preemption', { 'default/urgent': 'worker' }, ['default/low']],
    ['tolerations', { 'default/tolerant': 'gpu' }, []],
    ['spread-and-pack/spread', { 'default/web': 'empty' }, []],
    ['spread-and-pack/pack', { 'default/web': 'busy' }, []],
    ['storage-capacity', { 'default/database': 'roomy' }, []],
    ['database-clone/with-grant', { 'staging/database': 'worker' }, []],
    ['database-clone/without-grant', { 'staging/database': 'worker' }, []],
  ])('%s', async (name, placements, evicted) => {
    const { out } = await run(['place', '--format', 'json'], example(name));
    expect(JSON.parse(out)).toMatchObject({ placements, evicted });
    expect(Object.keys(JSON.parse(out).placements)).toEqual(Object.keys(placements));
  });

  it('three-zones has a Pod that preempts and one that waits', async () => {
    const { out } = await run(['place', '--format', 'json'], example('three-zones'));
    const { placements, evicted } = JSON.parse(out);
    expect(evicted).toEqual(['default/nightly-2']);
    expect(placements).toMatchObject({ 'default/orders-3': 'b-2' });
    expect(Object.keys(placements)).toHaveLength(10);
    expect(placements).not.toHaveProperty(['default/images-1']);
  });

  it('shop has its three mistakes and no other', async () => {
    const { out } = await run(['check', '--format', 'json'], example('shop'));
    const codes = JSON.parse(out).problems.map((it: { code: string }) => it.code);
    expect(codes.sort()).toEqual([
      'decode/unknown-field',
      'placement/duplicate-toleration',
      'references/priority-class-missing',
    ]);
  });
});
