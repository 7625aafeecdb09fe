import { describe, expect, it } from 'vitest';
import { editorsYaml, grammarOf, olderYaml, tokensOf } from './grammars';

const policy = `kind: ValidatingAdmissionPolicy
spec:
  validations:
    - expression: object.spec.replicas <= 5 # few
      message: size(x)
    - expression: >-
        has(object.spec) &&
          'a' in object.spec.names

      messageExpression: "'it is ' + \\"y\\""
    - expression: 'size(object.a) == 1 || y == ''b'''
      reason: size(x)
    - { expression: "size(self.x) > 1", message: size(x) }
  x-kubernetes-validations:
    - rule: self.x > oldSelf.x
      message: self.x
  rules:
    - rule: an alert of somebody else
`;

const template = `kind: ConstraintTemplate
spec:
  targets:
    - rego: |
        package k8s
        # nothing
        violation[{"msg": msg}] {
          not input.review.object.spec.x
          msg := sprintf("no %v", [1])
        }
      libs:
        - |
          package lib.x
          data.y
      target: input.x
`;

const kyverno = `kind: ClusterPolicy
spec:
  message: "{{ to_upper(request.object.kind) }} and {{ .Values.kind }}"
  # {{ request.object }}
  value: {{ include "x" . }}
  plain: is {{ element.name }} here
`;

const grammars = [['of older editors', olderYaml] as const, ...editorsYaml()];

describe.each(grammars)('In YAML, as the grammar %s has it,', (_, paths) => {
  /** `LINE TEXT SCOPE` of everything in a language. */
  const toldIn = async (suffix: string, text: string): Promise<readonly string[]> =>
    tokensOf(await grammarOf('source.yaml', paths), text).flatMap(it => {
      const scope = it.scopes.at(-1) ?? '';
      return scope.endsWith(suffix) ? [`${it.line} ${it.text.trim()} ${scope.slice(0, -suffix.length)}`] : [];
    });

  it('expressions are CEL in every style of scalar, and their neighbours are not', async () => {
    const told = await toldIn('.cel', policy);
    expect(told).toEqual(
      expect.arrayContaining([
        '4 object variable.language',
        '4 <= keyword.operator',
        '4 5 constant.numeric',
        '7 has keyword.control.macro',
        '8 in keyword.operator.expression',
        '10 + keyword.operator',
        '10 y string.quoted',
        '11 size entity.name.function',
        '11 b string.quoted',
        '13 self variable.language',
        '15 oldSelf variable.language',
      ]),
    );
    const lines = new Set(told.map(it => Number(it.split(' ')[0])));
    expect([...lines]).toEqual([4, 7, 8, 10, 11, 13, 15]);
    expect(told.filter(it => it.startsWith('13 size'))).toHaveLength(1);
  });

  it.each([
    [
      'a MutatingAdmissionPolicy',
      'spec:\n  mutations:\n    - jsonPatch:\n        expression: >-\n          [object.a]',
    ],
    ['an audit annotation', 'spec:\n  auditAnnotations:\n    - key: x\n      valueExpression: object.a'],
    ['match conditions of a webhook', 'webhooks:\n  - matchConditions:\n      - name: x\n        expression: object.a'],
    ['a variable', 'spec:\n  variables:\n  - name: x\n    expression: "object.a"'],
    ['a DeviceClass', 'spec:\n  selectors:\n    - cel:\n        expression: device.driver == object.a'],
    ['a request for devices', "requests:\n  - exactly:\n      selectors: [{ cel: { expression: 'object.a' } }]"],
    ['an AuthenticationConfiguration', 'jwt:\n- claimMappings:\n    username:\n      expression: object.a'],
    [
      'K8sNativeValidation',
      'code:\n  - engine: K8sNativeValidation\n    source:\n      validations:\n      - expression: object.a',
    ],
    ['CEL of a ClusterPolicy', 'validate:\n  cel:\n    expressions:\n      - expression: |\n          object.a'],
    ['a rule of berth.yaml', 'rules:\n  - name: x\n    expression: object.a'],
    ['a test of such a rule', 'tests:\n  - expect:\n      - holds: object.a'],
  ])('CEL is seen in %s', async (_place, text) => {
    const told = await toldIn('.cel', `${text}\nother: object.a\n`);
    expect(told.filter(it => / object variable.language$/.test(it))).toHaveLength(1);
  });

  it('a template holds Rego, which ends with its block', async () => {
    const told = await toldIn('.rego', template);
    expect(told).toEqual(
      expect.arrayContaining([
        '5 package keyword.control.import',
        '5 k8s entity.name.namespace',
        '6 nothing comment.line.number-sign',
        '7 violation entity.name.function.rule',
        '8 not keyword.control',
        '8 input variable.language',
        '9 %v constant.other.placeholder',
        '13 lib.x entity.name.namespace',
        '14 data variable.language',
      ]),
    );
    expect(told.filter(it => /^(11|12|15) /.test(it))).toEqual([]);
  });

  it("Kyverno's variables are seen, and what Helm fills in is not", async () => {
    const told = await toldIn('.jmespath', kyverno);
    expect(told).toEqual(
      expect.arrayContaining([
        '3 to_upper entity.name.function',
        '3 request variable.language',
        '6 element variable.language',
        '6 name variable.other.property',
      ]),
    );
    expect([...new Set(told.map(it => it[0]))]).toEqual(['3', '6']);
    expect(told.some(it => it.includes('Values'))).toBe(false);
  });
});

it('a file of Rego is told by its own grammar', async () => {
  const text = 'package main\nimport rego.v1\ndeny contains msg if {\n\tsome c in input.spec # all\n\tmsg := `no`\n}\n';
  const told = tokensOf(await grammarOf('source.rego', {}), text).map(
    it => `${it.line} ${it.text} ${it.scopes.at(-1)}`,
  );
  expect(told).toEqual(
    expect.arrayContaining([
      '2 rego.v1 entity.name.namespace.rego',
      '3 deny entity.name.function.rule.rego',
      '3 contains keyword.control.rego',
      '4 some keyword.control.rego',
      '4  all comment.line.number-sign.rego',
    ]),
  );
});
