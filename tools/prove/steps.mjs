// What a proof deploys, one step after another: Pods and workloads that the scheduler's plugins disagree about.
/** The label by which the Pods of a step are found. */
export const STEP = 'prove.berth.dev/step';

const pod = (name, labels, spec) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec,
});

const spec = (requests, more = {}) => ({
  containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests, limits: limitsOf(requests) } }],
  ...more,
});

/** Extended resources need a limit that equals the request. */
const limitsOf = requests => Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes('/')));

const inZone = (operator, values) => ({ key: 'topology.kubernetes.io/zone', operator, values });
const required = term => ({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } });
const spread = (topologyKey, whenUnsatisfiable, app, maxSkew = 1) => ({
  topologySpreadConstraints: [{ maxSkew, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: { app } } }],
});
const peers = (topologyKey, app) => ({ topologyKey, labelSelector: { matchLabels: { app } } });
const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

const claim = (name, storageClassName, storage) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
});
const mounted = claimName => ({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] });

const workload = (apiVersion, kind, name, labels, template, more) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default', labels },
  spec: {
    ...(kind === 'Job' ? {} : { selector: { matchLabels: labels } }),
    template: { metadata: { labels }, spec: template },
    ...more,
  },
});

/**
 * Shapes of steps. Each makes the objects of one step from its name, its labels (of which `app` is shared by some steps)
 * and a source of random numbers; a second function makes what has to be there before.
 */
