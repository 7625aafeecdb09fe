import { describe, expect, it } from 'vitest';
import { waitsInWords } from '../../server/src/scheduler/queue/words';
import type { PlacementResult } from '../../server/src/scheduler/result';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn, objectsIn } from './support';

const node = (name: string, more = ''): string => `
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
spec: { ${more} }
status: { allocatable: { cpu: "2", memory: 4Gi, pods: "10" } }
---`;

const pod = (name: string, spec: string, more = ''): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: default${more} }
spec:
  containers: [{ name: app, image: app, resources: { requests: { cpu: "1" } } }]
${spec.replace(/^/gm, '  ')}
---`;

/** Has affinity to the leader. */
const FOLLOWER = pod(
  'follower',
  `priority: 10
affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector: { matchLabels: { app: leader } }`,
);

const run = (...documents: readonly string[]): PlacementResult =>
  runScenario(objectsIn(documents.join('\n').replace(/---\s*$/, '')), { kubernetesVersion: '1.37', isGateOn });

/** The queue as text: Pod, queue, rejecting plugins, and awaited events. */
const queueText = (result: PlacementResult): readonly string[] =>
  (result.queue ?? []).map(it =>
    `${it.pod} ${it.queue} [${it.rejectedBy.join(' ')}] ${waitsInWords(it.waitsFor)}`.trimEnd(),
  );

describe('the queue after the run', () => {
  it.each([
    [
      'too little room',
      [node('a'), pod('big', 'priority: 1\nnodeSelector: {}').replace('cpu: "1"', 'cpu: "9"')],
      [
        'default/big unschedulable [NodeResourcesFit] a running Pod goes, a running Pod asks for less, a Node is added or its allocatable resources change, or the Pod itself asks for less',
      ],
    ],
    [
      'a label that no node has',
      [node('a'), pod('picky', 'nodeSelector: { disk: ssd }')],
      ['default/picky unschedulable [NodeAffinity] a Node is added or its labels change'],
    ],
    [
      'each node for another reason',
      [
        node('a', 'taints: [{ key: gpu, effect: NoSchedule }]'),
        node('b', 'unschedulable: true'),
        pod('plain', 'priority: 0'),
      ],
      [
        'default/plain unschedulable [NodeUnschedulable TaintToleration] a Node is added or its taints change, or tolerations of the Pod itself change',
      ],
    ],
    [
      'scheduling gates',
      [node('a'), pod('held', 'schedulingGates: [{ name: example.com/wait }]')],
      ['default/held gated [SchedulingGates] scheduling gates of the Pod are removed'],
    ],
    ['no node at all: it is tried again after its backoff', [pod('lost', 'priority: 0')], ['default/lost backoff []']],
    ['another scheduler’s Pod is in no queue', [node('a'), pod('other', 'schedulerName: mine')], []],
    [
      'a Pod that a later one pulls along',
      [node('a'), FOLLOWER, pod('leader', 'priority: 0', ', labels: { app: leader }')],
      ['default/follower backoff [InterPodAffinity]'],
    ],
    [
      'a Pod that a later one does not concern',
      [node('a'), FOLLOWER, pod('stranger', 'priority: 0', ', labels: { app: stranger }')],
      [
        'default/follower unschedulable [InterPodAffinity] another Pod gets a node, labels of a running Pod change, a running Pod goes, labels of the Pod itself change, or 1 more kind of change',
      ],
    ],
  ] as const)('%s', (_, documents, expected) => {
    expect(queueText(run(...documents))).toEqual(expected);
  });

  it.each([
    ['delete', 'backoff'],
    ['terminate', 'unschedulable'],
  ])('a Pod that preempted waits for its victims when they %s', (victims, queue) => {
    const options = `
apiVersion: berth.dev/v1alpha1
kind: ScenarioOptions
victims: ${victims}
retry: none
---`;
    const low = pod('low', 'nodeName: a\npriority: 0').replace('cpu: "1"', 'cpu: "2"');
    const result = run(options, node('a'), low, pod('high', 'priority: 100'));
    expect(result.queue?.map(it => [it.pod, it.queue])).toEqual([['default/high', queue]]);
  });

  const away = `priority: 200
preemptionPolicy: Never
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector: { matchLabels: { app: noisy } }`;
  const port = 'priority: 200\npreemptionPolicy: Never';
  const withPort = (it: string): string => it.replace('name: app,', 'name: app, ports: [{ hostPort: 80 }],');
  const spread = `priority: 200
preemptionPolicy: Never
topologySpreadConstraints:
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: DoNotSchedule
  labelSelector: { matchLabels: { app: noisy } }
  minDomains: 2`;

  it.each([
    ['InterPodAffinity', 'noisy', pod('waits', away), 'backoff'],
    ['NodePorts', 'noisy', withPort(pod('waits', port)), 'backoff'],
    ['PodTopologySpread', 'noisy', pod('waits', spread, ', labels: { app: noisy }'), 'backoff'],
    ['NodeAffinity', 'noisy', pod('waits', `${port}\nnodeSelector: { disk: ssd }`), 'unschedulable'],
  ])('a Pod that %s rejected, when a Pod with the label %s is evicted', (plugin, label, waits, queue) => {
    const noisy = withPort(pod('noisy', 'nodeName: a\npriority: 0', `, labels: { app: ${label} }`));
    const big = pod('big', 'priority: 100').replace('cpu: "1"', 'cpu: "2"');
    const result = run(node('a'), noisy, waits, big);
    expect(result.evicted).toEqual(['default/noisy']);
    expect(result.queue).toMatchObject([{ pod: 'default/waits', queue, rejectedBy: [plugin] }]);
  });

  it('lists the events of each plugin', () => {
    const [waiting] = run(node('a'), pod('picky', 'nodeSelector: { disk: ssd }')).queue ?? [];
    expect(waiting?.waitsFor).toEqual([
      { resource: 'Node', action: 'Add', plugin: 'NodeAffinity' },
      { resource: 'Node', action: 'UpdateNodeLabel', plugin: 'NodeAffinity' },
    ]);
  });

  it('has no queue when everything is placed', () => {
    expect(run(node('a'), pod('small', 'priority: 0')).queue).toBeUndefined();
  });
});
