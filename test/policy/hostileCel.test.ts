import { describe, expect, it } from 'vitest';
import { engineThatAgrees } from '../support/policyEngine';
import { sizedFor } from '../support/thorough';
import { describeWithOwnEngine, evaluated } from './withEngine';

const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1, args: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!] }] }\n';

interface Hostile {
  readonly expression: string;
  readonly messageExpression?: string;
  readonly variables?: readonly (readonly [string, string])[];
}

const policy = ({ expression, messageExpression, variables = [] }: Hostile, name = 'hot') =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      variables: variables.map(([variable, value]) => ({ name: variable, expression: value })),
      validations: [{ expression, messageExpression }],
    },
  });
const binding = (name = 'hot') =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: { name: ${name} }\nspec: { policyName: ${name}, validationActions: [Deny] }\n`;

const ten = '[0,1,2,3,4,5,6,7,8,9]';
const nested = (depth: number, body: string): string =>
  `${Array.from({ length: depth }, (_, i) => `${ten}.all(a${i}, `).join('')}${body}${')'.repeat(depth)}`;
/** v0 has one character; each further variable is twice as long. */
const doubled = (count: number): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, i) => [`v${i}`, i === 0 ? "'x'" : `variables.v${i - 1} + variables.v${i - 1}`]);

const LIMIT = /call cost exceeds limit|cost limit exceeded|exceeds budget|out of budget|no longer asked/;

/** What each turn of a loop does: it is added up to the same bound, which cheap turns reach after seconds. */
const turn = sizedFor({
  thorough: 'a0 + a8 >= 0',
  quick: `'${'x'.repeat(1_000)}'.contains('${'y'.repeat(1_000)}') || a0 + a8 >= 0`,
});

// Each with the message, at the object or at the policy.
const CASES: readonly (readonly [string, Hostile, RegExp])[] = [
  ['a loop within loops', { expression: nested(9, turn) }, LIMIT],
  ['a string of gigabytes', { expression: "variables.v32 == ''", variables: doubled(33) }, LIMIT],
  [
    'a regular expression that backtracks elsewhere',
    { expression: "object.spec.containers[0].args[0].matches('^(a+)+$')" },
    /failed expression/,
  ],
  [
    'a regular expression of many repetitions',
    { expression: "'a'.matches('((a{1,100}){1,100}){1,100}')" },
    /invalid matches argument|expression parses to|repeat|cost/,
  ],
  [
    'a message without end',
    { expression: 'false', messageExpression: 'variables.v13', variables: doubled(14) },
    /failed expression: false/,
  ],
  [
    'variables in a circle',
    {
      expression: 'variables.a == 1',
      variables: [
        ['a', 'variables.b'],
        ['b', 'variables.a'],
      ],
    },
    /undefined field 'b'/,
  ],
  [
    'more expressions than are compiled',
    { expression: 'true', variables: Array.from({ length: 500 }, (_, i) => [`v${i}`, '1'] as const) },
    / warning .*has 501 expressions, and Berth compiles at most 500/,
  ],
  ['parentheses without end', { expression: `${'('.repeat(300)}true${')'.repeat(300)}` }, /recursion limit exceeded/],
  [
    'an expression without end',
    { expression: Array.from({ length: 60_000 }, () => '1').join('+') },
    /size|too long|limit/,
  ],
];

describeWithOwnEngine('Hostile CEL', engine => {
  it.each(CASES)(
    '%s ends within its bound with a problem, and others go on',
    async (_, hostile, message) => {
      const { reported } = await evaluated(engine, {
        'hot.yaml': policy(hostile),
        'binding.yaml': binding(),
        'cold.yaml': `${policy({ expression: 'false' }, 'cold')}\n---\n${binding('cold')}`,
        'pod.yaml': pod,
      });
      const ofPolicy = reported.filter(it => it.includes('vap/hot') || it.startsWith('hot.yaml'));
      expect(ofPolicy).toContainEqual(expect.stringMatching(message));
      expect(reported.filter(it => it.includes('vap/cold'))).toEqual([
        expect.stringContaining('failed expression: false'),
      ]);
      const withoutText = reported.map(it => it.replace(/«.*?»/s, ''));
      expect(withoutText.every(it => it.length < 5_000)).toBe(true);
    },
    120_000,
  );
});

// The real engine would read 200 policies for many seconds; how many it is given is seen without it.
describe('Very many policies', () => {
  const empty = (i: number): string =>
    JSON.stringify({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: `a${i}` },
      spec: { matchConstraints: { resourceRules: [] }, validations: [{ expression: 'true' }] },
    });

  it('are not asked after the first 200, which is told', async () => {
    const { engine, requests } = engineThatAgrees();
    const { reported } = await evaluated(engine, {
      'a.yaml': Array.from({ length: 203 }, (_, i) => empty(i)).join('\n---\n'),
    });
    expect(reported.filter(it => / warning .*Berth asks at most 200 policies/.test(it))).toHaveLength(3);
    expect(reported.filter(it => it.includes('Berth checks the expressions of 40 policies'))).toHaveLength(160);
    const [loaded] = requests.filter(it => it.op === 'loadPolicies');
    expect(loaded?.policies).toHaveLength(200);
    expect(requests.filter(it => it.op === 'typeCheckPolicy')).toHaveLength(40);
  });
});
