import { describe, expect, test } from 'vitest';
import type { ClusterRequest } from '../../server/src/analysis/clusters/request';
import { type ClusterContent, EMPTY_CONTENT, unreachable } from '../../server/src/cluster/sources/content';
import type { LiveOptions } from '../../server/src/live/main';
import { createClusterFeed } from '../../server/src/lsp/clusterFeed';
import {
  type ClusterAnswer,
  clusterRequest,
  consentForgottenNotification,
  contextsRequest,
  type MayRunAnswer,
  type MayRunParams,
  mayRunRequest,
} from '../../server/src/lsp/protocol';
import type { ServerWorld } from '../../server/src/lsp/world';
import { startClient } from './client';

interface Session {
  readonly options: LiveOptions;
  readonly tell: (content: ClusterContent) => void;
  refreshed: number;
  isClosed: boolean;
}

/** A feed whose files and clusters are those of the test. */
function feeding(
  files: Record<string, string> = {},
  mayRun: (params: MayRunParams) => Promise<MayRunAnswer> = async () => 'no',
) {
  const sessions: Session[] = [];
  const told: (readonly [string, ClusterContent | undefined])[] = [];
  const reached: (readonly [file: string, reach: unknown])[] = [];
  const feed = createClusterFeed(
    {
      folders: () => ['file:///ws'],
      mayRun,
      async readSource(file, reach) {
        reached.push([file, reach]);
        return file in files ? { text: files[file]! } : { failure: `there is no file ${file}` };
      },
      follow(options, tell) {
        const session: Session = { options, tell, refreshed: 0, isClosed: false };
        sessions.push(session);
        return {
          refresh: () => {
            session.refreshed += 1;
          },
          close: () => {
            session.isClosed = true;
          },
        };
      },
      contexts: () => ({ contexts: [] }),
      hasKubeconfig: () => false,
    },
    (key, content) => told.push([key, content]),
  );
  const last = (key: string): ClusterContent | undefined => told.filter(it => it[0] === key).at(-1)?.[1];
  return { feed, sessions, told, last, files, reached };
}

const live = (context: string, origin: ClusterRequest['origin'] = 'settings'): ClusterRequest => ({
  key: `live:${context}`,
  source: { from: 'live', context },
  origin,
});
const KIND = 'file:///ws/kind.yaml';
const kind: ClusterRequest = { key: `kind:${KIND}`, source: { from: 'kind', file: KIND }, origin: 'configuration' };
const config = (name: string): string => `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: ${name}\n`;

