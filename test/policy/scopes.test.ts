import { expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { describeWithEngine, evaluated } from './withEngine';

const kyverno = (name: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: ${name} }
spec:
  rules:
    - name: ${name}
      match: { any: [{ resources: { kinds: [ConfigMap] } }] }
      validate: { message: ${name}, pattern: { metadata: { labels: { ${name}: "?*" } } } }
`;
const admission = (name: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }] }
  validations: [{ expression: "has(object.metadata.labels)" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny] }
`;
const template = (kind: string): string => `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: ${kind.toLowerCase()} }
spec:
  crd: { spec: { names: { kind: ${kind} } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package ${kind.toLowerCase()}
        violation[{"msg": "no label"}] { not input.review.object.metadata.labels }
`;
const constraint = (kind: string): string => `apiVersion: constraints.gatekeeper.sh/v1beta1
kind: ${kind}
metadata: { name: labelled }
spec: { match: { kinds: [{ apiGroups: [""], kinds: [ConfigMap] }] } }
`;
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';

/** Two policies with tests. */
const LIBRARY = {
  'a/policy.yaml': kyverno('a'),
  'a/tests/bad.yaml': CONFIG,
  'b/policy.yaml': kyverno('b'),
  'b/.kyverno-test/resource.yaml': CONFIG,
};

const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

describeWithEngine('policies that have tests beside them', engine => {
  /** The files with the policies that are told in them. */
  function toldBy(host: AnalysisHost): readonly string[] {
    const analysis = host.analysis();
    const found = analysis.uris.flatMap(uri => analysis.diagnostics(uri));
    return found.filter(it => it.policy !== undefined).map(it => `${it.uri} ${it.code}`);
  }

  const a = 'a/tests/bad.yaml';
  const b = 'b/.kyverno-test/resource.yaml';
  it.each<readonly [name: string, files: Readonly<Record<string, string>>, expected: readonly string[]]>([
    ['are asked about their own tests', LIBRARY, [`${a} kyverno/a`, `${b} kyverno/b`]],
    [
      'are asked about their own tests, wherever the library is',
      below('file:///tests/library', LIBRARY),
      [`file:///tests/library/${a} kyverno/a`, `file:///tests/library/${b} kyverno/b`],
    ],
    [
      'are asked about all that is deployed',
      { ...LIBRARY, 'apps/settings.yaml': CONFIG },
      [`${a} kyverno/a`, `${b} kyverno/b`, 'apps/settings.yaml kyverno/a', 'apps/settings.yaml kyverno/b'],
    ],
    [
      'are asked about tests that have no policy beside them',
      { ...LIBRARY, 'apps/tests/settings.yaml': CONFIG },
      [`${a} kyverno/a`, `${b} kyverno/b`, 'apps/tests/settings.yaml kyverno/a', 'apps/tests/settings.yaml kyverno/b'],
    ],
    [
      'are asked of ValidatingAdmissionPolicies, too',
      { 'a/policy.yaml': admission('a'), [a]: CONFIG, 'b/policy.yaml': admission('b'), 'b/tests/bad.yaml': CONFIG },
      [`${a} vap/a`, 'b/tests/bad.yaml vap/b'],
    ],
    [
      'are the constraints in the folder of a sample',
      {
        'labelled/template.yaml': `${template('One')}---\n${template('Two')}`,
        'labelled/samples/one/constraint.yaml': constraint('One'),
        'labelled/samples/one/bad.yaml': CONFIG,
        'labelled/samples/two/constraint.yaml': constraint('Two'),
        'labelled/samples/two/bad.yaml': CONFIG,
      },
      ['labelled/samples/one/bad.yaml gatekeeper/One', 'labelled/samples/two/bad.yaml gatekeeper/Two'],
    ],
    [
      'are the ones above tests that are deeper',
      {
        'notes.yaml': '',
        'examples/shop/policies/a.yaml': kyverno('a'),
        'examples/shop/apps/settings.yaml': CONFIG,
        'examples/bank/policies/b.yaml': kyverno('b'),
        'examples/bank/apps/settings.yaml': CONFIG,
      },
      ['examples/shop/apps/settings.yaml kyverno/a', 'examples/bank/apps/settings.yaml kyverno/b'],
    ],
  ])('%s', async (_name, files, expected) => {
    const { host } = await evaluated(engine, files);
    expect(new Set(toldBy(host))).toEqual(new Set(expected));
  });

  it('are all asked about all as soon as berth.yaml says so', async () => {
    const { host } = await evaluated(engine, {
      ...LIBRARY,
      'berth.yaml': 'environments: { all: { paths: [a, b] } }\n',
    });
    expect(new Set(toldBy(host))).toEqual(new Set([`${a} kyverno/a`, `${b} kyverno/b`]));
    host.apply({ folders: [{ uri: '', configuration: 'berth.yaml' }] });
    await iterateToEnd(host.evaluatePolicies([]));
    const all = [`${a} kyverno/a`, `${a} kyverno/b`, `${b} kyverno/a`, `${b} kyverno/b`];
    expect(new Set(toldBy(host))).toEqual(new Set(all));
  });
});
