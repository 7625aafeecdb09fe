import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { OuterWorld } from '../../server/src/cli/world';
import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import type { LiveOptions } from '../../server/src/live/connect';
import { readCluster } from '../../server/src/live/reflector';
import { type FakeWorld, fakeWorld } from '../live/fakeWorld';
import { forbiddenReply } from '../live/recorded';
import { type Run, run } from './world';

const pod = (spec: string, metadata = 'name: web, namespace: default'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { ${metadata} }\nspec: { containers: [{ name: c, image: i }], ${spec} }\n`;

const files = {
  '.git/HEAD': '',
  'zone-b.yaml': pod('nodeSelector: { topology.kubernetes.io/zone: b }'),
  'urgent.yaml': pod('priorityClassName: high'),
  'unknown.yaml': pod('priorityClassName: hihg'),
  'secrets.yaml': pod(
    'volumes: [{ name: a, secret: { secretName: login } }, { name: b, secret: { secretName: missing } }]',
  ),
  'anywhere.yaml': pod('volumes: [{ name: b, secret: { secretName: missing } }]', 'name: web'),
  'web.yaml': pod(''),
  'team/berth.yaml': 'cluster: kind:../clusters/kind.yaml\n',
  'team/web.yaml': pod(''),
  'lost/berth.yaml': 'cluster: snapshot:gone.yaml\n',
  'lost/web.yaml': pod(''),
  'huge.yaml': pod('resources: { requests: { cpu: "4000" } }'),
  'clusters/kind.yaml':
    'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: team\nnodes: [{ role: control-plane }, { role: worker }]\n',
};

/** Runs a command where a cluster answers as recorded. */
async function asked(
  argv: readonly string[],
  world: FakeWorld = fakeWorld(),
): Promise<Run & { options: LiveOptions[] }> {
  const options: LiveOptions[] = [];
  const live: OuterWorld['live'] = () => ({
    async readLive(it) {
      options.push(it);
      const annotations = it.annotations ?? 'decisive';
      return readCluster(WANTED_KINDS, { ...world, annotations }, new AbortController().signal);
    },
  });
  return { ...(await run(argv, files, '', undefined, undefined, live)), options };
}

const codes = ({ out }: Run): readonly string[] =>
  JSON.parse(out).problems.map((it: { code: string; severity: string }) => `${it.severity} ${it.code}`);
const check = (...argv: readonly string[]) => asked(['check', '--format', 'json', ...argv]);

describe('berth check on a cluster that kind would make', () => {
  const ofKind = ['--cluster', 'kind:clusters/kind.yaml'];

  it('speaks of labels and taints, and not of the size of nodes, which nobody knows', async () => {
    expect(codes(await check(...ofKind, 'zone-b.yaml'))).toEqual(['warning placement/selector-matches-no-node']);
    expect(codes(await check(...ofKind, 'huge.yaml'))).toEqual([]);
  });

  it('says who names a file that is not there', async () => {
    const { code, err } = await check('--cluster', 'kind:clusters/kin.yaml', 'web.yaml');
    expect([code, err]).toEqual([
      2,
      'berth: The cluster kind:clusters/kin.yaml cannot be used: there is no file clusters/kin.yaml.\n',
    ]);
    const { err: named } = await check('lost/web.yaml');
    expect(named).toContain('which berth.yaml or a test names, cannot be used: there is no file');
  });
});

describe('berth place on a live cluster', () => {
  it('takes its nodes, and runs plugins, as the user asked for it', async () => {
    const { code, out, options } = await asked(['place', '--cluster', 'live:prod', 'zone-b.yaml']);
    expect(out).toContain('1 of 1 Pod placed; 2 nodes of the given cluster');
    expect(out).toMatch(/default\/web +node-b/);
    expect(code).toBe(0);
    expect(options).toEqual([{ context: 'prod', plugins: 'allowed' }]);
  });

  it('knows its priority classes', async () => {
    expect((await asked(['place', '--cluster', 'live', 'urgent.yaml'])).code).toBe(0);
    expect((await asked(['place', '--cluster', 'live', 'unknown.yaml'])).out).toContain(
      'no PriorityClass with name hihg',
    );
  });

  it('says what it was not told', async () => {
    const world = fakeWorld();
    world.answer = path => (path.startsWith('/api/v1/pods') ? forbiddenReply : undefined);
    const { out, err } = await asked(['place', '--cluster', 'live', 'web.yaml'], world);
    expect(err).toBe('berth: live: these may not be listed: Pod.\n');
    expect(out).toContain('note live does not tell all of: Pod.');
  });

  it('ends with 2 when nobody answers', async () => {
    const world = fakeWorld();
    world.answer = () => 'unreachable';
    const { code, err } = await asked(['place', '--cluster', 'live', 'web.yaml'], world);
    expect(code).toBe(2);
    expect(err).toMatch(/^berth: The cluster live cannot be used: .*nobody listens there\.\n$/);
  });
});

describe('berth check with a cluster', () => {
  it('finds what the cluster has, and is sure of what it does not have', async () => {
    expect(codes(await check('--cluster', 'live', 'urgent.yaml'))).toEqual([]);
    expect(codes(await check('--cluster', 'live', 'unknown.yaml'))).toContain(
      'error references/priority-class-missing',
    );
    expect(codes(await check('--cluster', 'default', 'unknown.yaml'))).toContain(
      'info references/priority-class-missing',
    );
  });

  it('knows Secrets by their names', async () => {
    const { out } = await check('--cluster', 'live', 'secrets.yaml');
    const messages = JSON.parse(out).problems.map((it: { message: string }) => it.message);
    expect(messages).toEqual([
      'Secret "missing" of namespace "default" is neither in this workspace nor in the cluster',
    ]);
  });

  it('is not sure where the namespace is left to kubectl', async () => {
    expect(codes(await check('--cluster', 'live', 'anywhere.yaml'))).toEqual(['info references/secret-missing']);
  });

  it('is not sure of a kind that may not be listed', async () => {
    const world = fakeWorld();
    world.answer = path => (path.includes('priorityclasses') ? forbiddenReply : undefined);
    const done = await asked(['check', '--format', 'json', '--cluster', 'live', 'unknown.yaml'], world);
    expect(codes(done)).toEqual(['info references/priority-class-missing']);
  });
});

describe('berth.yaml', () => {
  it('names a file from its own folder', async () => {
    const { out } = await run(['place', 'team/web.yaml'], files);
    expect(out).toMatch(/default\/web +team-worker/);
  });

  it('gives way to the command line', async () => {
    const { out } = await run(['place', '--cluster', 'default', 'team/web.yaml'], files);
    expect(out).toContain('example cluster');
  });
});

describe('berth snapshot', () => {
  it('writes a file that --cluster reads, without anything secret', async () => {
    const { code, written, err } = await asked(['snapshot', '-o', 'prod.yaml']);
    expect(code).toBe(0);
    const text = written['prod.yaml']!;
    expect(text).not.toMatch(/sesame|annotations:|managedFields:|\bdata:/);
    expect(err).toMatch(/^berth: 2 nodes, 1 Pod, \d+ other objects, and the names of \d+ more\.\n$/);
    const again = await run(['place', '--cluster', 'snapshot:prod.yaml', 'zone-b.yaml'], {
      ...files,
      'prod.yaml': text,
    });
    expect(again.out).toMatch(/default\/web +node-b/);
    const sure = await run(['check', '--format', 'json', '--cluster', 'snapshot:prod.yaml', 'unknown.yaml'], {
      ...files,
      'prod.yaml': text,
    });
    expect(codes(sure)).toEqual(['error references/priority-class-missing']);
  });

  it('keeps the default class by name, and annotations when it is told to', async () => {
    const plain = parse((await asked(['snapshot'])).out.split('---')[0]!);
    expect(plain.placementFacts).toEqual([
      { kind: 'StorageClass', name: 'fast', key: 'storageclass.kubernetes.io/is-default-class', value: 'true' },
    ]);
    const { out, options } = await asked([
      'snapshot',
      '--include-annotations',
      '--context',
      'prod',
      '--kubeconfig',
      'other',
    ]);
    expect(options).toEqual([{ context: 'prod', kubeconfig: 'other', annotations: 'all', plugins: 'allowed' }]);
    expect(out).toContain('sesame-annotation');
    expect(out).not.toMatch(/sesame-(?:env|secret|settings)/);
    expect(parseAllDocuments(out).flatMap(it => it.errors)).toEqual([]);
  });

  it('says which kinds it may not read', async () => {
    const world = fakeWorld();
    world.answer = path => (path.includes('secrets') ? forbiddenReply : undefined);
    const { code, out, err } = await asked(['snapshot'], world);
    expect(code).toBe(0);
    expect(err).toContain('berth: these may not be listed: Secret.');
    expect(parse(out.split('---')[0]!).kinds).toContainEqual(
      expect.objectContaining({ kind: 'Secret', state: 'forbidden' }),
    );
  });

  it('ends with 2 and one sentence when there is no cluster', async () => {
    const world = fakeWorld();
    world.answer = () => 'unreachable';
    const { code, err, out } = await asked(['snapshot'], world);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^berth: The cluster cannot be read: .*\.\n$/);
  });
});
