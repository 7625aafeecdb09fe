import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { scenarioPolicies } from '../../server/src/analysis/placement/scenarioPolicies';
import {
  type MutationAnswers,
  mutationAnswers,
  withMutationAnswers,
} from '../../server/src/analysis/policies/mutationAnswers';
import { comparisonFor } from '../../server/src/analysis/preview/comparison';
import { nextTurn } from '../../server/src/base/nextTurn';
import { runToEnd } from '../../server/src/base/steps';
import { loadKube } from '../../server/src/kube/load';
import { parseManifests } from '../../server/src/manifest/parse';
import { type AdmissionChain, withoutMutation } from '../../server/src/policy/admission/chain';
import { loadSolver } from '../../server/src/scheduler/optimum/highs';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { pool: ${name} } }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
`;
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: "web:1" }] }
`;
const policy = (spec: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: pool }
spec:
  rules:
    - name: pool
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate: { patchStrategicMerge: { spec: { ${spec} } } }
`;
const ASSIGN = `apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: { name: host }
spec: { applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }], location: spec.hostNetwork, parameters: { assign: { value: true } } }
`;
const nodes = 'file:///ws/nodes.yaml';
const uri = 'file:///ws/pod.yaml';
const policyUri = 'file:///ws/policies/pool.yaml';

function opened(files: Readonly<Record<string, string>>) {
  const counted = { asked: 0, placed: 0 };
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => expect.unreachable(`${code}: ${String(error)}`),
    policyEngine: engineThatIsNotBuilt(),
    onPolicyQuestion: () => {
      counted.asked += 1;
    },
  });
  host.apply({
    settings: defaultSettings,
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  const judge = async () => {
    for await (const { placements } of host.evaluatePolicies([uri])) if (placements === 'changed') counted.placed += 1;
  };
  const nodeOf = () =>
    host
      .analysis()
      .preview({ uri, offset: 0 })
      .pods.find(it => it.name === 'web')?.node;
  return { host, counted, judge, nodeOf };
}

const FILES = { [nodes]: `${node('a')}---\n${node('b')}`, [uri]: POD };

describe('placements of the editor where policies change Pods', () => {
  it('ignore policies at first, and include them once their answers are known', async () => {
    const { host, counted, judge, nodeOf } = opened({ ...FILES, [policyUri]: policy('nodeSelector: { pool: b }') });
    expect(nodeOf()).toBe('a');
    await judge();
    expect([nodeOf(), counted.placed]).toEqual(['b', 1]);
    const { notes } = host.analysis().preview({ uri, offset: 0 });
    expect(notes).toEqual([expect.stringMatching(/^ClusterPolicy pool \(pool\.yaml\) changes Pod default\/web: /)]);
    const [first] = host.analysis().explanation({ uri, offset: 0 })?.steps ?? [];
    expect(first?.sentence).toMatch(
      /^ClusterPolicy pool \(pool\.yaml\) changes Pod default\/web: adds spec\.nodeSelector/,
    );
    expect(counted.asked).toBe(0);
  });

  it('are explored for lenses once for the same answers', async () => {
    const small = POD.replace('"web:1"', '"web:1", resources: { requests: { cpu: "3" } }');
    const pods = `${small}---\n${small.replace('name: web }', 'name: big }').replace('"3"', '"4"')}`;
    const { host, judge } = opened({ ...FILES, [uri]: pods, [policyUri]: policy('nodeSelector: { pool: b }') });
    const exploredAfter = async (file: string, text: string | undefined) => {
      host.apply({ files: [{ uri: file, text }] });
      await judge();
      const asked = { count: 0 };
      const timeUsed = (): number => {
        asked.count += 1;
        return 0;
      };
      const [first] = runToEnd(host.analysis().orderTitles({ uri, timeUsed })).values();
      return [first?.title, asked.count > 0];
    };
    const stranded = 'stranded in 1 of 2 orders: big, web';
    expect(await exploredAfter(uri, pods)).toEqual([stranded, true]);
    expect(await exploredAfter(uri, `# Both on b.\n${pods}`)).toEqual([stranded, false]);
    expect(await exploredAfter(policyUri, policy('nodeSelector: { pool: a }'))).toEqual([stranded, true]);
    expect(await exploredAfter(policyUri, undefined)).toEqual(['placed in every order', true]);
    expect(await exploredAfter(uri, pods)).toEqual(['placed in every order', false]);
  });

  it('follow edits of the Pod and of the policy, and the removal of the policy', async () => {
    const { host, judge, nodeOf } = opened({ ...FILES, [policyUri]: policy('nodeSelector: { pool: b }') });
    await judge();
    host.apply({ files: [{ uri, text: POD.replace('spec: {', 'spec: { priority: 0, hostNetwork: true,') }] });
    host.apply({ files: [{ uri, text: POD.replace('spec: {', 'spec: { hostNetwork: true,') }] });
    await judge();
    expect(nodeOf()).toBe('b');
    host.apply({ files: [{ uri: policyUri, text: policy('nodeSelector: { pool: c }') }] });
    await judge();
    expect(nodeOf()).toBeUndefined();
    expect(
      host
        .analysis()
        .diagnostics(uri)
        .map(it => it.code),
    ).toContain('placement/unschedulable');
    host.apply({ files: [{ uri: policyUri, text: undefined }] });
    await judge();
    expect(nodeOf()).toBe('a');
    expect(
      host
        .analysis()
        .diagnostics(uri)
        .map(it => it.code),
    ).not.toContain('placement/unschedulable');
  });

  it('are reported as changed even when the job that changed them is overtaken', async () => {
    const { host, counted, judge, nodeOf } = opened({ ...FILES, [policyUri]: policy('nodeSelector: { pool: b }') });
    await judge();
    host.apply({ files: [{ uri: policyUri, text: undefined }] });
    await Promise.all([judge(), judge()]);
    expect([nodeOf(), counted.placed]).toEqual(['a', 2]);
  });

  it('stay as they are while policies that changed are asked again', async () => {
    const { host, judge, nodeOf } = opened({ ...FILES, [policyUri]: policy('nodeSelector: { pool: b }') });
    await judge();
    host.apply({ files: [{ uri: policyUri, text: policy('nodeSelector: { pool: b }, priority: 0') }] });
    const state = { isDone: false };
    const judged = judge().then(() => {
      state.isDone = true;
    });
    const seen = new Set<string | undefined>();
    while (!state.isDone) {
      seen.add(nodeOf());
      await nextTurn();
    }
    await judged;
    expect([...seen, nodeOf()]).toEqual(['b', 'b']);
  });

  it('are computed again when another file changes that no policy is evaluated on', async () => {
    const running = (cpu: number) =>
      POD.replace('name: web }', 'name: other }').replace(
        'image: "web:1"',
        `image: "web:1", resources: { requests: { cpu: ${cpu} } }`,
      );
    const other = 'file:///ws/other.yaml';
    const onNode = (cpu: number) => running(cpu).replace('spec: {', 'spec: { nodeName: a,');
    const files = { [nodes]: node('a'), [uri]: running(2).replace('other', 'web'), [other]: onNode(3) };
    const { host, judge } = opened({ ...files, [policyUri]: policy('nodeSelector: { pool: a }') });
    await judge();
    const codes = () =>
      host
        .analysis()
        .diagnostics(uri)
        .map(it => it.code);
    expect(codes()).toContain('placement/unschedulable');
    expect(host.apply({ files: [{ uri: other, text: onNode(1) }] })).toContain(uri);
    expect(codes()).not.toContain('placement/unschedulable');
  });

  it('ask what only a suggestion needs, and try it again once it is answered', async () => {
    const tainted = FILES[nodes].replaceAll('status:', 'spec: { taints: [{ key: own, effect: NoSchedule }] }\nstatus:');
    const files = { ...FILES, [nodes]: tainted, [policyUri]: policy('nodeSelector: { pool: b }') };
    const { host, counted, judge } = opened(files);
    await judge();
    const landings = () =>
      host
        .analysis()
        .counterfactuals({ uri, offset: 0 })
        ?.suggestions.map(it => it.outcome.node) ?? [];
    expect([landings()[0], counted.asked]).toEqual(['a', 1]);
    await judge();
    expect([landings()[0], counted.asked]).toEqual(['b', 1]);
  });

  it('are sent to the thread that compares them', async () => {
    const { host, judge } = opened({ ...FILES, [policyUri]: policy('nodeSelector: { pool: b }') });
    await judge();
    const question = structuredClone(runToEnd(host.analysis().previewComparison({ uri, offset: 0 })));
    const nodes = [];
    for await (const { done, pods, nodes: names } of comparisonFor(question, { solver: loadSolver(), readPack }))
      nodes.push(...done.map(({ on }) => names[on[pods.indexOf('default/web')] ?? -1]));
    expect(new Set(nodes)).toEqual(new Set(['b']));
  });

  it('are the same, and ask nothing, where no policy changes anything', async () => {
    const { counted, judge, nodeOf } = opened(FILES);
    await judge();
    expect([nodeOf(), counted]).toEqual(['a', { asked: 0, placed: 0 }]);
  });
});

