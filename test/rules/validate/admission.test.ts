import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { answer } from './answers';

const rules = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
const object = (kind: string, fields: JsonObject, version = 'v1'): JsonObject => ({
  apiVersion: `admissionregistration.k8s.io/${version}`,
  kind,
  metadata: { name: 'one' },
  ...fields,
});
const policy = (spec: JsonObject) =>
  object('ValidatingAdmissionPolicy', {
    spec: { matchConstraints: { resourceRules: [rules] }, validations: [{ expression: 'true' }], ...spec },
  });
const matching = (of: JsonObject) => policy({ matchConstraints: { resourceRules: [{ ...rules, ...of }] } });
const binding = (spec: JsonObject, version?: string) =>
  object(
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'one', validationActions: ['Deny'], ...spec } },
    version,
  );
const webhook = (of: JsonObject) =>
  object('ValidatingWebhookConfiguration', {
    webhooks: [
      {
        name: 'one.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: 'https://example.com' },
        rules: [rules],
        ...of,
      },
    ],
  });
const variables = (...expressions: readonly string[]) =>
  expressions.map((expression, i) => ({ name: `v${i}`, expression }));

/** `field: type` of each error. */
const errorsOf = (of: JsonObject, minor = '1.37'): readonly string[] =>
  answer(of, { minor }).errors.map(it => it.split(' ').slice(0, 2).join(' '));

describe('the server answers', () => {
  const cases: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['a policy', policy({}), []],
    [
      'a mutating policy without a spec: its failurePolicy has a default all the same',
      object('MutatingAdmissionPolicy', {}),
      ['spec.matchConstraints: Required', 'spec.mutations: Required', 'spec.reinvocationPolicy: Required'],
    ],
    ['variables in order', policy({ variables: variables('1', 'variables.v0 + 1') }), []],
    [
      'a variable before its own',
      policy({ variables: variables('variables.v1', '1') }),
      ['spec.variables[0].expression: Invalid'],
    ],
    [
      'a later use of a variable that fails: its type is unknown',
      policy({ variables: variables('bogus'), validations: [{ expression: 'variables.v0 > 1' }] }),
      ['spec.variables[0].expression: Invalid'],
    ],
    [
      'variables of a policy without any',
      policy({ validations: [{ expression: 'variables.v0 > 1' }] }),
      ['spec.validations[0].expression: Invalid'],
    ],
    [
      'an authorizer in a message',
      policy({
        validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }],
      }),
      ['spec.validations[0].messageExpression: Invalid'],
    ],
    [
      'params with a kind of them',
      policy({ paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params.a == 1' }] }),
      [],
    ],
    ['the order of resources: names before', matching({ resources: ['pods', '*'] }), []],
    [
      'the order of resources: names after',
      matching({ resources: ['*', 'pods'] }),
      ['spec.matchConstraints.resourceRules[0].resources: Invalid'],
    ],
    ['a part before all parts', matching({ resources: ['a/x', 'a/*'] }), []],
    [
      'a part after all parts',
      matching({ resources: ['a/*', 'a/x'] }),
      ['spec.matchConstraints.resourceRules[0].resources[1]: Invalid'],
    ],
    [
      'no parameters of a binding',
      binding({ paramRef: { name: 'a' } }),
      ['spec.paramRef.parameterNotFoundAction: Required'],
    ],
    ['a URL', webhook({ clientConfig: { url: 'https://example.com:8443/a' } }), []],
    [
      'a relative URL',
      webhook({ clientConfig: { url: 'a/b' } }),
      ['webhooks[0].clientConfig.url: Invalid', 'webhooks[0].clientConfig.url: Invalid'],
    ],
    ['a broken URL', webhook({ clientConfig: { url: 'https://a b/%zz' } }), ['webhooks[0].clientConfig.url: Required']],
    [
      'conditions of a webhook',
      webhook({
        matchConditions: [
          { name: 'a', expression: ' true ' },
          { name: 'a', expression: 'object' },
        ],
      }),
      ['webhooks[0].matchConditions[1].expression: Invalid', 'webhooks[0].matchConditions[1].name: Duplicate'],
    ],
  ];
  test.each(cases)('%s', (_, of, expected) => {
    expect(errorsOf(of)).toEqual(expected);
  });

  test('in older minors and versions', () => {
    const wrong = binding({ matchResources: { matchPolicy: 'Both' } });
    expect(errorsOf(wrong)).toEqual(['spec.matchResources.matchPolicy: NotSupported']);
    expect(errorsOf(wrong, '1.31')).toEqual(['spec.matchResouces.matchPolicy: NotSupported']);
    expect(errorsOf(binding({ paramRef: { name: 'a' } }, 'v1alpha1'), '1.31')).toEqual([]);
  });

  test('rules that name what webhooks never see', () => {
    const excluded = { ...rules, apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews', 'tokenreviews'] };
    expect(answer(webhook({ rules: [excluded] })).warnings).toEqual([
      'webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect',
    ]);
  });

  test('a policy of many variables in little time, whatever their types', () => {
    const doubled = Array.from({ length: 1000 }, (_, i) =>
      i === 0 ? '{1: 1}' : `{variables.v${i - 1}: variables.v${i - 1}}`,
    );
    expect(errorsOf(policy({ variables: variables(...doubled) }))).toEqual([]);
  });
});
