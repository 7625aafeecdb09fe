import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PreviewReschedulers } from '../../server/src/analysis/preview/evictionModel';
import type { PreviewModel } from '../../server/src/analysis/preview/model';
import type { Rescheduler } from '../../server/src/analysis/whatIf/eviction';
import { startClient, type TestClient } from './client';

const uri = 'file:///ws/cluster.yaml';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
---
`;

const running = (name: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: { app: web }
  creationTimestamp: "2026-01-01T00:00:00Z"
  ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true }]
spec: { nodeName: node-a, containers: [{ name: main, image: web, resources: { requests: { cpu: 100m, memory: 64Mi } } }] }
---
`;

const cluster = `${node('node-a')}${node('node-b')}${running('web-x')}${running('web-y')}apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: web, resources: { requests: { cpu: 100m, memory: 64Mi } } }] }
`;

const policy = (config = '{ name: RemoveDuplicates }'): string => `---
apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
  - name: all
    pluginConfig: [${config}]
    plugins: { balance: { enabled: [RemoveDuplicates] } }
`;

const vpa = (cpu: string): string => `---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: { name: web }
spec:
  targetRef: { apiVersion: apps/v1, kind: ReplicaSet, name: web }
  updatePolicy: { updateMode: InPlaceOrRecreate }
status:
  recommendation:
    containerRecommendations:
      - { containerName: main, target: { cpu: ${cpu} }, lowerBound: { cpu: ${cpu} }, upperBound: { cpu: ${cpu} } }
`;

const japanese = join(import.meta.dirname, '../../l10n/bundle.l10n.ja.json');
const messagesIn = (locale: string): Record<string, string> | undefined =>
  locale === 'ja' ? (JSON.parse(readFileSync(japanese, 'utf8')) as Record<string, string>) : undefined;

async function opened(text: string, locale = 'en'): Promise<TestClient> {
  // The time limits of simulations do not count on a machine that is busy with other tests.
  const client = await startClient({ locale, messagesIn, world: { now: () => 0 }, onLensesAged: 'unsupported' });
  client.open(uri, text);
  await client.diagnostics(uri, () => true);
  return client;
}

const ask = (client: TestClient, kind: Rescheduler['kind']): Promise<PreviewReschedulers> =>
  client.connection.sendRequest('berth/previewMovers', { textDocument: { uri }, kind });

const preview = (client: TestClient, mover?: Rescheduler): Promise<PreviewModel> =>
  client.connection.sendRequest('berth/preview', {
    textDocument: { uri },
    whatIf: { changes: [], ...(mover && { mover }) },
  });

interface Lens {
  readonly command?: { readonly title: string; readonly command: string; readonly arguments: readonly object[] };
}

/** Titles of the lenses that have none until they come into sight. */
async function lateLenses({ connection }: TestClient): Promise<readonly Lens['command'][]> {
  const lenses: readonly Lens[] = await connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  const late = lenses.filter(it => it.command === undefined);
  const told = late.map(it => connection.sendRequest<Lens>('codeLens/resolve', it));
  return (await Promise.all(told)).map(it => it.command);
}

