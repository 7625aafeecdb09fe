import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { placementTestOf } from '../../server/src/analysis/placementTests';
import { plain } from '../../server/src/cli/render/style';
import { renderTests } from '../../server/src/cli/render/tests';
import { type Files, NOTHING_OUTSIDE, run, runIn } from './world';

const NODES = ['a1', 'b1'].map(
  name => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
`,
);
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1", resources: { requests: { cpu: "3" } } }] }
`;
const TEST = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [../app]
tests:
  - name: fits
    expect: [{ scheduled: all }, { spread: { atLeast: 2 } }]
  - name: fits <without> a node
    expect: [{ fits: withAnyNodeDown }]
  - name: stays
    expect: [{ unmoved: true }]
`;
const files: Files = {
  '.git/HEAD': '',
  'app/nodes.yaml': NODES.join('---\n'),
  'app/web.yaml': WEB,
  'tests/web.placement-test.yaml': TEST,
};

describe('berth test', () => {
  it('runs the tests below a folder, on the manifests that they name', async () => {
    const { code, out } = await run(['test', 'tests'], files);
    expect(code).toBe(1);
    expect(out).toBe(`tests/web.placement-test.yaml
  ok     fits
  failed fits <without> a node
         fits: without a1, default/web-2 has no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
  failed stays
         unmoved: no placement was accepted yet; accept this one with \`berth test --update\`

1 test passed, 2 failed (0 ms)
`);
  });

  it('accepts placements with --update, and then finds them unmoved', async () => {
    const updated = await run(['test', 'tests', '--filter', 'stays', '--update'], files);
    expect(updated.code).toBe(0);
    const accepted = updated.written['tests/web.placements.json'] ?? '';
    expect(JSON.parse(accepted)).toEqual({ stays: { 'default/web-1': 'a1', 'default/web-2': 'b1' } });
    const after = { ...files, 'tests/web.placements.json': accepted };
    expect((await run(['test', 'tests', '--filter', 'stays'], after)).code).toBe(0);
    const moved = { ...after, 'app/nodes.yaml': NODES.join('---\n').replaceAll('b1', 'c1') };
    const { out } = await run(['test', 'tests', '--filter', 'stays'], moved);
    expect(out).toContain('unmoved: default/web-2 moved from b1 to c1\n');
  });

  it('speaks JUnit, TAP and JSON', async () => {
    const junit = await run(['test', 'tests', '--format', 'junit'], files);
    expect(junit.out).toContain('<testsuite name="tests/web.placement-test.yaml" tests="3" failures="2" errors="0">');
    expect(junit.out).toContain('name="fits &lt;without&gt; a node">\n      <failure message="without a1, ');
    const tap = await run(['test', 'tests', '--format', 'tap'], files);
    expect(tap.out).toMatch(/^TAP version 14\n1\.\.3\nok 1 - tests\/web\.placement-test\.yaml: fits\nnot ok 2 - /);
    const json = JSON.parse((await run(['test', 'tests', '--format', 'json'], files)).out);
    expect(json).toMatchObject({ contract: 1, files: [{ path: 'tests/web.placement-test.yaml', problems: [] }] });
    expect(json.files[0].tests[0]).toMatchObject({
      name: 'fits',
      line: 5,
      passed: true,
      placements: { 'default/web-1': 'a1', 'default/web-2': 'b1' },
    });
  });

  it('tells TAP nothing that skips a test, whatever its name is', async () => {
    const text = TEST.replace('name: stays', String.raw`name: 'stays \# SKIP \\# TODO'`);
    const tap = await run(['test', '--format', 'tap'], { ...files, 'tests/web.placement-test.yaml': text });
    expect(tap.out).toContain(String.raw`not ok 3 - tests/web.placement-test.yaml: stays \\\# SKIP \\\\\# TODO`);
  });

  it('tells TAP all that a test failed of, in YAML that can be read', async () => {
    const text = TEST.replace('{ unmoved: true }', '{ pending: all }, { unmoved: true }, { holds: "false" }');
    const tap = await run(['test', '--format', 'tap'], { ...files, 'tests/web.placement-test.yaml': text });
    const [, block = ''] = /not ok 3 .*\n {2}---\n([\s\S]*?) {2}\.\.\./.exec(tap.out) ?? [];
    expect(parse(block)).toEqual({
      message: expect.stringContaining('has the node'),
      others: [expect.stringContaining('no placement was accepted'), 'false is false'],
    });
  });

  it('takes the cluster from elsewhere where the file says so', async () => {
    const snapshot = { ...files, 'tests/prod.yaml': NODES[0]! };
    const text = TEST.replace('manifests:', 'cluster: snapshot:prod.yaml\nmanifests:');
    const { out } = await run(['test', '--filter', 'fits'], { ...snapshot, 'tests/web.placement-test.yaml': text });
    expect(out).toContain('failed fits\n         scheduled: default/web-2 has no node: 0/1 nodes are available');
  });

  const ENVIRONMENTS = `kubernetesVersion: "1.37"
environments:
  old: { paths: [tests], kubernetesVersion: "1.35" }
`;
  const KIND = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes: [{ role: control-plane, image: "kindest/node:v1.35.0" }]
`;
  const GATE = 'featureGates: { RelaxedServiceNameValidation: false }\n';
  const REFUSED = `apiVersion: berth.dev/v1alpha1
kind: PlacementTest
manifests: [../app]
tests:
  - name: refused
    expect: [{ refused: { object: Service/1-web, field: metadata.name } }]