const SHAPES = [
  ['plain Pod', ({ name, labels, cpu }) => [pod(name, labels, spec({ cpu: cpu(100, 2000), memory: '512Mi' }))]],
  ['no requests', ({ name, labels }) => [pod(name, labels, spec({}))]],
  [
    'node selector',
    ({ name, labels, cpu, pick }) => [
      pod(
        name,
        labels,
        spec(
          { cpu: cpu(100, 1500) },
          { nodeSelector: { 'node.kubernetes.io/instance-type': pick(['large', 'medium', 'small']) } },
        ),
      ),
    ],
  ],
  [
    'required and preferred node affinity',
    ({ name, labels, cpu, pick }) => [
      pod(
        name,
        labels,
        spec(
          { cpu: cpu(100, 1000), memory: '1Gi' },
          {
            affinity: {
              nodeAffinity: {
                ...required({ matchExpressions: [inZone('NotIn', [pick(['a', 'b', 'c'])])] }),
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    weight: 40,
                    preference: {
                      matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
                    },
                  },
                ],
              },
            },
          },
        ),
      ),
    ],
  ],
  [
    'hard spread over zones',
    ({ name, labels, cpu }) => [
      pod(name, labels, spec({ cpu: cpu(100, 800) }, spread(ZONE, 'DoNotSchedule', labels.app))),
    ],
  ],
  [
    'soft spread over nodes',
    ({ name, labels, cpu }) => [
      pod(name, labels, spec({ cpu: cpu(100, 800) }, spread(HOST, 'ScheduleAnyway', labels.app))),
    ],
  ],
  [
    'anti-affinity to its peers',
    ({ name, labels, cpu }) => [
      pod(
        name,
        labels,
        spec(
          { cpu: cpu(100, 600) },
          {
            affinity: {
              podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [peers(HOST, labels.app)] },
            },
          },
        ),
      ),
    ],
  ],
  [
    'affinity to its peers',
    ({ name, labels, cpu }) => [
      pod(
        name,
        labels,
        spec(
          { cpu: cpu(100, 600) },
          {
            affinity: {
              podAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [peers(ZONE, labels.app)],
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { weight: 60, podAffinityTerm: peers(HOST, labels.app) },
                ],
              },
            },
          },
        ),
      ),
    ],
  ],
  [
    'GPU with a toleration',
    ({ name, labels, pick }) => [
      pod(
        name,
        labels,
        spec(
          { cpu: '1', 'nvidia.com/gpu': pick(['1', '2']) },
          { tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] },
        ),
      ),
    ],
  ],
  ['GPU without a toleration', ({ name, labels }) => [pod(name, labels, spec({ cpu: '1', 'nvidia.com/gpu': '1' }))]],
  ['larger than any node', ({ name, labels }) => [pod(name, labels, spec({ cpu: '60', memory: '1Gi' }))]],
  [
    'selector that no node matches',
    ({ name, labels }) => [pod(name, labels, spec({ cpu: '100m' }, { nodeSelector: { disk: 'ssd' } }))],
  ],
  [
    'high priority',
    ({ name, labels, cpu }) => [
      pod(name, labels, spec({ cpu: cpu(6000, 9000), memory: '2Gi' }, { priorityClassName: 'high' })),
    ],
  ],
  [
    'priority that never preempts',
    ({ name, labels, cpu }) => [pod(name, labels, spec({ cpu: cpu(6000, 9000) }, { priorityClassName: 'patient' }))],
  ],
  [
    'host port',
    ({ name, labels }) => {
      const { containers } = spec({ cpu: '100m' });
      return [
        pod(name, labels, { containers: [{ ...containers[0], ports: [{ containerPort: 80, hostPort: 8080 }] }] }),
      ];
    },
  ],
  [
    'claim bound with its first consumer',
    ({ name, labels, pick }) => [
      claim(name, 'local', pick(['10Gi', '50Gi', '200Gi'])),
      pod(name, labels, spec({ cpu: '200m' }, mounted(name))),
    ],
  ],
  [
    'claim bound before',
    ({ name, labels }) => [pod(name, labels, spec({ cpu: '200m' }, mounted(name)))],
    ({ name }) => [claim(name, 'zonal', '40Gi')],
  ],
  [
    'scheduling gate',
    ({ name, labels }) => [
      pod(name, labels, spec({ cpu: '100m' }, { schedulingGates: [{ name: 'example.com/review' }] })),
    ],
  ],
  [
    'overhead of a RuntimeClass',
    ({ name, labels, cpu }) => [pod(name, labels, spec({ cpu: cpu(500, 1500) }, { runtimeClassName: 'sandboxed' }))],
  ],
  [
    'sidecar and init container',
    ({ name, labels, cpu }) => {
      const init = (it, requests, more) => ({
        name: it,
        image: 'registry.example/init:1',
        resources: { requests },
        ...more,
      });
      const initContainers = [
        init('proxy', { cpu: '250m' }, { restartPolicy: 'Always' }),
        init('migrate', { cpu: '2', memory: '3Gi' }),
      ];
      return [pod(name, labels, spec({ cpu: cpu(100, 1000) }, { initContainers }))];
    },
  ],
  [
    'image that some nodes have',
    ({ name, labels }) => {
      const { containers } = spec({ cpu: '100m' });
      return [pod(name, labels, { containers: [{ ...containers[0], image: 'registry.example/large:1' }] })];
    },
  ],
  [
    'Deployment',
    ({ name, labels, cpu, pick }) => [
      workload('apps/v1', 'Deployment', name, labels, spec({ cpu: cpu(500, 2500), memory: '256Mi' }), {
        replicas: pick([2, 3, 4]),
      }),
    ],
  ],
  [
    'Deployment spread over zones',
    ({ name, labels, cpu }) => [
      workload(
        'apps/v1',
        'Deployment',
        name,
        labels,
        spec({ cpu: cpu(200, 900) }, spread(ZONE, 'DoNotSchedule', labels.app)),
        {
          replicas: 3,
        },
      ),
    ],
  ],
  [
    'StatefulSet with a Pod a node',
    ({ name, labels }) => [
      workload(
        'apps/v1',
        'StatefulSet',
        name,
        labels,
        spec(
          { cpu: '300m' },
          {
            affinity: {
              podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [peers(HOST, labels.app)] },
            },
          },
        ),
        { replicas: 2, serviceName: name, podManagementPolicy: 'Parallel' },
      ),
    ],
  ],
  [
    'Job of low priority',
    ({ name, labels, cpu, pick }) => {
      const parallelism = pick([3, 4]);
      const template = spec(
        { cpu: cpu(2000, 5000), memory: '1Gi' },
        { restartPolicy: 'Never', priorityClassName: 'low' },
      );
      return [workload('batch/v1', 'Job', name, labels, template, { parallelism, completions: parallelism })];
    },
  ],
  [
    'DaemonSet on GPU nodes',
    ({ name, labels }) => [
      workload(
        'apps/v1',
        'DaemonSet',
        name,
        labels,
        spec(
          { cpu: '50m' },
          { nodeSelector: { 'node.kubernetes.io/instance-type': 'gpu' }, tolerations: [{ operator: 'Exists' }] },
        ),
      ),
    ],
  ],
];

/** Shapes that fill the cluster and evict each other; they are drawn three times as often as the others. */
const OFTEN = ['high priority', 'Job of low priority', 'Deployment'];

/**
 * The steps of a proof: first each shape once, in an order of its own, then shapes at random.
 * @param {number} count
 * @param {() => number} random
 */
export function stepsOf(count, random) {
  const pick = from => from[Math.floor(random() * from.length)];
  const cpu = (from, to) => `${Math.round((from + random() * (to - from)) / 50) * 50}m`;
  const rest = [...SHAPES];
  const likely = SHAPES.flatMap(shape => (OFTEN.includes(shape[0]) ? [shape, shape, shape] : [shape]));
  return Array.from({ length: count }, (_, index) => {
    const [title, objects, prepared] =
      rest.length > 0 ? rest.splice(Math.floor(random() * rest.length), 1)[0] : pick(likely);
    const name = `step-${String(index + 1).padStart(3, '0')}`;
    // Spread and affinity look at the Pods of earlier steps, so that some of them share an app. A workload selects by
    // its step alone.
    const labels = { app: pick(['shop', 'search', 'login']), [STEP]: name };
    const drawn = { name, labels, cpu, pick };
    return { name, title, prepared: prepared?.(drawn) ?? [], objects: objects(drawn) };
  });
}
