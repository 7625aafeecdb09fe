import { describe, expect, it } from 'vitest';
import { run } from './world';

const files = {
  'cluster.yaml': `apiVersion: v1
kind: Node
metadata: { name: n0 }
spec: { taints: [{ key: old, effect: PreferNoSchedule }] }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
---
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "1", memory: 8Gi, pods: "20" } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: nginx, resources: { requests: { cpu: "2" } } }] }
`,
  'policy.yaml': `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: tidy
  pluginConfig:
  - name: RemovePodsViolatingNodeTaints
    args: { includePreferNoSchedule: true }
  plugins: { deschedule: { enabled: [RemovePodsViolatingNodeTaints] } }
`,
  'bad.yaml': `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: tidy
  plugins: { balance: { enabled: [RemoveDuplicate] } }
`,
  'vpa.yaml': `apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: web }
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
status:
  recommendation:
    containerRecommendations: [{ containerName: app, target: { cpu: "3" }, lowerBound: { cpu: "3" } }]
`,
};

const text = (...args: readonly string[]) => run(['what-if', ...args], files);
const json = async (...args: readonly string[]) => {
  const done = await text(...args, '--format', 'json');
  return { ...done, json: JSON.parse(done.out) };
};

const unreadable = `apiVersion: v1
kind: Pod
metadata: { name: odd, labels: { app: y } }
spec: { nodeName: n0, containers: [{ name: app, image: nginx }] }
`;

describe('berth what-if', () => {
  const question = { 'a descheduler': ['--descheduler', 'policy.yaml'], 'a VPA': ['vpa.yaml', '--vpa'] };

  it.each(Object.entries(question))('tells of %s which objects do not count', async (_, args) => {
    const given = { ...files, 'pod.yaml': unreadable };
    const asked = (...more: readonly string[]) => run(['what-if', 'cluster.yaml', 'pod.yaml', ...args, ...more], given);
    const message = 'Pod odd: metadata.labels.app is not a string, so the object is left out.';
    expect((await asked()).out).toMatch(`note default/odd: ${message}\n`);
    const { notes } = JSON.parse((await asked('--format', 'json')).out);
    expect(notes).toContainEqual({ pod: 'default/odd', message });
  });

  it('tells of very many objects the first, and how many there are', async () => {
    const pods = Array.from({ length: 30 }, (_, i) => unreadable.replace('odd', `p${i}`)).join('---\n');
    const asked = ['what-if', 'cluster.yaml', 'pods.yaml', '--descheduler', 'policy.yaml'];
    const { out } = await run(asked, { ...files, 'pods.yaml': pods });
    expect(out.match(/^note .* is left out\.$/gm)).toHaveLength(20);
    expect(out).toContain('\n… 10 more with --format json\n');
  });

  it.each(Object.entries(question))('tells of %s the beginning of a name that no server accepts', async (_, args) => {
    const name = 'n'.repeat(50_000);
    const given = { ...files, 'cluster.yaml': files['cluster.yaml'].replace('name: n0', `name: ${name}`) };
    for (const format of ['text', 'json']) {
      const { out } = await run(['what-if', 'cluster.yaml', ...args, '--format', format], given);
      expect(out).not.toContain(name);
      expect(out).toContain('nnn… (46,000 more characters)');
    }
  });
});

describe('berth what-if --descheduler', () => {
  it('tells whom it evicts, where they land, and that this never ends', async () => {
    const { code, out } = await text('cluster.yaml', '--descheduler', 'policy.yaml');
    expect(code).toBe(1);
    expect(out).toContain(
      'Round 1 evicts 2 Pods:\n  default/web-1 on n0 — RemovePodsViolatingNodeTaints: it does not tolerate',
    );
    expect(out).toMatch(/Then these Pods are placed:\n(?: {2}default\/web-\S+ on n0\n){2}/);
    expect(out).toContain('This never settles: after round 1 all is as it was at the start, a cycle of 2 states.');
  });

  it('tells the same as JSON, and exits with 0 where nothing counts', async () => {
    const { code, json: line } = await json('cluster.yaml', '--descheduler', 'policy.yaml', '--fail-on', 'never');
    expect(code).toBe(0);
    expect(line).toMatchObject({
      contract: 1,
      scenario: 'cluster.yaml',
      descheduler: {
        rounds: [{ evictions: [{ pod: 'default/web-1', node: 'n0', profile: 'tidy' }, { pod: 'default/web-2' }] }],
        ending: { kind: 'cycle', from: 1, back: 1, states: 2 },
      },
    });
  });

  it.each([
    [
      ['--descheduler', 'bad.yaml'],
      /bad\.yaml: profiles\[0\]\.plugins\.balance\.enabled\[0\]: it has no plugin "RemoveDuplicate"; did you mean "RemoveDuplicates"\?/,
    ],
    [['--descheduler', 'vpa.yaml'], /vpa\.yaml: this holds no DeschedulerPolicy/],
    [['--descheduler', 'gone.yaml'], /gone\.yaml/],
    [['--descheduler', 'policy.yaml', '--rounds', '0'], /--rounds "0" must be a whole number from 1 on/],
    [['--descheduler', 'policy.yaml', '--at', 'noon'], /--at "noon" is not a time/],
    [['--vpa'], /cluster\.yaml holds no VerticalPodAutoscaler\./],
    [['vpa.yaml', '--vpa', 'db'], /holds no VerticalPodAutoscaler db \(the name follows --vpa/],
    [[], /needs one of --descheduler FILE and --vpa/],
  ])('cannot do %j, and says why', async (args, message) => {
    const { code, json: line, err } = await json('cluster.yaml', ...args);
    expect(code).toBe(2);
    expect(line.error).toMatch(message);
    expect(err).toContain(line.error);
  });
});

describe('berth what-if --vpa', () => {
  it('says that it cannot know without a recommendation', async () => {
    const [before = ''] = files['vpa.yaml'].split('status:');
    const { code, out } = await run(['what-if', 'cluster.yaml', 'v.yaml', '--vpa'], { ...files, 'v.yaml': before });
    expect(code).toBe(0);
    expect(out).toContain(
      'note It has no status.recommendation: only a recommender that watched the Pods can write one.',
    );
    expect(out).not.toContain('Recreate');
  });

  it('tells what becomes of the Pods under each update mode', async () => {
    const { code, out } = await text('cluster.yaml', 'vpa.yaml', '--vpa', 'web');
    expect(code).toBe(1);
    expect(out).toContain('VerticalPodAutoscaler default/web, 2 running Pods');
    expect(out).toContain(
      '  Recreate (as it is):\n    round 1: default/web-1 is evicted from n0: the cpu request of app is below the lower bound',
    );
    expect(out).toMatch(/then default\/web-\S+ waits: 0\/2 nodes are available/);
    expect(out).toContain('  InPlace:\n    default/web-1 stays as it is on n0: n0 has not enough cpu left');
  });
});
