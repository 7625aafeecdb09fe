import { expect, it } from 'vitest';
import { definitionOf } from '../support/definition';
import { describeWithEngine, evaluated, withCalls } from './withEngine';

const definition = definitionOf(
  `          properties:
            spec:
              type: object
              properties:
                most: { type: integer }
                name: { type: string }
                free: { type: object, x-kubernetes-preserve-unknown-fields: true }
`,
  { group: 'example.org', kind: 'Limit', scope: 'Cluster' },
);

const rule = (group: string, resource: string) =>
  `{ apiGroups: ["${group}"], apiVersions: [v1], operations: [CREATE], resources: [${resource}] }`;

const policy = (rules: string, expression: string, more = '') => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: typed }
spec:
  ${more}
  matchConstraints: { resourceRules: [${rules}] }
  validations: [{ expression: ${JSON.stringify(expression)} }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: typed }
spec: { policyName: typed, validationActions: [Deny] }
`;
const DEPLOYMENTS = rule('apps', 'deployments');
const PODS = rule('', 'pods');
const LIMITS = rule('example.org', 'limits');
const params = (apiVersion: string, kind: string) => `paramKind: { apiVersion: ${apiVersion}, kind: ${kind} }`;

interface Case {
  readonly rules?: string;
  readonly expression: string;
  readonly more?: string;
  readonly reported: readonly string[];
}

// The messages are those that kube-controller-manager 1.37 writes into status.typeChecking of the same policies.
const CASES: readonly Case[] = [
  {
    rules: rule('apps", "batch', 'deployments, jobs, cronjobs'),
    expression: 'object.spec.replicas < 3',
    reported: [
      "«.replicas» undefined field 'replicas' (batch/v1, Kind=CronJob)",
      "«.replicas» undefined field 'replicas' (batch/v1, Kind=Job)",
    ],
  },
  {
    expression: "'x' + object.spec.replicas == ''",
    reported: ["«+» found no matching overload for '_+_' applied to '(string, int)' (apps/v1, Kind=Deployment)"],
  },
  {
    rules: PODS,
    expression: "object.metadata.creationTimestamp == 'x'",
    reported: ["«==» found no matching overload for '_==_' applied to '(timestamp, string)' (/v1, Kind=Pod)"],
  },
  {
    rules: rule('', 'secrets'),
    expression: "object.data.a == 'x'",
    reported: ["«==» found no matching overload for '_==_' applied to '(bytes, string)' (/v1, Kind=Secret)"],
  },
  {
    rules: rule('', 'services'),
    expression: "object.spec.ports.all(p, p.targetPort == 'x' || p.targetPort == 80 || p.port == '80')",
    reported: ["«==» found no matching overload for '_==_' applied to '(int, string)' (/v1, Kind=Service)"],
  },
  {
    expression: 'object.spec.replicas <= params.data.most',
    more: params('v1', 'ConfigMap'),
    reported: ["«<=» found no matching overload for '_<=_' applied to '(int, string)' (apps/v1, Kind=Deployment)"],
  },
  {
    expression: 'object.spec.replicas <= params.spec.most',
    more: params('v1', 'ConfigMap'),
    reported: ["«.spec» undefined field 'spec' (apps/v1, Kind=Deployment)"],
  },
  {
    expression: 'object.spec.replicas <= params.spec.mostt',
    more: params('example.org/v1', 'Limit'),
    reported: ["«.mostt» undefined field 'mostt' (apps/v1, Kind=Deployment)"],
  },
  { expression: 'object.spec.replicas <= params.spec.most', more: params('example.org/v1', 'Limit'), reported: [] },
  {
    rules: LIMITS,
    expression: "object.spec.most < 'x'",
    reported: ["«<» found no matching overload for '_<_' applied to '(int, string)' (example.org/v1, Kind=Limit)"],
  },
  {
    rules: LIMITS,
    expression: 'object.metadata.labels.x == 3',
    reported: ["«==» found no matching overload for '_==_' applied to '(string, int)' (example.org/v1, Kind=Limit)"],
  },
  {
    expression: "variables.wanted == 'x'",
    more: 'variables: [{ name: wanted, expression: object.spec.replicas }]',
    reported: ["«==» found no matching overload for '_==_' applied to '(int, string)' (apps/v1, Kind=Deployment)"],
  },
  {
    rules: PODS,
    expression: 'oldObject == null || oldObject.spec.foo == 1',
    reported: ["«.foo» undefined field 'foo' (/v1, Kind=Pod)"],
  },
  {
    rules: PODS,
    expression: 'object.spec.?hostNetwrk.orValue(false) == false',
    reported: ["«.?hostNetwrk» undefined field 'hostNetwrk' (/v1, Kind=Pod)"],
  },
  {
    rules: PODS,
    expression: 'object.spec.hostNetwork.orValue(false) == false',
    reported: ["«orValue» found no matching overload for 'orValue' applied to 'bool.(bool)' (/v1, Kind=Pod)"],
  },
  { rules: rule('*', 'deployments'), expression: 'object.spec.replica < 3', reported: [] },
  // A resource without a group is searched for in all groups.
  {
    rules: rule('', 'ingresses'),
    expression: 'object.spec.nothing == 1',
    reported: ["«.nothing» undefined field 'nothing' (networking.k8s.io/v1, Kind=Ingress)"],
  },
];

describeWithEngine('The types of the kinds that a policy matches', engine => {
  const reported = async ({ rules = DEPLOYMENTS, expression, more = '' }: Omit<Case, 'reported'>) => {
    const files = { 'a.yaml': `${definition}\n---\n${policy(rules, expression, more)}` };
    const lines = (await evaluated(engine, files)).reported.filter(it => it.includes('vap/typed'));
    return lines.map(it => it.replace(/^a\.yaml:\d+:\d+ («.*?») warning vap\/typed CEL: /, '$1 '));
  };

  it.each([
    'type: true',
    'type: object, properties: { most: { minimum: x, enum: 5, required: most } }',
    'type: object, additionalProperties: 5',
    'items: [{}], x-kubernetes-map-type: 3',
  ])('are known although a definition of another kind has a value of another type: %s', async spec => {
    const broken = definitionOf(`          properties: { spec: { ${spec} } }\n`, {
      group: 'example.com',
      kind: 'Broken',
    });
    const rules = [DEPLOYMENTS, rule('example.com', 'brokens')].join(', ');
    const files = {
      'a.yaml': `${definition}\n---\n${policy(rules, "object.spec.replicas == 'x'")}`,
      'crd.yaml': broken,
    };
    const { reported: all } = await evaluated(engine, files);
    expect(all.filter(it => it.includes('vap/typed')).join(' ')).toContain("applied to '(int, string)' (apps/v1");
  });

  it.each(CASES)('$expression $more', async ({ reported: wanted, ...it }) => {
    expect(await reported(it)).toEqual(wanted);
  });

  it('are sent once for all policies about them, and again when their definition changes', async () => {
    const { calls, ...recording } = withCalls(engine);
    const kind = (type: string) =>
      definitionOf(`          properties: { spec: { type: object, properties: { size: { type: ${type} } } } }\n`, {
        group: 'once.example.com',
        kind: 'Gadget',
      });
    const both = ['object.spec.size > 3', 'object.spec.size < 9'].map((expression, i) =>
      policy(rule('once.example.com', 'gadgets'), expression).replaceAll('typed', `typed-${i}`),
    );
    const problemsOf = async (type: string) =>
      (await evaluated(recording.engine, { 'a.yaml': [kind(type), ...both].join('---\n') })).reported;
    expect(await problemsOf('integer')).toEqual([]);
    expect(calls.filter(it => it.schemas !== undefined)).toHaveLength(1);
    expect(await problemsOf('integer')).toEqual([]);
    expect(calls.filter(it => it.schemas !== undefined)).toHaveLength(1);
    expect(await problemsOf('string')).toHaveLength(2);
    expect(calls.filter(it => it.schemas !== undefined)).toHaveLength(2);
  });

  it('report nothing where only the schema is incomplete, although the server warns there', async () => {
    const quantities = "object.spec.containers.all(c, !has(c.resources.limits) || c.resources.limits['cpu'] == '1')";
    expect(await reported({ rules: PODS, expression: quantities })).toEqual([]);
    expect(await reported({ rules: LIMITS, expression: 'object.spec.free.x == 3' })).toEqual([]);
  });
});

describeWithEngine('Parameters of a policy', engine => {
  const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: a }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/*] }] }
  paramKind: { apiVersion: v1, kind: ConfigMap }
  validations: [{ expression: "params.data.a == object.metadata.name" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: a }
spec: { policyName: a, paramRef: { selector: {}, parameterNotFoundAction: Deny }, validationActions: [Deny] }
`;
  const parameter = (i: number): string =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${i} }\ndata: { a: web }\n`;

  it('are no objects that the engine is asked about, as no rule names their resource', async () => {
    const { calls, ...counting } = withCalls(engine);
    const pods = ['web', 'db'].map(it => `---\napiVersion: v1\nkind: Pod\nmetadata: { name: ${it} }\n`);
    const text = [POLICY, ...Array.from({ length: 60 }, (_, i) => parameter(i)), ...pods].join('');
    const { reported } = await evaluated(counting.engine, { 'a.yaml': text });
    expect(reported.filter(it => it.includes(' error vap/a '))).toHaveLength(60);
    const asked = calls.flatMap(it => (it.op === 'admit' ? (it.requests as { object: { kind: string } }[]) : []));
    expect(asked.map(it => it.object.kind)).toEqual(['Pod', 'Pod']);
  });
});
