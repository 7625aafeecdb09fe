import { describe, expect, it } from 'vitest';
import { runPolicyTests } from '../../server/src/analysis/policyTests';
import { engineThatAgrees } from '../support/policyEngine';
import { describeWithEngine, evaluated } from './withEngine';

const template = (rego: string, kind = 'NeedsLabel', schema = '') => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: ${kind.toLowerCase()} }
spec:
  crd:
    spec:
      names: { kind: ${kind} }
      validation: { openAPIV3Schema: { type: object, properties: { label: { type: string } } } }${schema}
  targets:
    - target: admission.k8s.gatekeeper.sh
${rego}
`;
const needsLabel = template(`      rego: |
        package needslabel
        violation[{"msg": msg, "details": {"missing": l}}] {
          l := input.parameters.label
          not input.review.object.metadata.labels[l]
          msg := sprintf("needs the label %v", [l])
        }`);
const constraint = (spec: string, kind = 'NeedsLabel') => `
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: ${kind}
metadata: { name: team }
spec: { ${spec} }
`;
const pod = (metadata: string) =>
  `\napiVersion: v1\nkind: Pod\nmetadata: { ${metadata} }\nspec: { containers: [{ name: web, image: web:1 }] }\n`;
const pods = 'match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] }, parameters: { label: team }';

describeWithEngine('Gatekeeper', engine => {
  const reported = async (...documents: readonly string[]) =>
    (await evaluated(engine, { 'a.yaml': documents.join('\n---\n') })).reported.map(it =>
      it.replace(/^a\.yaml:\d+:\d+ /, ''),
    );

  it('reports violations of a constraint at the labels that it is about', async () => {
    expect(await reported(needsLabel, constraint(pods), pod('name: a, labels: { app: a }'))).toEqual([
      '«labels» error gatekeeper/NeedsLabel needs the label team (constraint team)',
    ]);
    expect(await reported(needsLabel, constraint(pods), pod('name: a, labels: { team: a }'))).toEqual([]);
  });

  it.each([
    ['deny', 'error'],
    ['warn', 'warning'],
    ['dryrun', 'info'],
  ])('weighs %s as %s', async (action, severity) => {
    const [first] = await reported(needsLabel, constraint(`enforcementAction: ${action}, ${pods}`), pod('name: a'));
    expect(first).toContain(` ${severity} gatekeeper/NeedsLabel `);
  });

  it('evaluates a constraint only where it matches', async () => {
    const namespace = (name: string, labels: string) =>
      `\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, labels: { ${labels} } }\n`;
    const strict = constraint(
      'match: { kinds: [{ apiGroups: [""], kinds: [Pod] }], namespaceSelector: { matchLabels: { strict: "yes" } } }, parameters: { label: team }',
    );
    const all = [namespace('a', 'strict: "yes"'), namespace('b', 'strict: "no"')];
    const both = [pod('name: one, namespace: a'), pod('name: two, namespace: b')];
    const { host } = await evaluated(engine, { 'a.yaml': [needsLabel, strict, ...all, ...both].join('\n---\n') });
    const found = host.analysis().diagnostics('a.yaml');
    expect(found.filter(it => it.code === 'gatekeeper/NeedsLabel').map(it => it.object?.name)).toEqual(['one']);
  });

  it('gives templates the rest of the workspace as data.inventory', async () => {
    const unique = template(
      `      rego: |
        package unique
        violation[{"msg": msg}] {
          other := data.inventory.namespace[_][_].Pod[name]
          name != input.review.object.metadata.name
          other.metadata.labels.id == input.review.object.metadata.labels.id
          msg := sprintf("has the id of %v", [name])
        }`,
      'Unique',
    );
    const same = [pod('name: one, labels: { id: "1" }'), pod('name: two, labels: { id: "1" }')];
    expect((await reported(unique, constraint(pods, 'Unique'), ...same)).map(it => it.replace(/^«.*?» /, ''))).toEqual([
      'error gatekeeper/Unique has the id of two (constraint team)',
      'error gatekeeper/Unique has the id of one (constraint team)',
    ]);
  });

  it('evaluates templates in CEL', async () => {
    const cel = template(
      `      code:
        - engine: K8sNativeValidation
          source:
            validations:
              - expression: has(object.metadata.labels) && variables.params.label in object.metadata.labels
                messageExpression: '"CEL wants " + variables.params.label'`,
    );
    const [first] = await reported(cel, constraint(pods), pod('name: a'));
    expect(first).toContain('error gatekeeper/NeedsLabel CEL wants team');
  });

  it('reads Rego v1', async () => {
    const v1 = template(`      code:
        - engine: Rego
          source:
            version: v1
            rego: |
              package needslabel
              violation contains {"msg": "v1 speaks"} if input.review.object.kind == "Pod"`);
    const [first] = await reported(v1, constraint(pods), pod('name: a'));
    expect(first).toContain('error gatekeeper/NeedsLabel v1 speaks');
  });

  it('underlines in the Rego of a template what does not compile', async () => {
    const broken = template(`      rego: |
        package needslabel
        violation[{"msg": msg}] { msg := nowhere }`);
    expect(await reported(broken, constraint(pods))).toEqual([
      '«nowhere» error gatekeeper/needslabel rego_unsafe_var_error: var nowhere is unsafe',
    ]);
  });

  it('runs suites as gator verify does', async () => {
    const files = new Map([
      ['s/template.yaml', needsLabel],
      ['s/constraint.yaml', constraint(pods)],
      ['s/good.yaml', pod('name: a, labels: { team: a }')],
      ['s/bad.yaml', pod('name: a')],
      [
        's/suite.yaml',
        `kind: Suite
