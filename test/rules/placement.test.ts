import { describe, expect, test } from 'vitest';
import { diagnose, fixed, fixesOf, type World } from '../support/check';

const node = (name: string, more = '', labels = ''): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name}${labels} } }\nspec: {${more}}\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }\n---\n`;
const pod = (spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { app: web } }\nspec:\n  containers: [{ name: web, image: nginx }]\n${spec}`;
const codes = (text: string, world: World = {}): readonly string[] =>
  diagnose(text, world)
    .filter(it => it.category === 'placement')
    .map(it => it.code.replace('placement/', ''));

describe('placement rules report nothing without nodes', () => {
  const wishes = pod(
    '  nodeSelector: { disk: ssd }\n  tolerations: [{ key: gpu, operator: Exists }]\n  priority: 0\n',
  ).replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 900 } }');

  test('the embedded cluster does not count', () => {
    expect(codes(wishes)).toEqual([]);
  });

  test('Nodes with nothing but labels have no known capacity', () => {
    const bare = node('n1').replace(/status: .*\n/, '');
    expect(codes(bare + wishes)).toEqual([]);
    expect(codes(node('n1') + wishes)).toEqual([
      'unschedulable',
      'selector-matches-no-node',
      'toleration-matches-no-taint',
    ]);
  });
});

describe('a workload defined in two files', () => {
  const web = (replicas: number): string =>
    `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  strategy: { type: Recreate }\n  replicas: ${replicas}\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers: [{ name: web, image: nginx }]\n      affinity:\n        podAntiAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n            - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: web } } }\n`;
  const nodes = node('n1') + node('n2').replace(/---\n$/, '');

  test('is placed once, as the first file defines it', () => {
    expect(codes(nodes + web(2) + web(2))).toEqual([]);
    expect(codes(nodes + web(3) + web(2))).toEqual(['unschedulable', 'anti-affinity-too-few-domains']);
    expect(codes(nodes + web(2) + web(3))).toEqual([]);
  });
});

describe('a Pod that names its node', () => {
  test('bypasses the scheduler', () => {
    const text = pod('  nodeName: n9\n  nodeSelector: { disk: ssd }\n');
    expect(codes(node('n1') + text)).toEqual([]);
  });
});

describe('fields that a patch may change are not checked before it is applied', () => {
  test.each([
    ['patched', 'patches: [{ target: { kind: Pod }, patch: "[]" }]', []],
    ['patched by a pattern of Go', 'patches: [{ target: { name: "(?i:[[:^digit:]]+)" }, patch: "[]" }]', []],
    [
      'patched by a pattern of a lookahead, which Go refuses',
      'patches: [{ target: { name: "(?=w)" }, patch: "[]" }]',
      [],
    ],
    [
      'patched by a pattern that is slow where it does not match',
      'patches: [{ target: { name: "(?:[a-z]+)+!" }, patch: "[]" }]',
      ['unschedulable', 'selector-matches-no-node'],
    ],
    ['only built', '', ['unschedulable', 'selector-matches-no-node']],
  ])('%s', (_name, field, expected) => {
    const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n${field}\n`;
    const text = node('n1') + pod('  nodeSelector: { disk: ssd }\n').replace('name: web', `name: ${'a'.repeat(40)}`);
    expect(codes(text, { beside: { 'kustomization.yaml': kustomization } })).toEqual(expected);
  });
});

describe('the scheduler’s message follows a dash', () => {
  test('word for word', () => {
    const [, selector] = diagnose(node('n1') + pod('  nodeSelector: { disk: ssd }\n'));
    expect(selector?.message).toBe(
      'none of the 1 node has the label disk=ssd, and none has "disk" at all — 0/1 nodes are available: 1 node(s) didn\'t match Pod\'s node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
  });
});

describe('claims, volumes and Pods that others may create', () => {
  test.each([
    ['a claim that is not written', '  volumes: [{ name: a, persistentVolumeClaim: { claimName: a } }]\n'],
    [
      'devices that no driver has told of',
      '  resourceClaims: [{ name: gpu, resourceClaimName: gpu }]\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: gpu }\nspec: { devices: { requests: [{ name: gpu, exactly: { deviceClassName: gpu } }] } }\n---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: { name: gpu }\nspec: {}\n',
    ],
  ])('%s does not make a Pod unschedulable', (_name, spec) => {
    expect(codes(node('n1') + pod(spec))).toEqual([]);
    expect(codes(node('n1') + pod(spec), { complete: true })).toEqual(['unschedulable']);
  });
});

describe('suppressions of problems that are reported later', () => {
  const text = `# berth-ignore placement/selector-matches-no-node: the node comes tomorrow\n`;
  const spec = `  ${text}  nodeSelector: { disk: ssd }\n`;

  test('hide it, and the general problem is reported instead', () => {
    expect(codes(node('n1') + pod(spec))).toEqual(['unschedulable']);
  });

  test('do not count as unused if the scheduler does not run', () => {
    expect(diagnose(pod(spec)).map(it => it.code)).toEqual([]);
  });
});

describe('fixes lead to a node', () => {
  const tainted = ', taints: [{ key: dedicated, value: gpu, effect: NoSchedule }]'.slice(1);
  test.each([
    [
      'the nearest value of the label',
      node('n1', '', ', disk: ssd'),
      '  nodeSelector: { disk: sdd }\n',
      'Change it to ssd',
    ],
    ['the nearest key', node('n1', '', ', disk: ssd'), '  nodeSelector: { disc: ssd }\n', 'Rename it to disk'],
    [
      'the value of the taint',
      node('n1', tainted),
      '  tolerations: [{ key: dedicated, value: gpus }]\n',
      'Change value',
    ],
    [
      'the effect of the taint',
      node('n1', tainted),
      '  tolerations: [{ key: dedicated, value: gpu, effect: NoExecute }]\n',
      'Change effect',
    ],
    ['the key of the taint', node('n1', tainted), '  tolerations: [{ key: dedicate, value: gpu }]\n', 'Change key'],
  ])('%s', (_name, nodes, spec, title) => {
    const before = nodes + pod(spec);
    expect(codes(before)).not.toEqual([]);
    expect(codes(fixed(before, title) ?? before)).toEqual([]);
  });

  test('the only container’s request is lowered to the capacity of the largest node', () => {
    const one = node('n1') + pod('').replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 6 } }');
    expect(fixed(one, 'Ask for 4')).toContain('requests: { cpu: "4" }');
    const two = one.replace(
      '[{ name: web',
      '[{ name: a, image: nginx, resources: { requests: { cpu: 1 } } }, { name: web',
    );
    expect(fixesOf(two).filter(it => it.title.startsWith('Ask for'))).toEqual([]);
  });
});

