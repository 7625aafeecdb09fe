import { expect, it } from 'vitest';
import type { Span } from '../../server/src/text/span';
import { describeWithEngine, evaluated } from './withEngine';

const policy = (spec: string, name = 'replicas') => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }
${spec}`;
const binding = (more = '', name = 'replicas') => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny]${more} }
`;
const deployment = (spec: string, metadata = 'name: web') => `
apiVersion: apps/v1
kind: Deployment
metadata: { ${metadata} }
spec:
  ${spec}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
const atMost = (most: number) => `
  validations:
    - expression: object.spec.replicas <= ${most}
      message: too many`;
const many = (...documents: readonly string[]) => documents.join('\n---\n');

describeWithEngine('ValidatingAdmissionPolicy', engine => {
  const reported = async (...documents: readonly string[]) =>
    (await evaluated(engine, { 'a.yaml': many(...documents) })).reported.map(it => it.replace(/^a\.yaml:\d+:\d+ /, ''));

  it('reports a denial at the field that the expression reads, with the message of the policy', async () => {
    expect(await reported(policy(atMost(2)), binding(), deployment('replicas: 3'))).toEqual([
      '«replicas: 3» error vap/replicas too many (policy replicas, binding replicas)',
    ]);
    expect(await reported(policy(atMost(3)), binding(), deployment('replicas: 3'))).toEqual([]);
  });

  it('reports a parameter that is not there as a denial whatever the actions of the binding', async () => {
    const limited = policy(`\n  paramKind: { apiVersion: v1, kind: ConfigMap }\n${atMost(9)}`);
    const ref = binding(', paramRef: { name: none, namespace: default, parameterNotFoundAction: Deny }');
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: default }';
    const told = await reported(limited, ref.replace('[Deny]', '[Warn]'), namespace, deployment('replicas: 3'));
    expect(told.filter(it => it.includes('vap/'))).toEqual([
      expect.stringMatching(/ error vap\/replicas .*no params found/),
    ]);
  });

  it('gives the object the fields of the store, which mutating policies do not see', async () => {
    const stored =
      'object.metadata.uid != "" && timestamp(object.metadata.creationTimestamp) > timestamp("2020-01-01T00:00:00Z")';
    const system = policy(`\n  validations: [{ expression: ${JSON.stringify(stored)} }]`);
    expect(await reported(system, binding(), deployment('replicas: 3'))).toEqual([]);
  });

  it('says that a denial may rest on the user, who is not known', async () => {
    const ofUser = policy(`\n  validations: [{ expression: 'request.userInfo.username == "ci"' }]`);
    expect(await reported(ofUser, binding(), deployment('replicas: 3'))).toEqual([
      expect.stringMatching(
        / error vap\/replicas .*This may rest on who makes the request, which is not known here\.$/,
      ),
    ]);
  });

  it('takes the user for one of those that the server has authenticated', async () => {
    const ofGroups = `\n  validations: [{ expression: '"system:authenticated" in request.userInfo.groups' }]`;
    expect(await reported(policy(ofGroups), binding(), deployment('replicas: 3'))).toEqual([]);
  });

  it('gives a ConfigMap that is created no parameter that is itself', async () => {
    const spec = `
  paramKind: { apiVersion: v1, kind: ConfigMap }
  validations: [{ expression: 'has(object.data.own) == has(params.data.own)', message: differs }]`;
    const ofConfigMaps = policy(spec).replace('[apps]', '[""]').replace('[deployments]', '[configmaps]');
    const named = binding(', paramRef: { name: limits, namespace: default, parameterNotFoundAction: Deny }');
    const params = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { own: "1" }`;
    const told = (await reported(ofConfigMaps, named, params('limits'), params('others'))).filter(it =>
      it.includes('vap/'),
    );
    expect(told).toEqual([expect.stringMatching(/no params found/)]);
  });

  it('evaluates no policy that the server would reject, whatever is requested first', async () => {
    const broken = policy('\n  validations: [{ expression: "object.spec.replicas <=" }]');
    const files = { 'p.yaml': many(broken, binding()), 'web.yaml': deployment('replicas: 3') };
    const all = await evaluated(engine, files);
    expect(all.reported).toEqual([
      expect.stringMatching(/^p\.yaml:\d+:\d+ .* error apiserver\/refused .*Syntax error/),
    ]);
    expect((await evaluated(engine, files, {}, ['web.yaml'])).reported).toEqual(all.reported);
  });

  it('evaluates the other policies when one cannot be decoded', async () => {
    const undecodable = policy(atMost(2).replace('too many', '{ a: b }'), 'other');
    expect(
      await reported(undecodable, binding('', 'other'), policy(atMost(2)), binding(), deployment('replicas: 3')),
    ).toEqual([
      expect.stringContaining('error vap/other This ValidatingAdmissionPolicy cannot be read: json: cannot unmarshal'),
      '«replicas: 3» error vap/replicas too many (policy replicas, binding replicas)',
    ]);
  });

  it('evaluates objects with the defaults of the API server', async () => {
    const [first] = await reported(policy(atMost(0)), binding(), deployment('paused: false'));
    expect(first).toBe('«spec» error vap/replicas too many (policy replicas, binding replicas)');
  });

  it('only warns where the binding does not deny', async () => {
    const warning = binding().replace('[Deny]', '[Warn, Audit]');
    expect(await reported(policy(atMost(2)), warning, deployment('replicas: 3'))).toEqual([
      '«replicas: 3» warning vap/replicas too many (policy replicas, binding replicas)',
    ]);
  });

  it('uses ConfigMaps of the workspace as parameters', async () => {
    const spec = `
  paramKind: { apiVersion: v1, kind: ConfigMap }
  variables: [{ name: most, expression: int(params.data.most) }]
  validations:
    - expression: object.spec.replicas <= variables.most
      messageExpression: "string(object.spec.replicas) + ' > ' + string(variables.most)"`;
    const ref = binding(', paramRef: { name: limits, namespace: default, parameterNotFoundAction: Deny }');
    const map = '\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: limits }\ndata: { most: "2" }\n';
    expect(await reported(policy(spec), ref, map, deployment('replicas: 3'))).toEqual([
      '«replicas: 3» error vap/replicas 3 > 2 (policy replicas, binding replicas, parameter default/limits)',
    ]);
    const [missing] = await reported(policy(spec), ref, deployment('replicas: 3'));
    expect(missing).toMatch(/^«Deployment» error vap\/replicas .*no params found for policy binding/);
  });

  it.each([
    ['of the namespace of the object', ''],
    ['of a namespace', ', namespace: default'],
  ])('asks parameters %s in the order of their names, each time', async (_, namespace) => {
    const spec = `
  paramKind: { apiVersion: v1, kind: ConfigMap }
  validations: [{ expression: object.spec.replicas <= int(params.data.most), message: too many }]`;
    const ref = binding(`, paramRef: { selector: {}${namespace}, parameterNotFoundAction: Deny }`);
    const names = Array.from({ length: 12 }, (_, i) => `limits-${'mkbzalcjydfx'[i]}`);
    const map = (name: string, of: string) =>
      `\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${of} }\ndata: { most: "2" }\n`;
    const elsewhere = ['default-other', 'a'].map(it => map('limits-0', it));
    const maps = [...names.map(it => map(it, 'default')), ...elsewhere];
    const told = await reported(policy(spec), ref, ...maps, deployment('replicas: 3', 'name: web, namespace: default'));
    expect(told.map(it => /parameter default\/(.*)\)$/.exec(it)?.[1])).toEqual([...names].sort());
  });

  it('uses parameters of a kind that the workspace defines', async () => {
    const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: limits.example.org }
spec:
  group: example.org
  scope: Cluster
  names: { plural: limits, singular: limit, kind: Limit, listKind: LimitList }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }]
