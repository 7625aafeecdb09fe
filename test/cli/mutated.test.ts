import { describe, expect, it } from 'vitest';
import { type Files, run } from './world';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { pool: ${name} } }
spec: { taints: [{ key: ${name}, effect: NoSchedule }] }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
`;
const SERVICE = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: 2
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "db:1" }] }
`;
/** Pods alone, so that the workload is as it is written. */
const policy = (spec: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: spot, annotations: { pod-policies.kyverno.io/autogen-controllers: none } }
spec:
  rules:
    - name: spot
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { spec: { ${spec} } } }
`;
const TOLERATES = policy('tolerations: [{ key: spot, operator: Exists }]');
const files: Files = {
  '.git/HEAD': '',
  'app/nodes.yaml': `${node('spot')}---\n${node('other')}`,
  'app/db.yaml': SERVICE,
};
const withPolicy = { ...files, 'app/policy.yaml': TOLERATES };

describe('berth place with policies that change Pods', () => {
  it('places what they make of Pods, and says so', async () => {
    expect((await run(['place', 'app'], files)).out).toContain('app: 0 of 2 Pods placed');
    const { out } = await run(['place', 'app'], withPolicy);
    expect(out).toContain('app: 2 of 2 Pods placed');
    expect(out).toContain('ClusterPolicy spot (app/policy.yaml) changes the 2 Pods of StatefulSet default/db: ');
  });

  it('--format json tells each change by its field', async () => {
    const { out } = await run(['place', 'app', '--format', 'json'], withPolicy);
    const { placements, mutations } = JSON.parse(out);
    expect(placements).toEqual({ 'default/db-0': 'spot', 'default/db-1': 'spot' });
    expect(mutations[0]).toMatchObject({
      kind: 'Pod',
      id: 'default/db-0',
      pods: { of: 'StatefulSet default/db', count: 2 },
      by: [{ kind: 'ClusterPolicy', policy: 'spot', file: 'app/policy.yaml' }],
    });
    const { out: bare } = await run(['place', 'app', '--format', 'json'], files);
    expect(JSON.parse(bare)).not.toHaveProperty('mutations');
  });

  it('does not ask policies of a folder of tests beside what is deployed, as check does not, and says so', async () => {
    const { out, err } = await run(['place', '.'], { ...files, 'app/tests/policy.yaml': TOLERATES });
    expect(out).toContain('.: 0 of 2 Pods placed');
    expect(err).toContain('The policies of app/tests/policy.yaml are not asked, as its folder is one of tests');
    const listed = {
      ...files,
      'app/tests/policy.yaml': TOLERATES,
      'berth.yaml': 'environments: { all: { paths: [app] } }\n',
    };
    const meant = await run(['place', '--environment', 'all'], listed);
    expect([meant.out.includes('2 of 2 Pods placed'), meant.err]).toEqual([true, '']);
  });

  it('--explain begins with them', async () => {
    const { out } = await run(['place', 'app', '--explain', 'db-0'], withPolicy);
    expect(out).toMatch(/\n {2}Admission +ClusterPolicy spot \(app\/policy\.yaml\) changes Pod default\/db-0: /);
  });

  it('--suggest tries changes on what policies make of them', async () => {
    const selecting = policy('nodeSelector: { pool: spot }');
    const { out } = await run(['place', 'app', '--suggest'], { ...files, 'app/policy.yaml': selecting });
    expect(out).toContain('Tolerate the taint spot:NoSchedule');
    expect(out).not.toContain('Tolerate the taint other:NoSchedule');
  });

  it('says what it does not know where a policy needs the engine', async () => {
    const mutating = `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: { name: tolerate }
spec: { applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }], location: spec.hostNetwork, parameters: { assign: { value: true } } }
`;
    const { err } = await run(['place', 'app'], { ...files, 'app/policy.yaml': mutating });
    expect(err).toBe('berth: What Assign here would change or refuse is not known: this build has no policy engine.\n');
  });
});

describe('berth test with policies that change Pods', () => {
  const TEST = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [../app]
tests:
  - name: fits
    expect: [{ scheduled: all }]
  - name: goes on without a node
    changes: [{ nodeDown: other }, { scaleBy: 2 }]
    expect: [{ scheduled: all }]
`;

  it('places what they make of Pods, also after what a test changes', async () => {
    const test = { 'tests/db.placement-test.yaml': TEST };
    expect((await run(['test', 'tests'], { ...files, ...test })).out).toContain('2 failed');
    expect((await run(['test', 'tests'], { ...withPolicy, ...test })).out).toContain('2 tests passed');
  });
});

describe('berth check with policies that change Pods', () => {
  it('tells of no Pod that they help to a node', async () => {
    const codes = async (given: Files) => {
      const { out } = await run(['check', 'app', '--only', 'placement', '--format', 'json'], given);
      return JSON.parse(out).problems.map((it: { readonly code: string }) => it.code);
    };
    expect(await codes(files)).toContain('placement/unschedulable');
    expect(await codes(withPolicy)).toEqual([]);
  });
});
