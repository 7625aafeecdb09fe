import { beforeEach, expect, it, vi } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { run } from './world';

vi.mock('../../server/src/manifest/parse', { spy: true });
beforeEach(() => {
  vi.mocked(parseManifests).mockClear();
});

const node = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
`;
const pod = (name: string, cpu: number): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: c, image: a, resources: { requests: { cpu: ${cpu} } } }] }
`;
const labelling = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: label }
spec:
  rules:
    - name: label
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { metadata: { labels: { team: shop } } } }
`;
const files = { 'nodes.yaml': node, 'pods.yaml': `${pod('web', 1)}---\n${pod('big', 9)}`, 'policy.yaml': labelling };

/** How often each file was parsed as it is written. A suggestion parses the text that it changes, too. */
function parses(): Readonly<Record<string, number>> {
  const { calls } = vi.mocked(parseManifests).mock;
  const of = ([uri, text]: [string, string]) => calls.filter(it => it[0] === uri && it[1] === text).length;
  return Object.fromEntries(Object.entries(files).map(it => [it[0], of(it)]));
}

const ONCE = { 'nodes.yaml': 1, 'pods.yaml': 1, 'policy.yaml': 1 };

it.each([
  [['place', '.']],
  [['place', '.', '--format', 'json', '--suggest', '--compare', '--explain', 'big']],
  [['place', '.', '--explain', 'web', '--ask-extenders']],
])('each file is parsed once, whatever is asked: %j', async argv => {
  const { out, err } = await run(argv, files);
  expect([out.length > 0, err]).toEqual([true, '']);
  expect(parses()).toEqual(ONCE);
});
