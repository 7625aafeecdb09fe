import { expect, it } from 'vitest';
import { analysisOf } from '../analysis/analyse';
import { describeWithEngine, evaluated } from './withEngine';

const deployment = (annotation: string, replicas = 1) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    berth.dev/ignore: |
      ${annotation}
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web }] }
`;

const vap = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
  validations: [{ expression: object.spec.replicas > 1 }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: replicas }
spec: { policyName: replicas, validationActions: [Deny] }
`;
const gatekeeper = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: needsreplicas }
spec:
  crd: { spec: { names: { kind: NeedsReplicas } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package needsreplicas
        violation[{"msg": "too few"}] { input.review.object.spec.replicas < 2 }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NeedsReplicas
metadata: { name: two }
spec: { match: { kinds: [{ apiGroups: [apps], kinds: [Deployment] }] } }
`;
const kyverno = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: two }
spec:
  rules:
    - name: two
      match: { any: [{ resources: { kinds: [Deployment] } }] }
      validate: { failureAction: Enforce, message: too few, pattern: { spec: { replicas: ">1" } } }
`;
const rego = 'package main\ndeny contains "too few" if { input.kind == "Deployment"; input.spec.replicas < 2 }\n';
const property = {
  rules: [
    {
      name: 'two',
      expression: '!has(object.spec.replicas) || object.spec.replicas > 1',
      severity: 'error',
      select: {},
    },
  ],
} as const;
describeWithEngine('A suppression of what a policy says', engine => {
  it.each([
    ['vap/replicas', { 'p.yaml': vap }, {}],
    ['gatekeeper/NeedsReplicas', { 'p.yaml': gatekeeper }, {}],
    ['kyverno/two', { 'p.yaml': kyverno }, {}],
    ['conftest/deny', { 'policy/p.rego': rego }, {}],
    ['property/two', {}, property],
    ['practice/replicas', {}, { presets: ['best-practice'] as const }],
  ])('%s needs a reason, and a problem that it suppresses', async (code, policies, settings) => {
    const codes = async (annotation: string, replicas = 1, more = {}) => {
      const files = { ...policies, 'web.yaml': deployment(annotation, replicas) };
      const { host } = await evaluated(engine, files, { ...settings, ...more });
      const problems = host.analysis().diagnostics('web.yaml');
      const own = problems.filter(it => it.code === code || it.code.includes('suppression'));
      return own.map(it => `${it.code}${it.suppressed === undefined ? '' : ` for ${it.suppressed.reason}`}`);
    };
    expect(await codes('other/code: why')).toContain(code);
    expect(await codes(`${code}: one must do`)).toEqual([]);
    expect(await codes(`${code}: one must do`, 1, { suppressed: 'report' })).toEqual([`${code} for one must do`]);
    expect(new Set(await codes(code))).toEqual(new Set([code, 'berth/suppression-without-reason']));
    expect(await codes(`${code}: one must do`, 2)).toEqual(['berth/unused-suppression']);
  });
});

it('so do those of the Pod Security Standards', () => {
  const namespace = `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { pod-security.kubernetes.io/enforce: restricted } }
`;
  const codes = (annotation: string, securityContext: string) => {
    const text = deployment(annotation)
      .replace('name: web\n', 'name: web\n  namespace: shop\n')
      .replace('spec: { containers', `spec: { securityContext: { ${securityContext} }, containers`);
    const problems = analysisOf({ 'ns.yaml': namespace, 'web.yaml': text }).diagnostics('web.yaml');
    return problems.map(it => it.code).filter(it => it === 'security/run-as-non-root' || it.includes('suppression'));
  };
  expect(codes('other/code: why', '')).toContain('security/run-as-non-root');
  expect(codes('security/run-as-non-root: it binds port 80', '')).toEqual([]);
  expect(codes('security/run-as-non-root', '')).toContain('berth/suppression-without-reason');
  expect(codes('security/run-as-non-root: it binds port 80', 'runAsNonRoot: true')).toEqual([
    'berth/unused-suppression',
  ]);
});