describe('answers of mutating policies', () => {
  const kube = loadKube('1.37', {}, readPack);
  const pods = Array.from({ length: 100 }, (_, i) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `p${i}` } }));
  const chainOf = (admitted: AdmissionChain['admit']): AdmissionChain => ({
    ...withoutMutation(kube),
    isMutating: true,
    mutators: [],
    admit: admitted,
  });
  const ask = (answers: MutationAnswers) => pods.forEach(it => void answers.current().ask(it));

  it('end early when they are overtaken, and only repeated questions are answered later', async () => {
    let asked = 0;
    const answers = mutationAnswers(
      chainOf(async objects => {
        asked += objects.length;
        return withoutMutation(kube).admit(objects);
      }),
      kube,
    );
    ask(answers);
    await answers.answer(() => asked > 0);
    expect([asked, answers.hasQuestions()]).toEqual([1, false]);
    ask(answers);
    await answers.answer();
    ask(answers);
    expect([asked, answers.hasQuestions()]).toEqual([100, false]);
  });

  it.each([
    { what: 'refuses an object', isRefused: true, isRepeated: true },
    { what: 'says nothing', isRefused: false, isRepeated: false },
  ])('have a simulation repeated: $isRepeated, where a policy $what', async ({ isRefused, isRepeated }) => {
    const answers = mutationAnswers(
      chainOf(async objects => (await withoutMutation(kube).admit(objects)).map(it => ({ ...it, isRefused }))),
      kube,
    );
    ask(answers);
    expect(await answers.answer()).toBe(isRepeated);
    expect(await answers.answer()).toBe(false);
  });

  it('that fail are not requested again and again', async () => {
    const answers = mutationAnswers(
      chainOf(() => Promise.reject(new Error('no engine'))),
      kube,
    );
    ask(answers);
    await expect(answers.answer()).rejects.toThrow('no engine');
    ask(answers);
    expect(answers.hasQuestions()).toBe(false);
  });

  it('of a scenario that fail are reported, and the scenario is placed without them', async () => {
    const failures: unknown[] = [];
    const broken = {
      ...engineThatIsNotBuilt(),
      isBuilt: () => true,
      start: () => undefined,
      call: () => Promise.reject(new Error('no engine')),
    };
    const pod = { uri: 'pod.yaml', text: POD };
    const assign = { uri: 'assign.yaml', text: ASSIGN };
    const files = [pod, assign].map(it => parseManifests(it.uri, it.text));
    const answers = scenarioPolicies(files, { kube }, { engine: broken, onFailure: it => failures.push(it) });
    const asked = await withMutationAnswers(answers, askPolicies => askPolicies?.(pods[0] ?? {}));
    expect([asked, failures]).toEqual([undefined, [new Error('no engine')]]);
  });
});
