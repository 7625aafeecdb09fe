export interface ObjectSnippet {
  readonly kind: string;
  /** Candidates; the first that the minor serves is used. */
  readonly apiVersions: readonly string[];
  /** The text below `kind`, indented by two blanks, with tab stops. */
  readonly body: string;
}

const META = `metadata:
  name: \${1:name}
`;

const CONTAINERS = `containers:
  - name: \${2:main}
    image: \${3:image}
    resources:
      requests:
        cpu: \${4:100m}
        memory: \${5:128Mi}
`;

const RESTART = `restartPolicy: \${6|Never,OnFailure|}
`;

const indented = (text: string, columns: number): string => text.replace(/^(?=.)/gm, ' '.repeat(columns));

/** A workload with a selector on the label `app`; `extra` is inserted into its spec before the selector. */
const workload = (extra: string): string => `${META}spec:
${extra}  selector:
    matchLabels:
      app: \${1:name}
  template:
    metadata:
      labels:
        app: \${1:name}
    spec:
${indented(CONTAINERS, 6)}`;

const CLAIM_TEMPLATES = `  volumeClaimTemplates:
    - metadata:
        name: \${8:data}
      spec:
        accessModes:
          - ReadWriteOnce
        resources:
          requests:
            storage: \${9:1Gi}
`;

/** The most common objects, with the fields that they need. */
export const OBJECT_SNIPPETS: readonly ObjectSnippet[] = [
  { kind: 'Pod', apiVersions: ['v1'], body: `${META}spec:\n${indented(CONTAINERS, 2)}` },
  { kind: 'Deployment', apiVersions: ['apps/v1'], body: workload(`  replicas: \${6:2}\n`) },
  {
    kind: 'StatefulSet',
    apiVersions: ['apps/v1'],
    body: `${workload(`  serviceName: \${7:name}\n  replicas: \${6:2}\n`)}${CLAIM_TEMPLATES}`,
  },
  { kind: 'DaemonSet', apiVersions: ['apps/v1'], body: workload('') },
  {
    kind: 'Job',
    apiVersions: ['batch/v1'],
    body: `${META}spec:
  template:
    spec:
${indented(RESTART + CONTAINERS, 6)}`,
  },
  {
    kind: 'CronJob',
    apiVersions: ['batch/v1'],
    body: `${META}spec:
  schedule: "\${7:0 3 * * *}"
  jobTemplate:
    spec:
      template:
        spec:
${indented(RESTART + CONTAINERS, 10)}`,
  },
  {
    kind: 'Service',
    apiVersions: ['v1'],
    body: `${META}spec:
  selector:
    app: \${2:name}
  ports:
    - port: \${3:80}
      targetPort: \${4:80}
`,
  },
  {
    kind: 'PersistentVolumeClaim',
    apiVersions: ['v1'],
    body: `${META}spec:
  accessModes:
    - \${2|ReadWriteOnce,ReadWriteOncePod,ReadOnlyMany,ReadWriteMany|}
  resources:
    requests:
      storage: \${3:1Gi}
`,
  },
  {
    kind: 'StorageClass',
    apiVersions: ['storage.k8s.io/v1'],
    body: `${META}provisioner: \${2:provisioner}
volumeBindingMode: \${3|WaitForFirstConsumer,Immediate|}
`,
  },
  {
    kind: 'PriorityClass',
    apiVersions: ['scheduling.k8s.io/v1'],
    body: `${META}value: \${2:1000}
description: \${3:what it is for}
`,
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersions: ['policy/v1'],
    body: `${META}spec:
  maxUnavailable: \${2:1}
  selector:
    matchLabels:
      app: \${3:name}
`,
  },
  { kind: 'ConfigMap', apiVersions: ['v1'], body: `${META}data:\n  \${2:key}: \${3:value}\n` },
  { kind: 'Secret', apiVersions: ['v1'], body: `${META}stringData:\n  \${2:key}: \${3:value}\n` },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersions: ['autoscaling/v2'],
    body: `${META}spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: \${2|Deployment,StatefulSet|}
    name: \${3:name}
  minReplicas: \${4:1}
  maxReplicas: \${5:5}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: \${6:80}
`,
  },
  {
    kind: 'ResourceClaimTemplate',
    apiVersions: ['resource.k8s.io/v1', 'resource.k8s.io/v1beta2'],
    body: `${META}spec:
  spec:
    devices:
      requests:
        - name: \${2:device}
          exactly:
            deviceClassName: \${3:class}
`,
  },
  { kind: 'Namespace', apiVersions: ['v1'], body: META },
];
