import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';
import { numbered } from './policies';

/** What a folder of Kyverno's policies costs, in milliseconds of the wall. */
export interface KyvernoTimes {
  /** All policies checked and asked about all objects. */
  readonly judged: number;
  /** The problems of all files. */
  readonly told: number;
  readonly problems: number;
}

const KINDS = [
  'ConfigMap',
  'Deployment',
  'Ingress',
  'Namespace',
  'Pod',
  'Secret',
  'Service',
  'ServiceAccount',
  'StatefulSet',
];

const rule = (i: number): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: rule${i} }
spec:
  rules:
    - name: owner
      match: { any: [{ resources: { kinds: [${KINDS[i % KINDS.length]}], namespaces: [team-${i}] } }] }
      validate: { message: an owner is needed, pattern: { metadata: { labels: { owner: "?*" } } } }
`;

const expression = (i: number): string => `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: { name: expression${i} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [endpoints] }] }
  validations: [{ expression: "has(object.metadata.labels)" }]
`;

const targets = (i: number): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: targets${i} }
spec:
  rules:
    - name: restart
      match: { any: [{ resources: { kinds: [ConfigMap], names: [settings-${i}] } }] }
      mutate:
        targets: [{ apiVersion: apps/v1, kind: Deployment, namespace: team-${i}, name: web }]
        patchStrategicMerge: { spec: { template: { metadata: { annotations: { changed: "{{ request.object.metadata.name }}" } } } } }
`;

const configMap = (i: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings-${i}, namespace: team-${i} }\n`;

const MAKERS = [rule, expression, targets, configMap];

const hostWithoutEngine = (readPack: (name: string) => Uint8Array): AnalysisHost =>
  createAnalysisHost({ readPack, policyEngine: engineThatIsNotBuilt(), onBug: throwBug });

/** A folder of `count` files, of which a quarter are objects. Each policy is about the objects of one team. */
export async function kyvernoTimes(readPack: (name: string) => Uint8Array, count: number): Promise<KyvernoTimes> {
  const host = hostWithoutEngine(readPack);
  const files = Array.from({ length: count }, (_, i) => {
    const make = MAKERS[i % MAKERS.length] ?? rule;
    return { uri: `f${i}.yaml`, text: make(Math.floor(i / MAKERS.length)) };
  });
  host.apply({ files });
  const began = performance.now();
  await iterateToEnd(host.evaluatePolicies([]));
  const judged = performance.now() - began;
  const analysis = host.analysis();
  const problems = files.reduce((sum, { uri }) => {
    return sum + analysis.diagnostics(uri).filter(it => it.policy?.engine === 'kyverno').length;
  }, 0);
  return { judged, told: performance.now() - began - judged, problems };
}

/** What an edit costs among objects of which one policy may read any, in milliseconds of the wall. */
export interface ReadingTimes {
  readonly edits: readonly number[];
  /** The problems of the edited file at the end. */
  readonly problems: number;
}

const labelled = (i: number): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labelled${i} }
spec:
  rules:
    - name: label
      match: { any: [{ resources: { kinds: [Deployment, Pod] } }] }
      validate: { message: a label is needed, pattern: { metadata: { labels: { l${i}: "?*" } } } }
`;

const cloning = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: cloning }
spec:
  rules:
    - name: credentials
      match: { any: [{ resources: { kinds: [Namespace] } }] }
      generate:
        { apiVersion: v1, kind: Secret, name: credentials, namespace: "{{ request.object.metadata.name }}", clone: { namespace: default, name: credentials } }
`;

const deployment = (i: number, revision: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web${i}, namespace: shop, labels: { l0: a${revision} } }
spec:
  selector: { matchLabels: { app: web${i} } }
  template:
    metadata: { labels: { app: web${i} } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;

interface ReadingSize {
  readonly deployments: number;
  readonly policies: number;
  readonly edits: number;
  /** Whether one policy more clones a Secret into each Namespace, for which it may read any object. */
  readonly more: 'one that clones' | 'none';
}

/** One Deployment of many is edited, and `policies` ask for a label each. */
export async function readingTimes(
  readPack: (name: string) => Uint8Array,
  { deployments, policies, edits, more }: ReadingSize,
): Promise<ReadingTimes> {
  const host = hostWithoutEngine(readPack);
  host.apply({
    files: [
      ...numbered(deployments, i => ({ uri: `apps/web${i}.yaml`, text: deployment(i, 0) })),
      ...numbered(policies, i => ({ uri: `policies/labelled${i}.yaml`, text: labelled(i) })),
      ...(more === 'none' ? [] : [{ uri: 'policies/cloning.yaml', text: cloning }]),
    ],
  });
  await iterateToEnd(host.evaluatePolicies([]));
  const times: number[] = [];
  for (let i = 0; i < edits; i++) {
    const began = performance.now();
    host.apply({ files: [{ uri: 'apps/web0.yaml', text: deployment(0, i + 1) }] });
    await iterateToEnd(host.evaluatePolicies(['apps/web0.yaml']));
    times.push(performance.now() - began);
  }
  const problems = host.analysis().diagnostics('apps/web0.yaml');
  return { edits: times, problems: problems.filter(it => it.policy?.engine === 'kyverno').length };
}