describe('a budget', () => {
  const deployment = (replicas: number): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  strategy: { type: Recreate }\n  replicas: ${replicas}\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: web, image: nginx }] }\n---\n`;
  const budget = (limit: string): string =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: web }\nspec: { ${limit}, selector: { matchLabels: { app: web } } }\n---\n`;
  const scaled =
    'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: { name: web }\nspec: { scaleTargetRef: { name: web } }\n---\n';

  test.each([
    ['minAvailable: 2', 2, true],
    ['minAvailable: 2', 3, false],
    ['minAvailable: 67%', 3, true],
    ['minAvailable: 66%', 3, false],
    ['maxUnavailable: 0', 3, true],
    ['maxUnavailable: 1%', 3, false],
  ])('%s of %i Pods blocks every drain: %s', (limit, replicas, blocks) => {
    expect(codes(deployment(replicas) + budget(limit))).toEqual(blocks ? ['budget-blocks-every-drain'] : []);
  });

  test('is not checked for a workload that is scaled elsewhere', () => {
    expect(codes(deployment(2) + budget('minAvailable: 2') + scaled)).toEqual([]);
  });

  test.each([
    ['counts', 'replicas: [{ name: web, count: 3 }]'],
    ['patches', 'patches: [{ target: { kind: Deployment }, patch: "[]" }]'],
  ])('of a workload whose replicas a kustomization %s says nothing', (_name, field) => {
    const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n`;
    const text = deployment(2) + budget('minAvailable: 2');
    expect(codes(text, { beside: { 'kustomization.yaml': kustomization } })).toEqual(['budget-blocks-every-drain']);
    expect(codes(text, { beside: { 'kustomization.yaml': `${kustomization}${field}\n` } })).toEqual([]);
  });

  test('counts the maximum of the replicas in all files', () => {
    expect(codes(deployment(2) + deployment(5) + budget('minAvailable: 2'))).toEqual([]);
  });
});

describe('a claim for one node at a time', () => {
  const claim =
    'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { accessModes: [ReadWriteOnce], volumeName: pv, resources: { requests: { storage: 1Gi } } }\n---\n';
  const volume = (modes: string): string =>
    `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: pv }\nspec: { accessModes: [${modes}], capacity: { storage: 1Gi }, hostPath: { path: /data } }\n---\n`;
  const workload = (kind: string, head: string, spec: string): string =>
    `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: web }\nspec:\n${head}  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers: [{ name: web, image: nginx${spec} }]\n      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]\n---\n`;
  const daemons = workload('DaemonSet', '', '');
  const ports = workload('Deployment', '  replicas: 2\n', ', ports: [{ containerPort: 80, hostPort: 80 }]');
  const spread = workload('Deployment', '  replicas: 2\n', '').replace(
    '      volumes:',
    '      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n      volumes:',
  );
  const shares = (text: string): boolean => codes(text).includes('claim-shared-across-nodes');

  test.each([
    ['a DaemonSet on two nodes', node('n1') + node('n2') + daemons, true],
    ['a DaemonSet on one node', node('n1') + daemons, false],
    ['a DaemonSet on nobody knows how many', daemons, false],
    ['replicas with a host port', ports, true],
    ['a spread over two nodes', node('n1') + node('n2') + spread, true],
    ['a spread over one node', node('n1') + spread, false],
  ])('%s', (_name, text, expected) => {
    expect(shares(volume('ReadWriteOnce') + claim + text)).toBe(expected);
  });

  test('is not reported if its volume may be shared', () => {
    expect(shares(volume('ReadWriteOnce, ReadWriteMany') + claim + ports)).toBe(false);
  });
});

describe('an autoscaler of Pods with claims of their own', () => {
  test('simulates with new claims', () => {
    const text = `${node('n1')}apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: nginx, resources: { requests: { cpu: 1500m } } }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], storageClassName: late, resources: { requests: { storage: 1Gi } } }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: late }
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: db }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: StatefulSet, name: db }, maxReplicas: 5 }
`;
    const found = diagnose(text).find(it => it.code === 'placement/autoscaler-maximum-does-not-fit');
    expect(found?.message).toMatch(/^of 5 replicas of StatefulSet db, 2 find a node and 3 do not — 0\/1 nodes/);
    const lowered = diagnose(fixed(text, 'Set spec.maxReplicas to 2') ?? '');
    expect(lowered.filter(it => it.category === 'placement')).toEqual([]);
  });

  const scaled = (maximum: number, spec: string): string => `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 10
