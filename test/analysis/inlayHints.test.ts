import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';

const NODES = `apiVersion: v1
kind: Node
metadata: { name: n1, labels: { disk: ssd } }
spec: { taints: [{ key: gpu, value: "yes", effect: NoSchedule }, { key: old, effect: NoExecute }] }
status: { allocatable: { cpu: "4", memory: 4Gi, pods: "10" } }
---
apiVersion: v1
kind: Node
metadata: { name: n2, labels: { disk: ssd } }
spec: { taints: [{ key: gpu, value: "yes", effect: NoSchedule }] }
status: { allocatable: { cpu: "4", memory: 4Gi, pods: "10" } }
---
apiVersion: v1
kind: Node
metadata: { name: n3 }
status: { allocatable: { cpu: "4", memory: 4Gi, pods: "10" } }
`;

/** The lines of a text that have hints, with these in them. */
function hinted(text: string, settings = {}): readonly string[] {
  const analysis = analysisOf({ 'file:///ws/nodes.yaml': NODES, [uri]: text }, settings);
  const edits = analysis
    .inlayHints(uri)
    .map(it => ({ span: { start: it.offset, end: it.offset }, newText: ` «${it.label}»` }));
  return applyEdits(text, edits)
    .split('\n')
    .filter(it => it.includes('«'))
    .map(it => it.trim());
}

const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n${spec}`;
const container = '  containers:\n    - name: web\n      image: nginx\n';

describe('inlay hints', () => {
  it('show the value of a priority class in the cluster of the file', () => {
    const classed = (folder: string, value: number): readonly [string, string] => [
      `file:///ws/${folder}/all.yaml`,
      `${NODES}---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: urgent }\nvalue: ${value}\n---\n${pod(`  priorityClassName: urgent\n${container}`)}`,
    ];
    const files = [classed('a', 5), classed('b', 7)];
    const analysis = analysisOf(Object.fromEntries(files));
    const labels = files.map(([uri]) => analysis.inlayHints(uri)[0]?.label);
    expect(labels).toEqual(['= 5', '= 7']);
  });

  it('show the value of a priority class of the workspace or of the system', () => {
    const own =
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: urgent }\nvalue: 12000\n---\n';
    expect(hinted(own + pod(`  priorityClassName: urgent\n${container}`))).toContain(
      'priorityClassName: urgent «= 12,000»',
    );
    expect(hinted(pod(`  priorityClassName: system-node-critical\n${container}`))).toContain(
      'priorityClassName: system-node-critical «= 2,000,001,000»',
    );
    expect(hinted(pod(`  priorityClassName: nobody-knows\n${container}`)).join()).not.toContain('nobody-knows «');
  });

  it('show the total requests of a Pod, and its QoS class', () => {
    const resources = (it: string): string => pod(`${container}      resources: ${it}\n`);
    expect(hinted(pod(container))).toEqual(['containers: «requests nothing · BestEffort»']);
    expect(hinted(resources('{ requests: { cpu: 250m, memory: 512Mi } }'))).toEqual([
      'containers: «requests 250m CPU, 512Mi memory · Burstable»',
    ]);
    expect(hinted(resources('{ limits: { cpu: 1500m, memory: 1Gi } }'))).toEqual([
      'containers: «requests 1500m CPU, 1Gi memory · Guaranteed»',
    ]);
    const sidecar =
      '  initContainers:\n    - { name: s, image: a, restartPolicy: Always, resources: { requests: { cpu: 1 } } }\n';
    expect(hinted(`${resources('{ requests: { cpu: 2 } }')}${sidecar}`)).toEqual([
      'containers: «requests 3 CPU · Burstable»',
    ]);
  });

  it('count what the namespace adds', () => {
    const range =
      'apiVersion: v1\nkind: LimitRange\nmetadata: { name: r }\nspec:\n  limits: [{ type: Container, defaultRequest: { cpu: 300m } }]\n---\n';
    expect(hinted(range + pod(container))).toEqual(['containers: «requests 300m CPU · Burstable»']);
  });

  it('are in templates, too, even when those make no Pods now', () => {
    const text = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 0
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: nginx, resources: { limits: { memory: 1Gi } } }
`;
    expect(hinted(text)).toEqual(['containers: «requests 1Gi memory · Burstable»']);
  });

  it('show how many nodes a selector or a term matches', () => {
    expect(hinted(pod(`  nodeSelector: { disk: ssd }\n${container}`))[0]).toBe(
      'nodeSelector: «matches 2 of 3 nodes» { disk: ssd }',
    );
    const affinity = `  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
          - matchExpressions: [{ key: disk, operator: DoesNotExist }]
          - matchFields: [{ key: metadata.name, operator: In, values: [n1] }]
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          preference:
            matchExpressions: [{ key: disk, operator: In, values: [hdd] }]
`;
    expect(hinted(pod(affinity + container)).slice(0, 3)).toEqual([
      '- matchExpressions: «matches 1 of 3 nodes» [{ key: disk, operator: DoesNotExist }]',
      '- matchFields: «matches 1 of 3 nodes» [{ key: metadata.name, operator: In, values: [n1] }]',
      'preference: «matches 0 of 3 nodes»',
    ]);
  });

  it('show how many taints of nodes are tolerated', () => {
    expect(hinted(pod(`  tolerations: [{ key: gpu, operator: Exists }]\n${container}`))[0]).toContain(
      '«tolerates 1 taint»',
    );
    expect(hinted(pod(`  tolerations: [{ operator: Exists }]\n${container}`))[0]).toContain('«tolerates 2 taints»');
    expect(hinted(pod(`  tolerations: [{ key: other, operator: Exists }]\n${container}`))[0]).toContain(
      '«tolerates 0 taints»',
    );
  });

  it.each([
    '  nodeSelector: disk\n  containers: 5\n',
    '  nodeSelector:\n  tolerations:\n  containers:\n',
    '  tolerations: [1, {}]\n  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } }\n',
    '  priorityClassName: 5\n  containers: [{ resources: { requests: 5 } }]\n',
    '  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: 5 }, 7] } } }\n',
    '  nodeSelector: { disk: 5, a: }\n  containers: [null]\n',
  ])('accept incomplete text: %j', spec => {
    expect(() => hinted(pod(spec))).not.toThrow();
    const deployment = pod(spec)
      .replace('v1', 'apps/v1')
      .replace('Pod', 'Deployment')
      .replace('spec:', 'spec:\n template:\n  spec:');
    expect(() => hinted(deployment)).not.toThrow();
  });

  it('are missing when the settings disable them', () => {
    expect(hinted(pod(container), { inlayHints: false })).toEqual([]);
  });
});
