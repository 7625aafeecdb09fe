import { expect, it } from 'vitest';
import { describeWithEngine, evaluated } from './withEngine';

const RULES =
  'matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }';
const validating = (expression: string, version = 'v1') => `
apiVersion: admissionregistration.k8s.io/${version}
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec: { ${RULES}, validations: [{ expression: ${JSON.stringify(expression)}, message: refused }] }
---
apiVersion: admissionregistration.k8s.io/${version}
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p, validationActions: [Deny] }
`;
const mutating = (version: string) => `
apiVersion: admissionregistration.k8s.io/${version}
kind: MutatingAdmissionPolicy
metadata: { name: m }
spec:
  ${RULES}
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"team": "a"}}}' }
---
apiVersion: admissionregistration.k8s.io/${version}
kind: MutatingAdmissionPolicyBinding
metadata: { name: m }
spec: { policyName: m }
`;
const pod = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: web:1 }] }
`;

describeWithEngine('A server of an older minor', engine => {
  const asked = async (kubernetesVersion: string, policy: string, featureGates = {}) => {
    const files = { 'a.yaml': `${policy}\n---\n${pod}` };
    const { host, reported } = await evaluated(engine, files, { kubernetesVersion, featureGates });
    const mutations = host.analysis().mutations('a.yaml');
    return { mutations, reported: reported.map(it => it.replace(/^a\.yaml:\d+:\d+ «.*?» /, '')) };
  };

  // Upstream's baseOpts name the minor that adds each; new policies may use it one minor later.
  it.each([
    ["ip('10.0.0.1').family() == 4", '1.31', undefined],
    ["!format.named('dns1123Label').hasValue()", '1.32', '1.31'],
    ["{'a': 1}.all(k, v, k == 'a' && v == 1)", '1.33', '1.32'],
    ["isSemver('1.0.0')", '1.34', '1.33'],
    ['[2, 1].sort() == [1, 2]', '1.35', '1.34'],
  ])('takes %s since %s', async (expression, since, before) => {
    expect((await asked(since, validating(expression))).reported.filter(it => it.includes('valid CEL'))).toEqual([]);
    if (before === undefined) return;
    expect((await asked(before, validating(expression))).reported).toContainEqual(
      expect.stringMatching(
        /^error apiserver\/refused "expression" is no valid CEL: (undeclared reference|.*(all|unsupported|no matching))/,
      ),
    );
  });

  it('accepts a plain value where an optional is expected up to 1.36', async () => {
    const policy = validating('dyn(object).spec.containers.orValue([]).size() == 1');
    expect((await asked('1.31', policy)).reported).toEqual([]);
    expect((await asked('1.36', policy)).reported).toEqual([]);
    expect((await asked('1.37', policy)).reported).toEqual([
      expect.stringMatching(/resulted in error: no such overload/),
    ]);
  });

  it('evaluates policies in the API versions that it has', async () => {
    expect((await asked('1.33', validating('false', 'v1beta1'))).reported).toHaveLength(1);
    expect((await asked('1.34', validating('false', 'v1beta1'))).reported).toEqual([]);
    expect((await asked('1.31', validating('false'))).reported).toHaveLength(1);
  });

  it('evaluates mutating policies when their feature is on', async () => {
    const gate = { MutatingAdmissionPolicy: true };
    const off = await asked('1.35', mutating('v1beta1'));
    expect(off).toEqual({
      mutations: [],
      reported: [
        'info vap/m Kubernetes 1.35 asks mutating policies only with the feature gate MutatingAdmissionPolicy, which is off, so this one changes nothing.',
      ],
    });
    expect((await asked('1.35', mutating('v1beta1'), gate)).mutations).toHaveLength(1);
    expect((await asked('1.33', mutating('v1alpha1'), gate)).mutations).toHaveLength(1);
    expect((await asked('1.36', mutating('v1'))).mutations).toHaveLength(1);
    expect(await asked('1.31', mutating('v1alpha1'))).toEqual({ mutations: [], reported: [] });
  });
});
