import { definition } from './definitions';

/** By path. */
type Files = Readonly<Record<string, string>>;

/** How much a repository holds. */
export interface RepositorySize {
  /** Each with a base and seven overlays. */
  readonly apps: number;
  /** CustomResourceDefinitions of 600 lines. */
  readonly definitions: number;
  /** Files of one Deployment. */
  readonly manifests: number;
  /** ValidatingAdmissionPolicies, each with a test object beside. */
  readonly policies: number;
}

/** Overlays of each app: each is an environment, which sees all that no overlay holds. */
const stagesOf = (repository: string): readonly string[] => [
  'dev',
  'prod',
  ...['a', 'b', 'c', 'd', 'e'].map(it => `${repository}-${it}`),
];
const LINES_OF_DEFINITION = 600;
const MANIFESTS_IN_FOLDER = 50;

/** Some repositories beside each other in one folder, as people keep them who work on several. */
export function repositories(count: number, size: RepositorySize): Files {
  const all = Array.from({ length: count }, (_, i) => Object.entries(repository(`repo${i}`, size)));
  return Object.fromEntries([['repo0/cluster/nodes.yaml', NODES], ...all.flat()]);
}

const NODES = ['a', 'b', 'c']
  .map(
    it => `apiVersion: v1
kind: Node
metadata: { name: ${it}, labels: { kubernetes.io/hostname: ${it} } }
status: { allocatable: { cpu: "8", memory: 32Gi, pods: "110" } }
`,
  )
  .join('---\n');

function repository(name: string, { apps, definitions, manifests, policies }: RepositorySize): Files {
  const each = (length: number, files: (i: number) => Files): readonly [string, string][] =>
    Array.from({ length }, (_, i) => Object.entries(files(i))).flat();
  return Object.fromEntries([
    ...each(apps, i => appFiles(`${name}/apps/app${i}`, `${name}-app${i}`, stagesOf(name), i)),
    ...each(definitions, i => ({
      [`${name}/crds/thing${i}.yaml`]: definition(LINES_OF_DEFINITION, `${name}thing${i}`),
    })),
    ...each(manifests, i => ({
      [`${name}/manifests/team${Math.floor(i / MANIFESTS_IN_FOLDER)}/web${i}.yaml`]: deployment(`${name}-web${i}`),
    })),
    ...each(policies, i => ({
      [`${name}/policies/few${i}.yaml`]: policy(`${name}-few${i}`, 10 + i),
      [`${name}/policies/tests/few${i}.yaml`]: deployment(`${name}-test${i}`),
    })),
  ]);
}

/** One overlay of every tenth app names a patch that is not there. */
function appFiles(folder: string, name: string, stages: readonly string[], i: number): Files {
  const patch = i % 10 === 0 ? 'patches: [{ path: patch.yml }]\n' : '';
  const overlays = stages.map(stage => [
    `${folder}/overlays/${stage}/kustomization.yaml`,
    `namespace: ${stage}\nnamePrefix: ${stage}-\nresources: [../../base]\n${stage === 'dev' ? patch : ''}`,
  ]);
  return {
    [`${folder}/base/kustomization.yaml`]: 'resources: [deployment.yaml, service.yaml]\n',
    [`${folder}/base/deployment.yaml`]: deployment(name),
    [`${folder}/base/service.yaml`]: `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80, targetPort: http }] }
`,
    ...Object.fromEntries(overlays),
  };
}

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  replicas: 2
  selector:
    matchLabels: { app: ${name} }
  template:
    metadata:
      labels: { app: ${name} }
    spec:
      containers:
        - name: web
          image: registry.example/${name}:1.0
          ports: [{ name: http, containerPort: 8080 }]
          resources:
            requests: { cpu: 10m, memory: 16Mi }
            limits: { memory: 32Mi }
`;

const policy = (name: string, most: number): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
  validations: [{ expression: "object.spec.replicas <= ${most}" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny] }
`;