---
apiVersion: v1
kind: Pod
metadata: { name: low }
spec: { nodeName: n1, containers: [{ name: main, image: nginx, resources: { requests: { cpu: 2500m } } }] }
status: { phase: Running }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { ${spec} containers: [{ name: web, image: nginx, resources: { requests: { cpu: "1" } } }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: ${maximum} }
`;

  test.each([
    ['of a maximum that no cluster holds', 2_000_000_000, '', 'of 2000000000 replicas of Deployment web, 1 find'],
    [
      'of Pods that preempt others',
      2_000_000_000,
      'priorityClassName: high,',
      'of 2000000000 replicas of Deployment web, 4 find',
    ],
    ['of Pods that all preempt others', 4, 'priorityClassName: high,', undefined],
  ])('counts the replicas %s', (_name, maximum, spec, message) => {
    const found = diagnose(scaled(maximum, spec)).find(it => it.code === 'placement/autoscaler-maximum-does-not-fit');
    expect(found?.message.slice(0, message?.length)).toBe(message);
  });
});

describe('very many Pods without a node on very many nodes', () => {
  const nodes = Array.from({ length: 2_000 }, (_, i) => node(`n${i}`)).join('');
  const pods = (count: number): string =>
    Array.from({ length: count }, (_, i) =>
      pod('')
        .replace('name: web,', `name: web${i},`)
        .replace('image: nginx', 'image: nginx, resources: { requests: { cpu: 5 } }'),
    ).join('---\n');
  const told = (count: number): readonly (readonly [string, number])[] => {
    const problems = diagnose(nodes + pods(count)).filter(it => it.category === 'placement');
    const of = (code: string, part: string): number =>
      problems.filter(it => it.code === `placement/${code}` && it.message.includes(part)).length;
    return [
      ['unschedulable', of('unschedulable', 'this Pod finds no node')],
      ['with its reason', of('unschedulable', 'too little cpu')],
      ['without', of('unschedulable', 'why is told of the first Pods only')],
      ['too large', of('request-too-large', 'the Pod asks for 5 cpu')],
    ];
  };

  test('are all reported, and the first of them with their reasons', () => {
    expect(told(55).map(([, count]) => count)).toEqual([55, 50, 5, 50]);
  });
});
