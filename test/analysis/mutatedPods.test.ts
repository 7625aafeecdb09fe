import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
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
const nodes = 'file:///ws/nodes.yaml';
const uri = 'file:///ws/pod.yaml';
const policyUri = 'file:///ws/policies/pool.yaml';

function opened(files: Readonly<Record<string, string>>) {
  const counted = { asked: 0, placed: 0 };
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => expect.unreachable(`${code}: ${String(error)}`),
    policyEngine: engineThatIsNotBuilt(),
    onPoliciesAsked: () => {
      counted.asked += 1;
    },
  });
  host.apply({
    settings: defaultSettings,
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  const judge = () =>
    host.judgePolicies(
      [uri],
      () => undefined,
      () => {
        counted.placed += 1;
      },
    );
  const nodeOf = () =>
    host
      .analysis()
      .preview({ uri, offset: 0 })
      .pods.find(it => it.name === 'web')?.node;
  return { host, counted, judge, nodeOf };
}

const FILES = { [nodes]: `${node('a')}---\n${node('b')}`, [uri]: POD };

describe('placements of the editor where policies change Pods', () => {
  it('are told without them at first, and with them once they are known', async () => {
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

  it('follow an edit of the Pod and of the policy, and the end of the policy', async () => {
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

  it('ask for what only a suggestion wants to know, and try it again once it is known', async () => {
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

  it('are the same, and ask for nothing, where no policy changes anything', async () => {
    const { counted, judge, nodeOf } = opened(FILES);
    await judge();
    expect([nodeOf(), counted]).toEqual(['a', { asked: 0, placed: 0 }]);
  });
});
