import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import type { PolicyEngine } from '../../server/src/policy/engine/engine';
import { throwBug } from '../support/throwBug';

/** How much there is to ask about. `policies` are those of each kind: half of those of Rego are Gatekeeper's. */
export interface PolicySize {
  readonly policies: number;
  readonly pods: number;
}

const TYPICAL: PolicySize = { policies: 20, pods: 100 };

/** What policies cost, in milliseconds of the wall: all Pods with a cold engine, then one edited Pod at a time. */
export interface PolicyTimes {
  /** From nothing to the first answer of the engine. */
  readonly start: number;
  readonly first: number;
  readonly edits: readonly number[];
  /** Problems that the policies told of; as many as the bench is built for. */
  readonly told: number;
}

const validating = (i: number): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: images${i} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }
  variables: [{ name: all, expression: 'object.spec.containers + object.spec.?initContainers.orValue([])' }]
  validations:
    - { expression: "variables.all.all(c, !c.image.endsWith(':old${i}'))", message: an old image }
    - { expression: "object.spec.containers.all(c, has(c.resources) || c.name != 'free${i}')" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: images${i} }
spec: { policyName: images${i}, validationActions: [Deny] }
`;

const constraint = (i: number): string => `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: oldimage${i} }
spec:
  crd: { spec: { names: { kind: OldImage${i} } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package oldimage${i}
        violation[{"msg": msg}] {
          c := input.review.object.spec.containers[_]
          endswith(c.image, ":old${i}")
          msg := sprintf("container <%v> has an old image", [c.name])
        }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: OldImage${i}
metadata: { name: pods }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] } }
`;

const rego = (i: number): string => `package main
deny contains msg if {
  some c in input.spec.containers
  endswith(c.image, ":old${i}")
  msg := sprintf("%s has an old image", [c.name])
}
warn contains "no app ${i}" if not input.metadata.labels.app
`;

const pod = (name: string, revision: number): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: a${revision} } }
spec:
  containers:
    - { name: web, image: web:1, resources: { requests: { cpu: 1 } } }
    - { name: side, image: side:old3 }
`;

export const numbered = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const hostFor = (engine: PolicyEngine, readPack: (name: string) => Uint8Array) =>
  createAnalysisHost({
    readPack,
    policyEngine: engine,
    onBug: throwBug,
  });

/** 20 ValidatingAdmissionPolicies and 20 Rego policies (half of them Gatekeeper's) over 100 Pods, of which one is edited. */
export async function policyTimes(
  engine: PolicyEngine,
  readPack: (name: string) => Uint8Array,
  edits: number,
  { policies, pods }: PolicySize = TYPICAL,
): Promise<PolicyTimes> {
  const began = performance.now();
  await engine.call({ op: 'version' });
  const start = performance.now() - began;
  const host = hostFor(engine, readPack);
  host.apply({
    files: [
      ...numbered(policies, i => ({ uri: `v${i}.yaml`, text: validating(i) })),
      ...numbered(policies / 2, i => ({ uri: `g${i}.yaml`, text: constraint(i) })),
      ...numbered(policies / 2, i => ({ uri: `policy/r${i}.rego`, text: rego(i) })),
      ...numbered(pods, i => ({ uri: `pod${i}.yaml`, text: pod(`p${i}`, 0) })),
    ],
  });
  const judged = async (first: readonly string[]): Promise<number> => {
    const before = performance.now();
    await iterateToEnd(host.evaluatePolicies(first));
    return performance.now() - before;
  };
  const first = await judged([]);
  const times: number[] = [];
  for (let i = 1; i <= edits; i++) {
    host.apply({ files: [{ uri: 'pod0.yaml', text: pod('p0', i) }] });
    times.push(await judged(['pod0.yaml']));
  }
  const told = host
    .analysis()
    .diagnostics('pod0.yaml')
    .filter(it => it.policy !== undefined).length;
  return { start, first, edits: times, told };
}

const ROUTES = 40;

const unique = (i: number): string => `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: unique${i} }
spec:
  crd: { spec: { names: { kind: Unique${i} } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package unique${i}
        violation[{"msg": msg}] {
          label := input.review.object.metadata.labels.l${i}
          other := data.inventory.namespace[_][_]["Service"][name]
          name != input.review.object.metadata.name
          other.metadata.labels.l${i} == label
          msg := sprintf("has the label of %v", [name])
        }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: Unique${i}
metadata: { name: services }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Service] }] } }
`;

const service = (name: string, revision: number): string => `apiVersion: v1
kind: Service
metadata: { name: ${name}, labels: { l0: ${name}, app: a${revision} } }
spec: { ports: [{ port: 80 }] }
`;

/** In milliseconds of the wall. */
export interface InventoryTimes {
  readonly first: number;
  /** One edited Pod, which no template looks at. */
  readonly pods: readonly number[];
  /** One edited Service, until what is said of it is known. */
  readonly services: readonly number[];
  /** The same, until all Services were asked again, as each looks at all others. */
  readonly others: readonly number[];
}

/** 20 templates that look at all 40 Services in `data.inventory`, over 2,000 objects. */
export async function inventoryTimes(
  engine: PolicyEngine,
  readPack: (name: string) => Uint8Array,
  edits: number,
): Promise<InventoryTimes> {
  const host = hostFor(engine, readPack);
  host.apply({
    files: [
      ...numbered(20, i => ({ uri: `u${i}.yaml`, text: unique(i) })),
      ...numbered(ROUTES, i => ({ uri: `s${i}.yaml`, text: service(`s${i}`, 0) })),
      ...numbered(2_000 - ROUTES, i => ({ uri: `p${i}.yaml`, text: pod(`p${i}`, 0) })),
    ],
  });
  const judged = async (uri: string) => {
    const before = performance.now();
    let told: number | undefined;
    for await (const { uris } of host.evaluatePolicies([uri])) {
      if (uris.includes(uri)) told ??= performance.now() - before;
    }
    return { own: told ?? Number.NaN, all: performance.now() - before };
  };
  const { all: first } = await judged('s0.yaml');
  const pods: number[] = [];
  const services: { readonly own: number; readonly all: number }[] = [];
  for (let i = 1; i <= edits; i++) {
    host.apply({ files: [{ uri: 'p0.yaml', text: pod('p0', i) }] });
    pods.push((await judged('p0.yaml')).all);
    if (i > edits / 4) continue;
    host.apply({ files: [{ uri: 's0.yaml', text: service('s0', i) }] });
    services.push(await judged('s0.yaml'));
  }
  return { first, pods, services: services.map(it => it.own), others: services.map(it => it.all) };
}

/** A folder as the command line finds it. */
export interface PolicyRepository {
  readonly name: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Pods in files of their own, without policies first, then with one policy of each engine. */
export function policyRepositories(pods: number): readonly PolicyRepository[] {
  const objects = numbered(pods, i => [`pods/p${i}.yaml`, pod(`p${i}`, i)] as const);
  const policies: readonly (readonly [name: string, path: string, text: string])[] = [
    ['a ValidatingAdmissionPolicy', 'policy.yaml', validating(3)],
    ['a Gatekeeper constraint', 'policy.yaml', constraint(3)],
    ['a Rego rule of Conftest', 'policy/images.rego', rego(3)],
  ];
  return [
    { name: 'no policy', files: new Map(objects) },
    ...policies.map(([name, path, text]) => ({ name, files: new Map([[path, text], ...objects]) })),
  ];
}