`;
    const limit = '\napiVersion: example.org/v1\nkind: Limit\nmetadata: { name: small }\nspec: { most: 1 }\n';
    const spec = `
  paramKind: { apiVersion: example.org/v1, kind: Limit }
  validations: [{ expression: object.spec.replicas <= params.spec.most, message: over the limit }]`;
    const ref = binding(', paramRef: { name: small, parameterNotFoundAction: Deny }');
    expect(await reported(definition, limit, policy(spec), ref, deployment('replicas: 3'))).toEqual([
      '«replicas: 3» error vap/replicas over the limit (policy replicas, binding replicas, parameter small)',
    ]);
  });

  it('uses the labels of Namespaces for selectors and in namespaceObject', async () => {
    const namespace = '\napiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { tier: strict } }\n';
    const selecting = policy(
      `${atMost(2)}\n  matchConditions: [{ name: strict, expression: "request.namespace != 'kube-system'" }]`,
    ).replace('resourceRules:', 'namespaceSelector: { matchLabels: { tier: strict } }\n    resourceRules:');
    const three = (name: string) => deployment('replicas: 3', `name: web, namespace: ${name}`);
    expect(await reported(namespace, selecting, binding(), three('shop'), three('other'))).toHaveLength(1);
    const reading = policy(`
  validations: [{ expression: "namespaceObject.metadata.labels.tier != 'strict'", message: strict }]`);
    expect(await reported(namespace, reading, binding(), three('shop'))).toEqual([
      '«Deployment» error vap/replicas strict (policy replicas, binding replicas)',
    ]);
  });

  it('reports a policy without a binding', async () => {
    expect(await reported(policy(atMost(0)), deployment('replicas: 3'))).toEqual([
      '«replicas» info vap/replicas No ValidatingAdmissionPolicyBinding of the workspace names this policy, so it says nothing about any object.',
    ]);
  });

  it('underlines a compile error inside a block scalar, after characters of two UTF-16 units', async () => {
    const spec = `
  validations:
    - expression: |
        "🐳" != "x" &&
          "🐳🐳" + foo.bar == "x"
    - expression: >-
        true &&
        1 + "x" == 2`;
    expect((await evaluated(engine, { 'a.yaml': many(policy(spec), binding()) })).reported).toEqual([
      expect.stringMatching(/^a\.yaml:13:20 «foo» error apiserver\/refused "expression" is no valid CEL: undeclared/),
      expect.stringMatching(/^a\.yaml:16:11 «\+» error apiserver\/refused "expression" is no valid CEL: found no/),
    ]);
  });

  it('evaluates no policy that the server would reject', async () => {
    const spec = '\n  validations: [{ expression: object.spec.replicas < most }]';
    expect(await reported(policy(spec), binding(), deployment('replicas: 3'))).toEqual([
      expect.stringMatching(/^«most» error apiserver\/refused "expression" is no valid CEL: undeclared reference/),
    ]);
  });

  it('checks types against the schemas of the matched kinds', async () => {
    expect(await reported(policy('\n  validations: [{ expression: object.spec.replica < 3 }]'), binding())).toEqual([
      "«.replica» warning vap/replicas CEL: undefined field 'replica' (apps/v1, Kind=Deployment)",
    ]);
  });

  it('follows failurePolicy when an expression fails', async () => {
    const spec = '\n  validations: [{ expression: object.metadata.labels.team == "a" }]';
    expect(await reported(policy(spec), binding(), deployment('replicas: 3'))).toEqual([
      expect.stringContaining('error vap/replicas expression \'object.metadata.labels.team == "a"\' resulted in error'),
    ]);
    const lenient = policy(`\n  failurePolicy: Ignore${spec}`);
    expect(await reported(lenient, binding(), deployment('replicas: 3'))).toEqual([]);
  });

  it('keeps the results of an untouched object and evaluates an edited one again', async () => {
    const files = { 'p.yaml': many(policy(atMost(2)), binding()), 'd.yaml': deployment('replicas: 3') };
    const { host } = await evaluated(engine, files);
    host.apply({ files: [{ uri: 'd.yaml', text: deployment('replicas: 2') }] });
    const changed: string[] = [];
    for await (const { uris } of host.evaluatePolicies(['d.yaml'])) changed.push(...uris);
    expect(changed).toEqual(['d.yaml']);
    expect(
      host
        .analysis()
        .diagnostics('d.yaml')
        .filter(it => it.code === 'vap/replicas'),
    ).toEqual([]);
  });

  it('refuses Pods of a workload where the nodes are known, which placement then reports', async () => {
    const node = `apiVersion: v1
