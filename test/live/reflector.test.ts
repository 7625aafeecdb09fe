import { describe, expect, test } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { ClusterContent } from '../../server/src/cluster/sources/content';
import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import { followCluster, readCluster } from '../../server/src/live/reflector';
import { type FakeWorld, fakeWorld, KINDS } from './fakeWorld';
import { forbiddenReply, recordedReply } from './recorded';

const NODES = '/api/v1/nodes';
const signal = new AbortController().signal;

const names = (content: ClusterContent | undefined, kind: string): readonly string[] =>
  content?.objects.flatMap(it => (it.kind === kind ? [(it.metadata as { readonly name: string }).name] : [])) ?? [];
const stateOf = (content: ClusterContent | undefined, kind: string): unknown =>
  content?.listings.find(it => it.kind === kind)?.state;

const node = (name: string, more: UnknownObject = {}): UnknownObject => ({
  metadata: { name, resourceVersion: '900' },
  status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: 'now' }] },
  ...more,
});

describe('a list', () => {
  test('contains the recorded objects without secrets', async () => {
    const content = await readCluster(WANTED_KINDS, fakeWorld(), signal);
    expect(content.state).toBe('ready');
    expect(content.kubernetesVersion).toBe('1.37.1');
    expect(names(content, 'Node')).toEqual(['node-a', 'node-b']);
    expect(content.names).toContainEqual({ group: '', kind: 'Secret', namespace: 'default', name: 'login' });
    expect(JSON.stringify(content)).not.toContain('sesame');
    expect(stateOf(content, 'ReferenceGrant')).toBe('unserved');
  });

  test('requests only metadata where contents may be secret', async () => {
    const accepted: string[] = [];
    const world = fakeWorld();
    const { get } = world;
    await readCluster(
      KINDS,
      {
        ...world,
        get: (path, ask) => {
          if (path.startsWith('/api/v1/secrets')) accepted.push(ask.accept);
          return get(path, ask);
        },
      },
      signal,
    );
    expect(accepted).toEqual(['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1']);
  });

  test('reads page by page, and starts again when the continue token has expired', async () => {
    const page = (next: string, ...items: readonly UnknownObject[]) => ({
      status: 200,
      text: JSON.stringify({ metadata: { resourceVersion: '7', continue: next }, items }),
    });
    const answers = [
      page('token/1', node('old')),
      { status: 410, text: '{}' },
      page('token/2', node('a')),
      page('', node('b')),
    ];
    const world = fakeWorld();
    world.answer = path => (path.startsWith(NODES) ? answers.shift() : undefined);
    const content = await readCluster(KINDS, world, signal);
    expect(names(content, 'Node')).toEqual(['a', 'b']);
    expect(world.requests.filter(it => it.startsWith(NODES)).map(it => it.split('continue=')[1])).toEqual([
      undefined,
      'token%2F1',
      undefined,
      'token%2F2',
    ]);
  });

  test('reports forbidden kinds, and lists the context’s namespace instead', async () => {
    const world = fakeWorld({ namespace: 'default' });
    world.answer = path => {
      if (path.startsWith('/api/v1/namespaces/default/pods')) return recordedReply('/api/v1/pods');
      return path.startsWith(NODES) || path.startsWith('/api/v1/pods') || path.includes('secrets')
        ? forbiddenReply
        : undefined;
    };
    const content = await readCluster(KINDS, world, signal);
    expect(content.state).toBe('ready');
    expect(content.listings.find(it => it.kind === 'Node')).toMatchObject({
      state: 'forbidden',
      reason: expect.stringContaining('cannot list resource "nodes"'),
    });
    expect(content.listings.find(it => it.kind === 'Pod')).toEqual({
      group: '',
      kind: 'Pod',
      state: 'listed',
      namespaces: ['default'],
    });
    expect(stateOf(content, 'Secret')).toBe('forbidden');
  });

  test.each([
    ['nobody answers', 'unreachable' as const, 'nobody listens there'],
    ['a login page answers', { status: 200, text: '<html>' }, 'what answers is no API server'],
    ['JSON of something else answers', { status: 200, text: 'null' }, 'what answers is no API server'],
    ['the credentials are refused', { status: 401, text: '{}' }, 'does not accept the credentials'],
  ])('says so when %s', async (_, answer, reason) => {
    const world = fakeWorld();
    world.answer = () => answer;
    const content = await readCluster(KINDS, world, signal);
    expect(content).toMatchObject({ state: 'unreachable', reason: expect.stringContaining(reason), objects: [] });
  });
});

interface Following {
  readonly world: FakeWorld;
  readonly contents: readonly ClusterContent[];
  until(isThere: (content: ClusterContent) => boolean): Promise<void>;
  close(): void;
}

async function following(world = fakeWorld()): Promise<Following> {
  const contents: ClusterContent[] = [];
  const session = followCluster(KINDS, world, it => contents.push(it));
  const until: Following['until'] = isThere => expect.poll(() => isThere(contents.at(-1)!)).toBe(true);
  return { world, contents, until, ...session };
}