describe('the feed of clusters', () => {
  test('follows a cluster once, and closes one that is no longer requested', () => {
    const { feed, sessions, told } = feeding();
    feed.reconcile([live('a'), live('b')], '1.37');
    feed.reconcile([live('a'), live('b')], '1.37');
    expect(sessions.map(it => it.options.context)).toEqual(['a', 'b']);
    feed.reconcile([live('b')], '1.37');
    expect(sessions.map(it => it.isClosed)).toEqual([true, false]);
    expect(told.at(-1)).toEqual(['live:a', undefined]);
    sessions[0]!.tell(EMPTY_CONTENT);
    expect(told.at(-1), 'what a closed session still says is not heard').toEqual(['live:a', undefined]);
    feed.close();
    expect(sessions.every(it => it.isClosed)).toBe(true);
  });

  test('runs no plugin, and contacts no cluster from berth.yaml, until the workspace is trusted', () => {
    const { feed, sessions, last } = feeding();
    feed.reconcile([live('mine'), live('theirs', 'configuration')], '1.37');
    expect(sessions.map(it => it.options)).toEqual([{ context: 'mine', plugins: 'refused' }]);
    expect(last('live:theirs')).toMatchObject({
      state: 'unreachable',
      reason: 'a live cluster that berth.yaml names is asked in trusted workspaces only',
    });
    feed.trust('trusted');
    expect(sessions[0]!.isClosed).toBe(true);
    expect(sessions.slice(1).map(it => it.options)).toEqual([
      { context: 'mine', plugins: 'allowed' },
      { context: 'theirs', plugins: 'refused' },
    ]);
  });

  test('runs only what the user agreed to for a cluster from berth.yaml', async () => {
    const asked: MayRunParams[] = [];
    const answers: MayRunAnswer[] = ['no', 'yes', 'no', 'yes'];
    const { feed, sessions, last } = feeding({}, async params => {
      asked.push(params);
      return answers.shift() ?? 'no';
    });
    const pluginsNow = () => sessions.filter(it => !it.isClosed).map(it => it.options.plugins);
    const refuse = (program: string): void => sessions.at(-1)?.tell(unreachable('it was not run', program));
    const wish: ClusterRequest = { ...live('prod', 'configuration'), folder: 'file:///ws' };
    feed.trust('trusted');
    feed.reconcile([wish], '1.37');
    expect(pluginsNow()).toEqual(['refused']);

    refuse('aws eks get-token');
    await expect.poll(() => asked).toEqual([{ folder: 'file:///ws', context: 'prod', program: 'aws eks get-token' }]);
    expect(last('live:prod')).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining('refresh the cluster'),
    });
    expect(pluginsNow(), 'no is no').toEqual(['refused']);

    feed.refresh();
    refuse('aws eks get-token');
    await expect.poll(pluginsNow).toEqual([{ only: 'aws eks get-token' }]);

    // The kubeconfig runs something else now, which nobody has agreed to.
    refuse('rm -rf');
    await expect.poll(() => asked.length).toBe(3);
    expect(pluginsNow()).toEqual([{ only: 'aws eks get-token' }]);

    feed.forgetConsent();
    refuse('aws eks get-token');
    expect(pluginsNow()).toEqual(['refused']);
    expect(asked.length, 'nobody is asked again at once').toBe(3);
    feed.refresh();
    refuse('aws eks get-token');
    await expect.poll(pluginsNow).toEqual([{ only: 'aws eks get-token' }]);
    feed.close();
    expect(pluginsNow()).toEqual([]);
  });

  test('reads a file from berth.yaml only in open folders until the workspace is trusted', () => {
    const { feed, reached } = feeding();
    const own: ClusterRequest = {
      key: 'snapshot:/own',
      source: { from: 'snapshot', file: '/own' },
      origin: 'settings',
    };
    feed.reconcile([kind, own], '1.37');
    expect(reached).toEqual([
      [KIND, ['file:///ws']],
      ['/own', 'anywhere'],
    ]);
    feed.trust('trusted');
    expect(reached.slice(2)).toEqual([[KIND, 'anywhere']]);
  });

  test('reads a file again when it changes, and reports when it is missing', async () => {
    const { feed, last, files } = feeding({ [KIND]: config('one') });
    const nodeName = (): unknown =>
      (last(kind.key)?.objects.find(it => it.kind === 'Node')?.metadata as { name?: string })?.name;
    feed.reconcile([kind], '1.37');
    expect(last(kind.key)?.state).toBe('loading');
    await expect.poll(nodeName).toBe('one-control-plane');
    files[KIND] = config('two');
    feed.filesChanged(['file:///ws/other.yaml', KIND]);
    await expect.poll(nodeName).toBe('two-control-plane');
    delete files[KIND];
    feed.refresh();
    await expect.poll(() => last(kind.key)?.reason).toBe(`there is no file ${KIND}`);
  });

  test('reads a file again when a folder around it changes, and when other folders are open', () => {
    const { feed, reached } = feeding();
    feed.reconcile([kind, live('a')], '1.37');
    feed.filesChanged(['file:///w', 'file:///ws/kind']);
    expect(reached).toHaveLength(1);
    feed.filesChanged(['file:///ws']);
    expect(reached).toHaveLength(2);
    feed.reachChanged();
    expect(reached).toHaveLength(3);
  });

  test('tells what the newest read says, in whatever order they end', async () => {
    const ends: ((text: string) => void)[] = [];
    const told: (readonly unknown[] | undefined)[] = [];
    const world = {
      folders: () => [],
      mayRun: async () => 'no' as const,
      readSource: () => new Promise<{ readonly text: string }>(resolve => ends.push(text => resolve({ text }))),
      follow: () => ({ refresh: () => undefined, close: () => undefined }),
      contexts: () => ({ contexts: [] }),
      hasKubeconfig: () => false,
    };
    const feed = createClusterFeed(world, (_, content) =>
      told.push(content?.objects.flatMap(it => (it.kind === 'Node' ? [(it.metadata as { name?: string }).name] : []))),
    );
    feed.reconcile([kind], '1.37');
    feed.refresh();
    ends[1]?.(config('new'));
    await expect.poll(() => told.at(-1)).toEqual(['new-control-plane']);
    ends[0]?.(config('old'));
    feed.trust('trusted');
    ends[2]?.(config('trusted'));
    await expect.poll(() => told.at(-1)).toEqual(['trusted-control-plane']);
    expect(told).not.toContainEqual(['old-control-plane']);
  });

  test('refreshes all of them', () => {
    const { feed, sessions } = feeding();
    feed.reconcile([live('a'), live('b')], '1.37');
    feed.refresh();
    expect(sessions.map(it => it.refreshed)).toEqual([1, 1]);
  });
});

