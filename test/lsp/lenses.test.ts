import { describe, expect, it } from 'vitest';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { type ClientOptions, startClient, type TestClient } from './client';

const uri = 'file:///ws/pods.yaml';
const node =
  'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: "4", pods: "110" } }\n---\n';
const pods = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: p${i} }\nspec: { containers: [{ name: main, image: a }] }\n`,
  ).join('---\n');

const policyUri = 'file:///ws/policy.yaml';
const policy = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: team }
spec:
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [Secret] } }] }
      validate:
        failureAction: Enforce
        message: a team is needed
        pattern: { metadata: { labels: { team: "?*" } } }
`;
const secretUri = 'file:///ws/secret.yaml';
const secret = (...names: readonly string[]): string =>
  names.map(it => `apiVersion: v1\nkind: Secret\nmetadata: { name: ${it} }\n`).join('---\n');

const descheduler = `---
apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles: [{ name: p, pluginConfig: [{ name: RemoveDuplicates }], plugins: { balance: { enabled: [RemoveDuplicates] } } }]
`;

interface Lens {
  readonly range: { readonly start: { readonly line: number } };
  readonly command: { readonly title: string; readonly command: string; readonly arguments?: readonly object[] };
}

const lensesOf = (client: TestClient, of: string): Promise<readonly Lens[]> =>
  client.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: of } });

/** A world in which simulations and pauses go on when the test says so. */
function heldWorld() {
  const held = { isHeld: false, waiting: [] as (() => void)[], pauses: [] as (() => void)[] };
  const clock = { time: 0 };
  return {
    held,
    release(): void {
      held.isHeld = false;
      for (const it of held.waiting.splice(0)) it();
    },
    world: {
      // Each look at the clock takes longer than a turn may, so every step is followed by a breath.
      now: () => (clock.time += 100),
      yieldToEventLoop: () =>
        new Promise<void>(resolve => {
          if (held.isHeld) held.waiting.push(resolve);
          else setImmediate(resolve);
        }),
      pause: () => new Promise<void>(resolve => void held.pauses.push(resolve)),
    } satisfies ClientOptions['world'],
  };
}

const titles = async (client: TestClient, of: string): Promise<readonly string[]> =>
  (await lensesOf(client, of)).map(it => it.command.title);

/** Ends the pauses that the server takes now. */
const endPauses = ({ pauses }: ReturnType<typeof heldWorld>['held']): void => {
  for (const it of pauses.splice(0)) it();
};

describe('a lens over Pods that are still placed', () => {
  it('is marked, and refreshed when the answer is there', async () => {
    const { world, held, release } = heldWorld();
    let refreshes = 0;
    const client = await startClient({ world, onLensesAged: () => (refreshes += 1) });
    client.open(uri, node + pods(3));
    await expect
      .poll(async () => {
        endPauses(held);
        return titles(client, uri);
      })
      .toEqual(Array(3).fill('lands on n1 · 1 of 1 nodes fit'));
    held.isHeld = true;
    client.change(uri, 2, node + pods(4));
    const asked = titles(client, uri);
    await expect
      .poll(async () => {
        endPauses(held);
        return Promise.race([asked, undefined]);
      })
      .toEqual(Array(4).fill('…'));
    const before = refreshes;
    release();
    await expect.poll(() => refreshes).toBeGreaterThan(before);
    expect(await titles(client, uri)).toEqual(Array(4).fill('lands on n1 · 1 of 1 nodes fit'));
  });

  it('is waited for by a client without refresh support', async () => {
    const { world, held, release } = heldWorld();
    const client = await startClient({ world, onLensesAged: 'unsupported' });
    client.open(uri, node + pods(3));
    await client.diagnostics(uri, () => true);
    held.isHeld = true;
    const asked = titles(client, uri);
    await expect.poll(() => held.waiting.length).toBeGreaterThan(0);
    endPauses(held);
    release();
    expect(await asked).toEqual(Array(3).fill('lands on n1 · 1 of 1 nodes fit'));
  });
});