test('an invalid list fails, and the other lists are complete', async () => {
  const world = fakeWorld();
  world.answer = path => (path.startsWith(NODES) ? { status: 200, text: '{"items": 5}' } : undefined);
  const content = await readCluster(KINDS, world, signal);
  expect(content.state).toBe('ready');
  expect(content.listings.find(it => it.kind === 'Node')).toMatchObject({
    state: 'failed',
    reason: 'what answers is no API server: its list has no items',
  });
});

describe('a watch', () => {
  test('reports added, changed and deleted objects, one content each', async () => {
    const { world, contents, until, close } = await following();
    await until(it => it.state === 'ready');
    expect(contents[0]?.state).toBe('loading');
    await expect.poll(() => world.watches(NODES)).toBe(1);
    world.emit(NODES, 'ADDED', node('node-c'));
    await until(it => names(it, 'Node').includes('node-c'));
    world.emit(NODES, 'MODIFIED', node('node-c', { spec: { unschedulable: true } }));
    await until(it => it.objects.some(object => JSON.stringify(object.spec)?.includes('unschedulable')));
    world.emit(NODES, 'DELETED', node('node-c'));
    await until(it => !names(it, 'Node').includes('node-c'));
    close();
  });

  test('ignores heartbeats', async () => {
    const { world, contents, until, close } = await following();
    await until(it => it.state === 'ready');
    await expect.poll(() => world.watches(NODES)).toBe(1);
    world.emit(NODES, 'ADDED', node('node-c'));
    await until(it => names(it, 'Node').includes('node-c'));
    const before = contents.length;
    world.emit(
      NODES,
      'MODIFIED',
      node('node-c', { status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: 'later' }] } }),
    );
    world.emit(NODES, 'BOOKMARK', { metadata: { resourceVersion: '950' } });
    world.emit(NODES, 'ADDED', node('node-d'));
    await until(it => names(it, 'Node').includes('node-d'));
    expect(contents.length).toBe(before + 1);
    close();
  });

  test('continues from the last bookmark when the server closes it', async () => {
    const { world, until, close } = await following();
    await until(it => it.state === 'ready');
    await expect.poll(() => world.watches(NODES)).toBe(1);
    world.emit(NODES, 'BOOKMARK', { metadata: { resourceVersion: '950' } });
    world.end(NODES, 'closed');
    await expect.poll(() => world.requests.filter(it => it.startsWith(NODES)).at(-1)).toContain('resourceVersion=950');
    expect(world.requests.filter(it => it.startsWith(`${NODES}?limit`)).length, 'no new list').toBe(1);
    close();
  });

  test('lists again when its version has expired', async () => {
    const { world, until, close } = await following();
    await until(it => it.state === 'ready');
    await expect.poll(() => world.watches(NODES)).toBe(1);
    world.answer = path =>
      path.startsWith(NODES)
        ? { status: 200, text: JSON.stringify({ metadata: {}, items: [node('new')] }) }
        : undefined;
    world.emit(NODES, 'ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await until(it => names(it, 'Node').join() === 'new');
    close();
  });

  test('keeps old content while the server is unreachable, retries with growing pauses, and recovers', async () => {
    const { world, contents, until, close } = await following();
    await until(it => it.state === 'ready');
    await expect.poll(() => world.watches('/api/v1/secrets')).toBe(1);
    const before = world.waits.length;
    world.answer = () => 'unreachable';
    for (const path of [NODES, '/api/v1/pods', '/api/v1/secrets']) world.end(path, 'broken');
    await until(it => it.state === 'unreachable');
    expect(names(contents.at(-1), 'Node')).toEqual(['node-a', 'node-b']);
    await expect
      .poll(() => world.waits.slice(before))
      .toEqual(expect.arrayContaining([1000, 2000, 4000, 8000, 16_000, 30_000]));
    world.answer = () => undefined;
    await until(it => it.state === 'ready');
    close();
  });

  test('says so when the server sends what is no object, and goes on', async () => {
    const world = fakeWorld();
    world.answer = path =>
      path.startsWith(NODES)
        ? { status: 200, text: JSON.stringify({ items: [null, node('node-a'), { metadata: [] }] }) }
        : undefined;
    const { contents, until, close } = await following(world);
    await until(it => it.state === 'ready');
    expect(contents.at(-1)?.listings.find(it => it.kind === 'Node')).toEqual({
      group: '',
      kind: 'Node',
      state: 'partial',
      reason: '2 items are no objects with a name; they are left out',
    });
    expect(names(contents.at(-1), 'Node')).toEqual(['node-a']);
    await expect.poll(() => world.watches(NODES)).toBe(1);
    world.answer = () => undefined;
    world.emit(NODES, 'ADDED', null);
    await until(it => names(it, 'Node').length === 2);
    expect(contents.flatMap(it => it.listings.flatMap(listing => listing.reason ?? []))).toContain(
      'the watch tells of something that is no object with a name',
    );
    close();
  });

  test('ends when it is closed', async () => {
    const { world, until, close } = await following();
    await until(it => it.state === 'ready');
    await expect.poll(() => world.watches(NODES)).toBe(1);
    const { length } = world.requests;
    close();
    // Nothing is open, so no request will follow.
    await expect.poll(() => world.underWay()).toBe(0);
    expect(world.requests.length).toBe(length);
  });
});