describe('the language server', () => {
  const POD = `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec: { priorityClassName: hihg, containers: [{ name: c, image: i }] }
`;
  const CONTENT: ClusterContent = {
    ...EMPTY_CONTENT,
    objects: [
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { allocatable: { cpu: '4' } } },
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 5 },
    ],
    listings: [{ group: 'scheduling.k8s.io', kind: 'PriorityClass', state: 'listed' }],
  };

  test('tells problems anew with what the cluster says, and answers what the tree asks', async () => {
    const asked: LiveOptions[] = [];
    const clusters: NonNullable<ServerWorld['clusters']> = {
      readSource: async () => ({ failure: 'there is no file' }),
      follow(options, tell) {
        asked.push(options);
        setImmediate(() => tell(CONTENT));
        return { refresh: () => undefined, close: () => undefined };
      },
      contexts: () => ({ contexts: ['prod'], current: 'prod' }),
      hasKubeconfig: () => true,
    };
    const uri = 'file:///ws/web.yaml';
    const client = await startClient({ files: { [uri]: POD }, configuration: { cluster: 'live:prod' }, clusters });
    const [problem] = await client.diagnostics(uri, all => all.some(it => /in the cluster/.test(it.message)));
    expect(problem?.message).toContain('PriorityClass "hihg" is neither in this workspace nor in the cluster');
    expect(asked).toEqual([{ context: 'prod', plugins: 'refused' }]);
    const [view] = await client.connection.sendRequest<ClusterAnswer>(clusterRequest);
    expect(view).toMatchObject({ source: 'live:prod', state: 'ready', nodes: [{ name: 'n1' }] });
    expect(await client.connection.sendRequest(contextsRequest)).toEqual({ contexts: ['prod'], current: 'prod' });
  });
});

describe('a live cluster that berth.yaml names', () => {
  const files = {
    'file:///ws/berth.yaml': 'cluster: live:prod\n',
    'file:///ws/web.yaml': 'apiVersion: v1\nkind: Pod\n',
  };
  const PROGRAM = 'aws eks get-token';

  /** Clusters whose credentials come from a program, and what was followed with which leave. */
  function guarded() {
    const asked: LiveOptions['plugins'][] = [];
    const clusters: NonNullable<ServerWorld['clusters']> = {
      readSource: async () => ({ failure: 'there is no file' }),
      follow({ plugins }, tell) {
        asked.push(plugins);
        setImmediate(() => tell(plugins === 'refused' ? unreachable('it was not run', PROGRAM) : EMPTY_CONTENT));
        return { refresh: () => undefined, close: () => undefined };
      },
      contexts: () => ({ contexts: [] }),
      hasKubeconfig: () => true,
    };
    return { clusters, asked };
  }

  test('has the client of the user asked, which remembers', async () => {
    const { clusters, asked } = guarded();
    const questions: MayRunParams[] = [];
    const client = await startClient({ files, clusters, isTrusted: true, start: { remembersConsent: true } });
    client.connection.onRequest(mayRunRequest, params => {
      questions.push(params);
      return 'yes';
    });
    await expect.poll(() => asked).toEqual(['refused', { only: PROGRAM }]);
    expect(questions).toEqual([{ folder: 'file:///ws', context: 'prod', program: PROGRAM }]);
    await client.connection.sendNotification(consentForgottenNotification);
    await expect.poll(() => asked.slice(2)).toEqual(['refused']);
    expect(questions).toHaveLength(1);
  });

  test.each([
    ['Run', [{ only: PROGRAM }]],
    ['Do not run', []],
    [null, []],
  ] as const)('asks the user of another client: %s', async (title, expected) => {
    const { clusters, asked } = guarded();
    const questions: string[] = [];
    const client = await startClient({ files, clusters, isTrusted: true });
    client.connection.onRequest('window/showMessageRequest', ({ message }) => {
      questions.push(message);
      return title && { title };
    });
    await expect.poll(() => questions).toEqual([expect.stringContaining(PROGRAM)]);
    await expect.poll(() => asked).toEqual(['refused', ...expected]);
  });

  test('is not requested while the workspace is not trusted', async () => {
    const { clusters, asked } = guarded();
    const client = await startClient({ files, clusters, start: { remembersConsent: true } });
    const [view] = await client.connection.sendRequest<ClusterAnswer>(clusterRequest);
    expect(view?.reason).toContain('in trusted workspaces only');
    expect(asked).toEqual([]);
  });
});

test('the tree waits until the folders are read, and never shows the example cluster instead of their nodes', async () => {
  const uri = 'file:///ws/node.yaml';
  const node = 'apiVersion: v1\nkind: Node\nmetadata: { name: own }\n';
  const reading = { begun: false, end: (_: string): void => undefined };
  const readText = (): Promise<string> =>
    new Promise(resolve => {
      Object.assign(reading, { begun: true, end: resolve });
    });
  const client = await startClient({ files: { [uri]: node }, world: { readText } });
  await expect.poll(() => reading.begun).toBe(true);
  const answered = client.connection.sendRequest<ClusterAnswer>(clusterRequest);
  // The server handles requests in order: what is asked later has its answer, and the tree has none.
  await client.connection.sendRequest(contextsRequest);
  expect(await Promise.race([answered, 'not yet'])).toBe('not yet');
  reading.end(node);
  expect((await answered)[0]?.nodes.map(it => it.name)).toEqual(['own']);
});