describe('a DeschedulerPolicy', () => {
  it('is simulated round by round, and shown on the nodes without a change of files', async () => {
    const client = await opened(cluster + policy());
    expect((await preview(client)).choices.movers).toEqual(['descheduler']);
    const { policies, now } = await ask(client, 'descheduler');
    expect(policies).toMatchObject([
      {
        name: 'cluster.yaml',
        errors: [],
        ending: { kind: 'settles', rounds: 1 },
        rounds: {
          count: 1,
          first: [{ evicted: { count: 1, first: [{ node: 'node-a', plugin: 'RemoveDuplicates' }] }, waiting: 0 }],
        },
      },
    ]);
    const [round] = policies[0]?.rounds.first ?? [];
    const [gone, landing] = [round?.evicted.first[0], round?.landings.first[0]];
    const shown = await preview(client, { kind: 'descheduler', policy: 0, round: 1, now });
    expect(shown.pods.find(it => it.id === landing?.pod)).toMatchObject({ state: 'placed', node: 'node-b' });
    expect(shown.pods.some(it => it.id === gone?.pod)).toBe(false);
    expect(shown.tried?.difference.moved).toEqual([{ pod: landing?.pod, from: 'node-a', to: 'node-b' }]);
    const after = await preview(client);
    expect(after.pods.filter(it => it.node === 'node-a')).toHaveLength(2);
  });

  it('in a ConfigMap counts, too', async () => {
    const text = policy().replace('---\n', '').replace(/^/gm, '    ');
    const client = await opened(
      `${cluster}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: descheduler }\ndata:\n  policy.yaml: |\n${text}`,
    );
    const { policies } = await ask(client, 'descheduler');
    expect(policies).toMatchObject([{ name: 'descheduler: policy.yaml', rounds: { count: 1 } }]);
  });

  it('that the descheduler refuses says why', async () => {
    const client = await opened(cluster + policy(''));
    const { policies } = await ask(client, 'descheduler');
    expect(policies[0]?.errors).toHaveLength(1);
    expect(policies[0]?.rounds.count).toBe(0);
    expect((await lateLenses(client))[0]?.title).toBe('the descheduler does not start with this policy');
  });

  it('has a lens that is resolved when it is visible, and opens the preview there', async () => {
    const client = await opened(cluster + policy());
    expect(await lateLenses(client)).toEqual([
      {
        title: 'would evict 1 Pod now · settles after 1 round',
        command: 'berth.preview',
        arguments: [{ uri, look: 'descheduler' }],
      },
    ]);
  });

  it('keeps a lens that already has its command', async () => {
    const { connection } = await opened(cluster + policy());
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const lens = { range, command: { title: 'told', command: '' } };
    expect(await connection.sendRequest('codeLens/resolve', lens)).toEqual(lens);
  });

  it('is described in the language of the editor', async () => {
    const client = await opened(cluster + policy(), 'ja');
    expect((await lateLenses(client))[0]?.title).toBe('いま 1 個の Pod を退避します · 1 ラウンドで落ち着きます');
  });

  it('starts from what else is tried', async () => {
    const client = await opened(cluster + policy());
    const { policies } = await client.connection.sendRequest<PreviewReschedulers>('berth/previewMovers', {
      textDocument: { uri },
      kind: 'descheduler',
      whatIf: { changes: [{ do: 'nodeDown', node: 'node-b' }] },
    });
    expect(policies[0]?.rounds.count).toBe(0);
    expect(policies[0]?.notes).toEqual(['The descheduler does nothing with 1 ready node.']);
  });
});

describe('a VPA', () => {
  it('is simulated mode by mode', async () => {
    const client = await opened(cluster + vpa('200m'));
    const { vpas } = await ask(client, 'vpa');
    const told = vpas[0]?.modes.map(({ mode, isOwn, rounds }) => ({
      mode,
      isOwn,
      did: rounds.first.map(it => `${it.resized.count} resized, ${it.evicted.count} evicted`),
    }));
    expect(vpas[0]?.containers).toEqual([
      { name: 'main', amounts: [{ what: 'requests.cpu', now: '100m', wanted: '200m' }] },
    ]);
    expect(told).toEqual([
      { mode: 'Off', isOwn: false, did: [] },
      { mode: 'Initial', isOwn: false, did: [] },
      { mode: 'Recreate', isOwn: false, did: ['0 resized, 1 evicted', '0 resized, 1 evicted'] },
      { mode: 'InPlaceOrRecreate', isOwn: true, did: ['1 resized, 0 evicted', '1 resized, 0 evicted'] },
      { mode: 'InPlace', isOwn: false, did: ['1 resized, 0 evicted', '1 resized, 0 evicted'] },
    ]);
    expect((await lateLenses(client))[0]?.title).toBe('InPlaceOrRecreate: resizes 2 Pods in place');
  });

  it('is shown on the nodes in any of its modes', async () => {
    const client = await opened(cluster + vpa('3'));
    const { now } = await ask(client, 'vpa');
    const shown = await preview(client, { kind: 'vpa', vpa: 'default/web', mode: 'Recreate', round: 1, now });
    expect(shown.tried?.difference.moved).toMatchObject([{ from: 'node-a', to: 'node-b' }]);
    expect(shown.pods.map(it => it.cpuMilli).sort()).toEqual([100, 3000]);
  });
});

describe('what moves Pods', () => {
  it('that is not there is said', async () => {
    const client = await opened(cluster);
    expect((await preview(client)).choices.movers).toEqual([]);
    const shown = await preview(client, { kind: 'descheduler', policy: 0, round: 1, now: 0 });
    expect(shown.tried?.difference.problems).toEqual(['there is no round 1']);
  });
});