apiVersion: test.gatekeeper.sh/v1alpha1
metadata: { name: labels }
tests:
  - name: team
    template: template.yaml
    constraint: ./constraint.yaml
    cases:
      - { name: refused, object: bad.yaml, assertions: [{ violations: 1, message: label team }] }
      - { name: wrong, object: good.yaml, assertions: [{ violations: yes }] }
      - { name: later, skip: true, object: good.yaml, assertions: [{ violations: yes }] }
`,
      ],
    ]);
    const [suite] = await runPolicyTests(files, engine);
    expect(suite?.tests.map(it => [it.name, it.outcome])).toEqual([
      ['team/refused', 'pass'],
      ['team/wrong', 'fail'],
      ['team/later', 'skip'],
    ]);
    expect(suite?.tests[1]?.message).toContain('got 0 violations');
  });
});

// The real engine would compile 500 templates for half a minute; how many it is given is seen without it.
describe('Very many templates', () => {
  it('are not loaded after the first 500, which is told at them and at their constraints', async () => {
    const kinds = Array.from({ length: 501 }, (_, i) => `Kind${i}`);
    const empty = (kind: string): string =>
      template('      rego: |\n        package a\n        violation[{"msg": "x"}] { false }', kind);
    const { engine, requests } = engineThatAgrees();
    const files = {
      'a.yaml': [...kinds.map(empty), constraint(pods, 'Kind500'), constraint(pods, 'Kind499')].join('\n---\n'),
    };
    const { reported } = await evaluated(engine, { ...files, 'pod.yaml': pod('name: a') });
    expect(reported.map(it => it.replace(/^a\.yaml:\d+:\d+ /, ''))).toEqual([
      expect.stringMatching(
        / warning .*Berth loads at most 500 templates .*: this ConstraintTemplate is not asked here/,
      ),
      expect.stringMatching(/ warning .*Berth loads at most 500 templates .*: this Kind500 is not asked here/),
    ]);
    const [loaded] = requests.filter(it => it.op === 'loadGatekeeper' && 'templates' in it);
    expect([loaded?.templates, loaded?.constraints]).toEqual([
      expect.objectContaining({ length: 500 }),
      [expect.objectContaining({ kind: 'Kind499' })],
    ]);
  });
});
