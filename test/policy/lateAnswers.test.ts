import { expect, test, vi } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { KnownMutations } from '../../server/src/analysis/policies/knownMutations';
import { answerInBackground, mutationAnswers } from '../../server/src/analysis/policies/mutationAnswers';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import type { Steps } from '../../server/src/base/steps';
import { runToEnd } from '../../server/src/base/steps';
import { loadKube } from '../../server/src/kube/load';
import type { JudgedObject } from '../../server/src/policy/admission/judged';
import type serviceAccountMissing from '../../server/src/rules/references/serviceAccountMissing';
import type { WorkspaceObject } from '../../server/src/workspace/object';
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

const looks = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const looks = { count: 0 };
  inPlaceOf(
    'rules/references/serviceAccountMissing',
    ({ default: real }: { default: typeof serviceAccountMissing }) => ({
      default: {
        ...real,
        check(...args) {
          looks.count += 1;
          return real.check(...args);
        },
      },
    }),
  );
  return looks;
});

/** Has a problem for each Deployment. */
const AUDIT = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: team }
spec:
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [Deployment] } }] }
      validate: { message: name a team, pattern: { metadata: { labels: { team: "?*" } } } }
`;
const DEPLOYMENTS = 140;

function withDeploymentsAnd(policy: string): AnalysisHost {
  const host = createAnalysisHost({ readPack, policyEngine: engineThatIsNotBuilt(), onBug: throwBug });
  const web = Array.from({ length: DEPLOYMENTS }, (_, i) => deployment('stays', `web-${i}`)).join('---\n');
  const files = [
    { uri: 'node.yaml', text: NODE },
    { uri: 'policy.yaml', text: policy },
    { uri: 'web.yaml', text: web },
  ];
  host.apply({ files });
  return host;
}

test('placing goes on while policies answer about other objects', async () => {
  const all = [...withDeploymentsAnd(POLICY).analysis().placing('web.yaml')].length;
  const host = withDeploymentsAnd(POLICY);
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

test('rules look at an object once, however often policies answer meanwhile', async () => {
  const host = withDeploymentsAnd(AUDIT);
  looks.count = 0;
  for await (const { placements } of host.evaluatePolicies([])) {
    if (placements === 'changed') break;
    runToEnd(host.analysis().diagnosticsInSteps('web.yaml', 'quick'));
  }
  expect(looks.count).toBe(DEPLOYMENTS);
});

test.each([
  { what: 'results of policies', results: 1_000, changes: 0, leftOut: 99 },
  { what: 'changes by policies', results: 0, changes: 50, leftOut: 165 },
])(
  'placements ask for so many $what at most, and know how many objects they are not asked about',
  async ({ results, changes, leftOut }) => {
    const mutations = Array.from({ length: changes }, () => ({ policy: 'p', kind: 'Assign', changes: [] }));
    const judged = (it: WorkspaceObject): JudgedObject => ({
      value: it.manifest.value,
      steps: [{ engine: 'gatekeeper', mutations, results: [] }],
      isRefused: false,
      results,
    });
    const answers = mutationAnswers({ admit: async objects => objects.map(judged) }, loadKube('1.37', {}, readPack));
    const pods = Array.from({ length: 300 }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${i}` },
    }));
    const ask = function* (mutations: KnownMutations): Steps<undefined> {
      for (const it of pods) mutations.ask(it);
      yield;
      return undefined;
    };
    await answerInBackground(answers, ask, () => false);
    expect(answers.current().leftOut).toBe(leftOut);
  },
);
