import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

const NODE = `apiVersion: v1
kind: Node
metadata: { name: plain, labels: { pool: plain } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }
`;

/** Sends the Pods of one application to nodes that there are not. */
const POLICY = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: elsewhere }
spec:
  rules:
    - name: pool
      match: { any: [{ resources: { kinds: [Pod], selector: { matchLabels: { app: moved } } } }] }
      mutate: { patchStrategicMerge: { spec: { nodeSelector: { pool: elsewhere } } } }
`;

const deployment = (app: string, name = 'web'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${app} } }
  template:
    metadata: { labels: { app: ${app} } }
    spec:
      containers:
        - { name: main, image: nginx:1.27, resources: { requests: { cpu: 100m } } }
`;

test('what rules found before policies answered about an edited object is found again after it', async () => {
  const host = createAnalysisHost({
    readPack,
    policyEngine: engineThatIsNotBuilt(),
    onBug: throwBug,
  });
  const placementCodes = (): readonly string[] =>
    host
      .analysis()
      .diagnostics('web.yaml')
      .map(it => it.code)
      .filter(it => it.startsWith('placement/'));
  host.apply({
    files: [
      { uri: 'node.yaml', text: NODE },
      { uri: 'policy.yaml', text: POLICY },
      { uri: 'web.yaml', text: deployment('stays') },
    ],
  });
  await iterateToEnd(host.evaluatePolicies([]));
  expect(placementCodes()).toEqual([]);
  host.apply({ files: [{ uri: 'web.yaml', text: deployment('moved') }] });
  expect(placementCodes()).toEqual([]);
  await iterateToEnd(host.evaluatePolicies([]));
  expect(placementCodes()).toEqual(['placement/unschedulable']);
});

test('placing goes on while policies answer about other objects', async () => {
  const opened = () => {
    const host = createAnalysisHost({ readPack, policyEngine: engineThatIsNotBuilt(), onBug: throwBug });
    const web = Array.from({ length: 200 }, (_, i) => deployment('stays', `web-${i}`)).join('---\n');
    const files = [
      { uri: 'node.yaml', text: NODE },
      { uri: 'policy.yaml', text: POLICY },
      { uri: 'web.yaml', text: web },
    ];
    host.apply({ files });
    return host;
  };
  const all = [...opened().analysis().placing('web.yaml')].length;
  const host = opened();
  let news = 0;
  let isPlaced = false;
  for await (const { placements } of host.evaluatePolicies([])) {
    if (placements === 'changed') break;
    news += 1;
    const steps = host.analysis().placing('web.yaml');
    for (let i = 0; i <= all / 4 && !isPlaced; i++) isPlaced = steps.next().done === true;
  }
  expect(news).toBeGreaterThan(4);
  expect(isPlaced).toBe(true);
});
