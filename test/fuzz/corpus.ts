import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { below, type Random } from './random';

export interface TextFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const IS_TEXT = /\.(ya?ml|json|rego|toml|properties)$/;

/** The text files below a folder of the repository. */
export function filesBelow(root: string, folder: string): readonly TextFile[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map(it => String(it).replaceAll('\\', '/'))
    .filter(it => IS_TEXT.test(it))
    .sort()
    .map(path => ({ path, text: readFileSync(join(root, folder, path), 'utf8') }));
}

const inFolder = (prefix: string, files: readonly TextFile[]): readonly TextFile[] =>
  files.map(it => ({ ...it, path: `${prefix}/${it.path}` }));

/**
 * The workspace of the fixtures, with files of every kind that Berth reads, berth.yaml and policies of every engine.
 */
export const smallWorkspace = (root: string): readonly TextFile[] => filesBelow(root, 'test/fixtures/workspace');

/** Every manifest of the repository, from which mutations start. */
export const corpus = (root: string): readonly TextFile[] => [
  ...smallWorkspace(root),
  ...inFolder('examples', filesBelow(root, 'examples')),
  ...inFolder('bases', filesBelow(root, 'test/conformance/validation/bases')),
  ...inFolder('bases', filesBelow(root, 'test/fuzz')),
  ...inFolder('rules', filesBelow(root, 'test/fixtures/rules')),
  ...inFolder('suites', filesBelow(root, 'test/policy/kyverno/suites')),
];

/** Policies that read other objects than the one that they are asked about. */
const READING_POLICIES = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: reading }
spec:
  rules:
    - name: mode
      match: { any: [{ resources: { kinds: [Deployment] } }] }
      context: [{ name: own, configMap: { name: '{{ request.object.metadata.name }}', namespace: shop } }]
      validate: { message: 'mode {{ own.data.mode }}', deny: { conditions: { all: [{ key: '{{ own.data.mode }}', operator: NotEquals, value: slow }] } } }
    - name: services
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      context: [{ name: all, apiCall: { urlPath: /api/v1/namespaces/shop/services, jmesPath: 'items[].metadata.name' } }]
      validate: { message: 'services {{ all }}', deny: { conditions: { all: [{ key: '{{ all | length(@) }}', operator: GreaterThan, value: 3 }] } } }
    - name: labels
      match: { any: [{ resources: { kinds: [PodDisruptionBudget] } }] }
      context: [{ name: first, apiCall: { urlPath: /api/v1/namespaces/shop/services/app-1 } }]
      mutate: { patchStrategicMerge: { metadata: { labels: { port: '{{ first.spec.ports[0].port }}' } } } }
    - name: targets
      match: { any: [{ resources: { kinds: [Service] } }] }
      mutate:
        targets: [{ apiVersion: v1, kind: ConfigMap, namespace: shop, name: 'app-*' }]
        patchStrategicMerge: { metadata: { labels: { of: '{{ request.object.metadata.name }}' } } }
---
apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: { name: reading-cel }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [autoscaling], apiVersions: [v2], operations: [CREATE], resources: [horizontalpodautoscalers] }] }
  validations:
    - expression: resource.List("apps/v1", "deployments", "shop").items.all(it, it.spec.replicas < 3)
      messageExpression: string(resource.List("apps/v1", "deployments", "shop").items.size())
`;

/** A workspace of about 200 files: the small one, applications, the examples, and some of the fixtures of rules. */
export function largeWorkspace(root: string, random: Random): readonly TextFile[] {
  const rules = inFolder('rules', filesBelow(root, 'test/fixtures/rules')).filter(() => random() < 0.5);
  const apps = Array.from({ length: 16 }, (_, i) => application(i + 1, below(random, 4) + 1)).flat();
  return [
    ...smallWorkspace(root),
    ...apps,
    { path: 'policies/reading.yaml', text: READING_POLICIES },
    ...inFolder('examples', filesBelow(root, 'examples')),
    ...inFolder('suites', filesBelow(root, 'test/policy/kyverno/suites')),
    ...rules,
  ];
}

function application(i: number, replicas: number): readonly TextFile[] {
  const name = `app-${i}`;
  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
  labels: { app: ${name}, team: t${i % 3} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name}, tier: ${i % 4 === 0 ? 'batch' : 'front'} } }
    spec:
      priorityClassName: high
      containers:
        - name: main
          image: ${i % 2 === 0 ? 'registry.example' : 'elsewhere.example'}/${name}:${i % 5 === 0 ? 'latest' : '1'}
          ports: [{ name: http, containerPort: 8080 }]
          envFrom: [{ configMapRef: { name: ${name} } }]
          resources: { requests: { cpu: ${100 * (1 + (i % 5))}m, memory: 64Mi } }
`;
  const service = `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: ${name} }, ports: [{ port: 80, targetPort: http }] }
`;
  const others = `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, namespace: shop }
data: { mode: fast }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${name}, namespace: shop }
spec: { minAvailable: 1, selector: { matchLabels: { app: ${name} } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: ${name}, namespace: shop }
spec: { minReplicas: 1, maxReplicas: 5, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} } }
`;
  return [
    { path: `apps/${name}/deployment.yaml`, text: deployment },
    { path: `apps/${name}/service.yaml`, text: service },
    { path: `apps/${name}/others.yaml`, text: others },
  ];
}