describe('lenses that are simulated, for a client that refreshes lenses', () => {
  const text = node + pods(2) + descheduler;
  const refreshed = { onLensesAged: () => undefined };

  it('have their titles from the beginning, as an editor may put a title that it asks for into another lens', async () => {
    const client = await startClient(refreshed);
    client.open(uri, text);
    await expect.poll(async () => (await titles(client, uri))[0]).toBe('evicts nobody now');
    expect(await lensesOf(client, uri)).toMatchObject(
      Array(3).fill({ command: { title: expect.stringMatching(/./) } }),
    );
  });

  it('are marked while they are simulated, and refreshed then', async () => {
    const { world, held, release } = heldWorld();
    let refreshes = 0;
    const client = await startClient({ world, onLensesAged: () => (refreshes += 1) });
    client.open(uri, text);
    const answered = async (): Promise<readonly string[]> => {
      const asked = titles(client, uri);
      const answers: (readonly string[])[] = [];
      void asked.then(it => answers.push(it));
      await expect
        .poll(() => {
          endPauses(held);
          return answers.length;
        })
        .toBe(1);
      return asked;
    };
    await expect.poll(answered).not.toContain('…');
    held.isHeld = true;
    client.change(uri, 2, `# changed\n${text}`);
    expect(await answered()).toContain('…');
    const before = refreshes;
    release();
    await expect.poll(() => refreshes).toBeGreaterThan(before);
    await expect.poll(answered).not.toContain('…');
  });

  it('get titles when they are visible where there are very many', async () => {
    const client = await startClient(refreshed);
    client.open(uri, node + pods(2) + descheduler.repeat(22));
    await expect
      .poll(async () => (await lensesOf(client, uri)).slice(0, 20).map(it => it.command.title))
      .toEqual(Array(20).fill('evicts nobody now'));
    const untitled = (await lensesOf(client, uri)).filter(it => it.command === undefined);
    expect(untitled).toHaveLength(2);
    for (const it of untitled)
      await expect
        .poll(async () => (await client.connection.sendRequest<Lens>('codeLens/resolve', it)).command.title)
        .toBe('evicts nobody now');
  });
});

describe('a lens over a policy', () => {
  it('is marked until all objects are evaluated, and refreshed even when the answer is the same', async () => {
    const { world, held } = heldWorld();
    let refreshes = 0;
    const policyEngine = engineThatIsNotBuilt();
    const client = await startClient({ world, policyEngine, onLensesAged: () => (refreshes += 1) });
    client.open(policyUri, policy);
    client.open(secretUri, secret('a'));
    const settled = (expected: string) =>
      expect
        .poll(async () => {
          endPauses(held);
          return titles(client, policyUri);
        })
        .toEqual([expected]);
    await settled('rejects 1 of 1 object');
    client.change(secretUri, 2, secret('a', 'b'));
    expect(await titles(client, policyUri)).toEqual(['rejects 1 of 1 object …']);
    await settled('rejects 2 of 2 objects');
    client.change(secretUri, 3, `# two\n${secret('a', 'b')}`);
    expect(await titles(client, policyUri)).toEqual([expect.stringMatching(/^rejects .* …$/)]);
    const before = refreshes;
    await expect
      .poll(() => {
        endPauses(held);
        return refreshes;
      })
      .toBeGreaterThan(before);
    expect(await titles(client, policyUri)).toEqual(['rejects 2 of 2 objects']);
  });
});