kind: Node
metadata: { name: a }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
`;
    const ofPods = policy('\n  validations: [{ expression: "false", message: no Pods }]')
      .replace('apiGroups: [apps]', 'apiGroups: [""]')
      .replace('resources: [deployments]', 'resources: [pods]');
    const { host } = await evaluated(engine, {
      'p.yaml': many(ofPods, binding(), node),
      'd.yaml': deployment('replicas: 3'),
    });
    const told = host
      .analysis()
      .diagnostics('d.yaml')
      .filter(it => it.code === 'placement/not-admitted');
    expect(told.map(it => it.message)).toEqual([
      expect.stringMatching(
        /^none of the 3 Pods is admitted: .*ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: no Pods$/,
      ),
    ]);
  });

  it('lists the rejected objects at the policy', async () => {
    const text = many(
      policy(atMost(2)),
      binding(),
      deployment('replicas: 3'),
      deployment('replicas: 1', 'name: small'),
    );
    const { host } = await evaluated(engine, { 'a.yaml': text });
    const hover = host.analysis().hover('a.yaml', text.indexOf('name: replicas') + 8);
    expect(hover?.markdown).toContain(
      'Against this policy is one object of the workspace:\n\n- Deployment `default/web`',
    );
    expect(hover?.markdown).not.toContain('small');
  });

  it('is suppressed with a reason, as all problems are', async () => {
    const silenced = deployment('# berth-ignore vap/replicas: a load test\n  replicas: 3');
    expect(await reported(policy(atMost(2)), binding(), silenced)).toEqual([]);
  });
});

describeWithEngine('MutatingAdmissionPolicy', engine => {
  const mutation = (patch: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: team }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - { apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }
  mutations:
    - ${patch}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: team }
spec: { policyName: team }
`;
  const apply = `patchType: ApplyConfiguration
      applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 7}}' }`;
  const jsonPatch = `patchType: JSONPatch
      jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {"team": "a"}}]' }`;

  it.each([
    [apply, 'spec.replicas', 3, 7],
    [jsonPatch, 'metadata.labels', undefined, { team: 'a' }],
  ])('tells what becomes of an object', async (patch, path, before, after) => {
    const text = many(mutation(patch), deployment('replicas: 3'));
    const { host } = await evaluated(engine, { 'a.yaml': text });
    const [preview] = host.analysis().mutations('a.yaml');
    expect(preview?.policy).toBe('team');
    expect(preview?.changes.map(it => [it.at.toString(), it.before, it.after])).toEqual([[path, before, after]]);
    const hover = host.analysis().hover('a.yaml', text.indexOf('Deployment\nmetadata') + 2);
    expect(hover?.markdown).toContain(`+ ${path}: ${JSON.stringify(after)}`);
    const hintsIn = (within?: Span) =>
      host
        .analysis()
        .inlayHints('a.yaml', within)
        .filter(it => it.label.endsWith(' (team)'));
    expect(hintsIn()).toHaveLength(1);
    expect(hintsIn({ start: 0, end: 1 })).toEqual([]);
  });

  it('comes before validation', async () => {
    const files = { 'a.yaml': many(mutation(apply), policy(atMost(5)), binding(), deployment('replicas: 3')) };
    expect((await evaluated(engine, files)).reported).toEqual([
      expect.stringContaining('error vap/replicas too many (policy replicas, binding replicas)'),
    ]);
  });
});
