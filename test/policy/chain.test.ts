import { expect, it } from 'vitest';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import type { PolicyEngine } from '../../server/src/policy/engine/engine';
import { kyvernoLabel } from '../support/kyvernoLabel';
import { describeWithEngine, evaluated, reportedBy } from './withEngine';

interface Options {
  readonly reinvocationPolicy?: string;
}

/** A MutatingAdmissionPolicy that sets a label to a value in CEL. */
const admission = (name: string, label: string, value: string, { reinvocationPolicy = 'Never' }: Options = {}) => `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  reinvocationPolicy: ${reinvocationPolicy}
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: { expression: ${JSON.stringify(`Object{metadata: Object.metadata{labels: {'${label}': ${value}}}}`)} }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name} }
`;
const COUNT = "string(size(object.metadata.?labels.orValue({'':''})))";

/** Gatekeeper's AssignMetadata, which adds a label. */
const assignMetadata = (label: string, value: string) => `
apiVersion: mutations.gatekeeper.sh/v1
kind: AssignMetadata
metadata: { name: assign }
spec:
  match: { scope: Namespaced }
  location: 'metadata.labels."${label}"'
  parameters: { assign: { value: ${value} } }
`;

const KYVERNO_COUNT = '{{ length(keys(request.object.metadata.labels)) }}';

const validatingPolicy = (label: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: wants }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: "'${label}' in object.metadata.labels", message: wants ${label} }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: wants }
spec: { policyName: wants, validationActions: [Deny] }
`;
const constraint = (label: string) => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: wantslabel }
spec:
  crd: { spec: { names: { kind: WantsLabel } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package wantslabel
        violation[{"msg": "wants ${label}"}] { not input.review.object.metadata.labels["${label}"] }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: WantsLabel
metadata: { name: wants }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] } }
`;
const kyvernoRule = (label: string) => `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: wants }
spec:
  rules:
    - name: wants
      match: { any: [{ resources: { kinds: [Pod] } }] }
      validate:
        failureAction: Enforce
        message: wants ${label}
        pattern: { metadata: { labels: { ${label}: "?*" } } }
`;
const pod = `
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { containers: [{ name: web, image: web:1 }] }
`;

const ALL_WANT = (label: string) => [validatingPolicy(label), constraint(label), kyvernoRule(label)];

/** Codes of the Pod's problems, by name, and the labels that policies set, in order. */
async function admitted(engine: PolicyEngine, ...documents: readonly string[]) {
  const { host, reported } = await evaluated(engine, { 'a.yaml': [...documents, pod].join('\n---\n') });
  const mutations = host.analysis().mutations('a.yaml');
  const labels = mutations.map(
    it => `${it.isAgain ? 'again ' : ''}${it.kind}: ${it.changes.map(({ at, after }) => `${at}=${after}`)}`,
  );
  return { codes: reported.map(it => / (\S+\/\S+) /.exec(it)?.[1]).sort(), labels };
}

describeWithEngine('Mutating admission', engine => {
  it.each([
    ['a MutatingAdmissionPolicy', admission('team', 'team', "'a'")],
    ['a mutator of Gatekeeper', assignMetadata('team', 'a')],
    ['a rule of Kyverno', kyvernoLabel('team', 'a')],
  ])('comes before all validating policies of every engine: %s', async (_, mutating) => {
    expect((await admitted(engine, ...ALL_WANT('team'))).codes).toEqual([
      'gatekeeper/WantsLabel',
      'kyverno/wants',
      'vap/wants',
    ]);
    expect((await admitted(engine, mutating, ...ALL_WANT('team'))).codes).toEqual([]);
  });

  it("calls the API server's plugin before webhooks, and webhooks by the names of their configurations", async () => {
    const { labels } = await admitted(
      engine,
      kyvernoLabel('kyverno', KYVERNO_COUNT),
      assignMetadata('gatekeeper', 'b'),
      admission('plugin', 'plugin', COUNT),
    );
    expect(labels).toEqual([
      'MutatingAdmissionPolicy: metadata.labels.plugin=1',
      'AssignMetadata: metadata.labels.gatekeeper=b',
      'ClusterPolicy: metadata.labels.kyverno=3',
    ]);
  });

  it('reinvokes policies that request it after webhooks changed the object, and Kyverno after that', async () => {
    const { labels } = await admitted(
      engine,
      admission('plugin', 'plugin', COUNT, { reinvocationPolicy: 'IfNeeded' }),
      kyvernoLabel('kyverno', '{{ request.object.metadata.labels.plugin }}'),
      assignMetadata('gatekeeper', 'b'),
    );
    expect(labels.toSorted()).toEqual([
      'AssignMetadata: metadata.labels.gatekeeper=b',
      'ClusterPolicy: metadata.labels.kyverno=1',
      'MutatingAdmissionPolicy: metadata.labels.plugin=1',
      'again ClusterPolicy: metadata.labels.kyverno=4',
      'again MutatingAdmissionPolicy: metadata.labels.plugin=4',
    ]);
  });

  it('leaves nothing to validate after a rejection', async () => {
    const bad = admission('bad', 'bad', 'object.spec.nodeName');
    expect((await admitted(engine, bad, ...ALL_WANT('team'))).codes).toEqual(['vap/bad']);
  });

  it('runs again when one of its policies changes, and validating policies with it', async () => {
    const files = {
      'a.yaml': pod,
      'mutating.yaml': admission('team', 'team', "'a'"),
      'wants.yaml': ALL_WANT('team').join('\n---\n'),
    };
    const { host, reported } = await evaluated(engine, files);
    expect(reported).toEqual([]);
    host.apply({ files: [{ uri: 'mutating.yaml', text: admission('team', 'other', "'a'") }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toHaveLength(3);
    host.apply({ files: [{ uri: 'mutating.yaml', text: files['mutating.yaml'] }] });
    await iterateToEnd(host.evaluatePolicies([]));
    expect(reportedBy(host)).toEqual([]);
  });
});
