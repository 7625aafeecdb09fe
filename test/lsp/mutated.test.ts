import { expect, it } from 'vitest';
import { changedNotification, type PreviewAnswer, previewRequest } from '../../server/src/lsp/protocol';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { startClient } from './client';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { pool: ${name} } }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
`;
const pod = (wanted: string): string => `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { pool: ${wanted} } }
spec: { containers: [{ name: web, image: "web:1" }] }
`;
/** The label of a Pod says where it goes. */
const POLICY = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: pool }
spec:
  rules:
    - name: pool
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { spec: { nodeSelector: { pool: "{{ request.object.metadata.labels.pool }}" } } } }
`;

it('a preview is refreshed after mutating policies have been evaluated for its Pods', async () => {
  const uri = 'file:///ws/pod.yaml';
  const files = {
    'file:///ws/nodes.yaml': ['a', 'b'].map(node).join('---\n'),
    'file:///ws/policy.yaml': POLICY,
    [uri]: pod('b'),
  };
  const client = await startClient({ files, policyEngine: engineThatIsNotBuilt() });
  const nodeOf = async () => {
    const asked = { textDocument: { uri }, position: { line: 0, character: 0 } };
    const model = await client.connection.sendRequest<PreviewAnswer>(previewRequest, asked);
    return model?.pods.find(it => it.name === 'web')?.node;
  };
  /** Resolves when a preview that is asked for whenever it may have aged shows a node. */
  const shows = (node: string) =>
    new Promise<void>(resolve => {
      const look = async (): Promise<void> => {
        if ((await nodeOf()) !== node) return;
        hearing.dispose();
        resolve();
      };
      const hearing = client.connection.onNotification(changedNotification, () => void look());
      void look();
    });
  client.open(uri, pod('b'));
  await shows('b');
  client.change(uri, 2, pod('a'));
  await shows('a');
  // A Pod that is edited is placed without its policies until they have spoken.
  client.change(uri, 3, pod('b'));
  await shows('b');
  expect(await nodeOf()).toBe('b');
  client.connection.dispose();
});