`;

  it.each([
    ['no berth.yaml', '', {}, 1],
    ['the version of berth.yaml', '', { 'berth.yaml': 'kubernetesVersion: "1.35"\n' }, 0],
    ['that of the environment that the file of tests belongs to', '', { 'berth.yaml': ENVIRONMENTS }, 0],
    ['that of the cluster of berth.yaml', '', { 'berth.yaml': 'cluster: kind:kind.yaml\n', 'kind.yaml': KIND }, 0],
    ['that of the newest one where the cluster is live', '', { 'berth.yaml': 'cluster: live\n' }, 1],
    ['its own version', 'kubernetesVersion: "1.35"\n', { 'berth.yaml': 'kubernetesVersion: "1.37"\n' }, 0],
    [
      'the gates of berth.yaml',
      '',
      { 'berth.yaml': 'kubernetesVersion: "1.36"\nfeatureGates: { RelaxedServiceNameValidation: false }\n' },
      0,
    ],
    [
      'the gates of the cluster of berth.yaml',
      '',
      { 'berth.yaml': 'kubernetesVersion: "1.36"\ncluster: kind:kind.yaml\n', 'kind.yaml': KIND + GATE },
      0,
    ],
    [
      'the gates of a cluster of its own',
      'cluster: kind:../kind.yaml\nkubernetesVersion: "1.36"\n',
      { 'kind.yaml': KIND + GATE },
      0,
    ],
    [
      'its own gates',
      'featureGates: { RelaxedServiceNameValidation: true }\n',
      { 'berth.yaml': 'kubernetesVersion: "1.36"\nfeatureGates: { RelaxedServiceNameValidation: false }\n' },
      1,
    ],
  ])('runs with %s', async (_, head, around: Files, exitCode) => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: 1-web }\nspec: { ports: [{ port: 80 }] }\n';
    const own = {
      'app/nodes.yaml': NODES[0]!,
      'app/service.yaml': service,
      'tests/a.placement-test.yaml': head + REFUSED,
    };
    const { code, err } = await run(['test', 'tests'], { '.git/HEAD': '', ...around, ...own });
    expect([code, err]).toEqual([exitCode, '']);
  });

  it.each([
    ['no test', { 'app/web.yaml': WEB }, 'There is no *.placement-test.yaml in .'],
    [
      'manifests that are not there',
      { ...files, 'tests/web.placement-test.yaml': TEST.replace('../app', '../nowhere') },
      'tests/web.placement-test.yaml tests nowhere, which cannot be read: There is no such file or folder.\n',
    ],
    [
      'a cluster that is no source',
      { ...files, 'tests/web.placement-test.yaml': TEST.replace('manifests:', 'cluster: prod\nmanifests:') },
      'tests/web.placement-test.yaml: cluster "prod" is not one of: auto, default, workspace, kind:FILE',
    ],
  ])('says what is wrong with %s and exits with 2', async (_, given, message) => {
    const { code, err } = await run(['test'], given);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('tells what is wrong in a file, and exits with 2', async () => {
    const text = TEST.replace('scheduled', 'scheduld');
    const { code, out } = await run(['test'], { ...files, 'tests/web.placement-test.yaml': text });
    expect(code).toBe(2);
    expect(out).toContain('tests/web.placement-test.yaml:6: tests[0].expect[0] has no field "scheduld"; did you mean');
  });

  it('tells the first thousand things that are wrong in a file, and how many more there are', async () => {
    const text = `${TEST.slice(0, TEST.indexOf('  - name'))}${'  - { name: it }\n'.repeat(2_000)}`;
    const { code, out } = await run(['test', '--format', 'json'], { ...files, 'tests/web.placement-test.yaml': text });
    const { problems } = JSON.parse(out).files[0];
    expect([code, problems.length, problems.at(-1)]).toEqual([
      2,
      1_001,
      'tests/web.placement-test.yaml: and 2,999 more',
    ]);
  });

  it('tells the nodes of so many Pods as a reader can use, and of how many tests not', () => {
    const placements = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`default/p${i}`, 'a1']));
    const { tests } = placementTestOf({ uri: 'a.placement-test.yaml', text: TEST });
    const results = Array.from({ length: 200 }).flatMap(() =>
      tests.map(it => ({ test: it, failures: [], placements, notes: [] })),
    );
    const { files: told, cut } = JSON.parse(
      renderTests({ files: [{ path: 'a', problems: [], results }], milliseconds: 0 }, 'json', plain),
    );
    expect(told[0].tests).toHaveLength(600);
    expect(told[0].tests.filter((it: object) => 'placements' in it)).toHaveLength(400);
    expect(cut).toEqual({ placements: 200 });
  });

  it('reads a folder once that a file of tests names very often', async () => {
    const text = TEST.replace('[../app]', `[${'../app, ../app/, ./../app, '.repeat(5_000)}]`);
    const listed: string[] = [];
    const list = async (path: string) => {
      listed.push(path);
      return { value: ['nodes.yaml', 'web.yaml'].map(name => ({ name, kind: 'file' as const })) };
    };
    const given = { ...files, 'tests/web.placement-test.yaml': text };
    const argv = ['test', 'tests/web.placement-test.yaml', '--filter', 'stays', '--update'];
    const { code } = await runIn({ ...NOTHING_OUTSIDE, list }, argv, given, '');
    expect([code, listed]).toEqual([0, ['app']]);
  });

  it('passes the example', async () => {
    const folder = join(import.meta.dirname, '../../examples/placement-tests');
    const example = Object.fromEntries(readdirSync(folder).map(it => [it, readFileSync(join(folder, it), 'utf8')]));
    const { code, out } = await run(['test'], example);
    expect([code, out.split('\n').at(-2)]).toEqual([0, '3 tests passed, 0 failed (0 ms)']);
  });
});
