import { describe, expect, it } from 'vitest';
import { run } from './world';

const node = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "8", memory: 16Gi, pods: "20" } }
`;
const good = `apiVersion: v1
kind: Pod
metadata: { name: good }
spec: { containers: [{ name: c, image: i }] }
`;
const deployment = (spec: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  ${spec}
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: i }] } }
`;
const pod = (spec: string, metadata = '{ name: bad }'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: ${metadata}\nspec: { containers: [{ name: c, image: i }], ${spec} }\n`;

const placed = async (...documents: readonly string[]) => {
  const { code, out } = await run(['place', '--format', 'json', 'it.yaml'], {
    'it.yaml': [node, good, ...documents].join('---\n'),
  });
  const { placements, notes } = JSON.parse(out);
  return {
    code,
    good: placements['default/good'],
    notes: notes.map((it: { message: string }) => it.message).join('\n'),
  };
};

describe('what is wrong in a scenario is told, and the rest is placed', () => {
  it.each([
    [
      'fewer replicas than none',
      deployment('replicas: -3'),
      'Deployment web: the API server refuses it: spec.replicas: Invalid value: -3',
    ],
    [
      'more replicas than anybody runs',
      deployment('replicas: 30000'),
      'Deployment web lacks 30000 Pods; only the first 10000 are placed.',
    ],
    [
      'half a replica',
      deployment('replicas: 2.5'),
      'Deployment web: spec.replicas is not a whole number, so the object is left out.',
    ],
    [
      'a skew of nothing',
      pod('topologySpreadConstraints: [{ maxSkew: 0 }]'),
      'maxSkew: Invalid value: 0: must be greater than zero',
    ],
    [
      'a Pod without a name',
      pod('restartPolicy: Never', '{}'),
      'A Pod: the API server refuses it: metadata.name: Required value',
    ],
    [
      'a StorageClass whose name is an object without a text',
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: { toString: null } }\nprovisioner: a.b\n',
      'the API server refuses it',
    ],
    ['a Node without a name', node.replace('{ name: n1 }', '{}'), 'A Node without a name is left out.'],
    ['a Pod on a node that is not there', pod('nodeName: ghost'), 'A Pod names the node ghost, which is not there.'],
  ])('%s', async (_, document, note) => {
    const { good, notes } = await placed(document);
    expect(notes).toContain(note);
    expect(good).toBe('n1');
  });

  it('does not say that a placeholder is refused, which another tool replaces', async () => {
    const claim = `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: "\${APP}" }\nspec:\n  accessModes: ["\${MODE}"]\n  resources: { requests: { storage: 1Gi } }\n`;
    const named = deployment('replicas: 1').replace('name: web', 'name: "<% APP %>"');
    const textOf = async (text: string): Promise<string> =>
      (await run(['place', '--verbose', 'it.yaml'], { 'it.yaml': text })).out;
    expect(await textOf([node, good, claim, named].join('---\n'))).not.toContain('refuse');
    expect(await textOf([node, good, claim.replace('1Gi', '-1')].join('---\n'))).toContain('must be greater than zero');
  });

  it('counts refused Pods all the same, and says so in one line of text', async () => {
    const text = [node, good, deployment('replicas: 2\n  minReadySeconds: -1'), pod('restartPolicy: Sometimes')].join(
      '---\n',
    );
    const textOf = async (...flags: readonly string[]): Promise<string> =>
      (await run(['place', ...flags, 'it.yaml'], { 'it.yaml': text })).out;
    const brief = await textOf();
    expect(brief).toContain('3 Pods are refused by the API server and counted here all the same: see `berth check`.');
    expect(brief).not.toContain('the API server refuses it');
    expect(await textOf('--verbose')).toContain('Deployment web: the API server refuses it: spec.minReadySeconds');
  });

  it('does not ask whether the API server takes what it gave out', async () => {
    const { notes } = await placed(pod('topologySpreadConstraints: [{ maxSkew: 0 }]', '{ name: bad, uid: 1-2-3 }'));
    expect(notes).not.toContain('refuses');
  });
});

describe('exit codes', () => {
  it.each([
    ['another scheduler looks after a Pod', 'schedulerName: other', 0],
    ['gates hold a Pod', 'schedulingGates: [{ name: later }]', 1],
    ['a Pod is refused', 'priorityClassName: nope', 1],
  ])('%s', async (_, spec, code) => {
    expect((await placed(pod(spec))).code).toBe(code);
  });
});

it('a folder with Rego and Conftest’s configuration is placed without them', async () => {
  const beside = { 'conftest.toml': 'policy = "policy"\n', 'policy/p.rego': 'package main\n\ndeny contains "no"\n' };
  const { code, err, out } = await run(['place', '.'], { 'all.yaml': `${node}---\n${good}`, ...beside });
  expect(err).toBe('');
  expect(code).toBe(0);
  expect(out).toContain('1 of 1 Pod placed');
});