describe('a client that runs no commands of Berth', () => {
  const foreign = async (options: ClientOptions = {}): Promise<TestClient> => {
    const files = { [policyUri]: policy, [secretUri]: secret('a', 'b'), [uri]: node + pods(1) };
    const client = await startClient({ files, policyEngine: engineThatIsNotBuilt(), commands: [], ...options });
    client.open(secretUri, secret('a', 'b'));
    await expect.poll(() => titles(client, policyUri)).toEqual(['rejects 2 of 2 objects']);
    return client;
  };

  it('gets lenses without commands', async () => {
    const client = await foreign();
    for (const it of [policyUri, uri])
      expect((await lensesOf(client, it)).map(lens => lens.command)).toEqual([
        { title: expect.any(String), command: '' },
      ]);
    expect(client.capabilities.executeCommandProvider).toBeUndefined();
  });

  it('lets the server show what a policy rejects, if it can open documents', async () => {
    const shown: unknown[] = [];
    const client = await foreign({ onShowDocument: it => shown.push(it) });
    expect(client.capabilities.executeCommandProvider).toEqual({ commands: ['berth.showPolicyPlaces'] });
    const asked: string[] = [];
    client.connection.onRequest('window/showMessageRequest', ({ message, actions }) => {
      asked.push(message);
      return actions[1];
    });
    const [lens] = await lensesOf(client, policyUri);
    await client.connection.sendRequest('workspace/executeCommand', lens?.command);
    expect(asked).toEqual(['Which of 2 objects should be shown?']);
    expect(shown).toMatchObject([{ uri: secretUri, selection: { start: { line: 6 } }, takeFocus: true }]);
    const [onPods] = await lensesOf(client, uri);
    expect(onPods?.command.command).toBe('');
  });
});

describe('a client', () => {
  it('is notified which open documents hold Kubernetes objects, after each change', async () => {
    const client = await startClient();
    const told: (readonly string[])[] = [];
    client.connection.onNotification('berth/manifests', ({ uris }) => void told.push(uris));
    client.open(uri, 'replicas: 2\n');
    client.open(secretUri, secret('a'));
    await expect.poll(() => told).toEqual([[secretUri]]);
    client.change(uri, 2, pods(1));
    await expect.poll(() => told).toEqual([[secretUri], [uri, secretUri]]);
    client.change(uri, 3, pods(2));
    client.change(secretUri, 2, 'replicas: 2\n');
    await expect.poll(() => told.slice(2)).toEqual([[uri]]);
  });
});

describe('a lens over Pods that arrive in several orders', () => {
  const sized = (name: string, cpu: string): string =>
    `---\napiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: main, image: a, resources: { requests: { cpu: "${cpu}" } } }] }\n`;
  const text =
    node.replace('cpu: "4"', 'cpu: "4", memory: 8Gi').replace(/---\n$/, '') + sized('big', '4') + sized('small', '1');

  it('gets its title once it is visible, with an order as its tooltip', async () => {
    const client = await startClient({ onLensesAged: 'unsupported' });
    client.open(uri, text);
    await client.diagnostics(uri, () => true);
    const lenses = await lensesOf(client, uri);
    const unresolved = lenses.filter(it => it.command === undefined);
    const resolved = await Promise.all(
      unresolved.map(it => client.connection.sendRequest<Lens>('codeLens/resolve', it)),
    );
    expect(resolved.map(it => it.command)).toEqual([
      {
        title: 'stranded in 1 of 2 orders: small, big',
        tooltip: 'Stranded when the Pods arrive in this order: default/small, default/big',
        command: 'berth.preview',
        arguments: [{ uri, order: ['default/small', 'default/big'] }],
      },
      {
        title: 'stranded in 1 of 2 orders: big, small',
        tooltip: 'Stranded when the Pods arrive in this order: default/big, default/small',
        command: 'berth.preview',
        arguments: [{ uri, order: ['default/big', 'default/small'] }],
      },
    ]);
  });

  it('comes before the placement, which may be wider than the editor', async () => {
    const client = await startClient({ onLensesAged: 'unsupported' });
    client.open(uri, text);
    await client.diagnostics(uri, () => true);
    const lenses = await lensesOf(client, uri);
    const { line } = lenses.find(it => it.command === undefined)!.range.start;
    const ofPod = lenses.filter(it => it.range.start.line === line);
    expect(ofPod.map(it => (it.command === undefined ? 'orders' : 'placement'))).toEqual(['orders', 'placement']);
  });
});
