import { expect, it } from 'vitest';
import type { PolicyEngine } from '../../server/src/policy/engine/engine';
import { definitionOf } from '../support/definition';
import { describeWithEngine, evaluated, withCalls } from './withEngine';

interface Mutating {
  readonly name: string;
  readonly patch: string;
  readonly reinvocationPolicy?: string;
  /** Further fields of `matchConstraints`. */
  readonly match?: string;
  readonly resources?: string;
  readonly more?: string;
}

const mutating = ({ name, patch, reinvocationPolicy = 'Never', match = '', resources, more = '' }: Mutating) => `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  reinvocationPolicy: ${reinvocationPolicy}
  ${more}
  matchConstraints:
    ${match}
    resourceRules: [${resources ?? '{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }'}]
  mutations: [${patch}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name} }
`;
const apply = (expression: string) =>
  `{ patchType: ApplyConfiguration, applyConfiguration: { expression: ${JSON.stringify(expression)} } }`;
const patch = (expression: string) =>
  `{ patchType: JSONPatch, jsonPatch: { expression: ${JSON.stringify(expression)} } }`;
const validating = (expression: string, resources: string) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: seen }
spec:
  matchConstraints: { resourceRules: [${resources}] }
  validations: [{ expression: ${JSON.stringify(expression)}, message: refused }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: seen }
spec: { policyName: seen, validationActions: [Deny] }
`;
const PODS = '{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }';
const pod = (labels = 'app: web') => `
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { ${labels} } }
spec: { containers: [{ name: web, image: web:1 }] }
`;
const gadgets = definitionOf(`          properties:
            spec:
              type: object
              properties:
                parts:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties: { name: { type: string }, count: { type: integer } }
`);
const gadget = `
apiVersion: example.com/v1
kind: Gadget
metadata: { name: a, namespace: b }
spec: { parts: [{ name: o, count: 1 }] }
`;
const label = (name: string, value: string) =>
  apply(`Object{metadata: Object.metadata{labels: {'${name}': ${value}}}}`);
const count = "string(size(object.metadata.?labels.orValue({'':''})))";

async function previewed(engine: PolicyEngine, ...documents: readonly string[]) {
  const { host, reported } = await evaluated(engine, { 'a.yaml': documents.join('\n---\n') });
  const changes = host
    .analysis()
    .mutations('a.yaml')
    .map(
      it =>
        `${it.policy}${it.isAgain ? ' again' : ''}: ${it.changes.map(({ at, after }) => `${at}=${JSON.stringify(after)}`)}`,
    );
  return { changes, reported: reported.map(it => it.replace(/^a\.yaml:\d+:\d+ /, '')) };
}

describeWithEngine('Mutating policies', engine => {
  it('are called in the order of their bindings, each with the result of those before it', async () => {
    const first = mutating({ name: 'first', patch: label('first', count) });
    const second = mutating({ name: 'second', patch: label('second', count) });
    expect((await previewed(engine, first, second, pod())).changes).toEqual([
      'first: metadata.labels.first="1"',
      'second: metadata.labels.second="2"',
    ]);
    expect((await previewed(engine, second, first, pod())).changes).toEqual([
      'second: metadata.labels.second="1"',
      'first: metadata.labels.first="2"',
    ]);
  });

  it('may read the user, of whom the server always knows a name and groups', async () => {
    const owned = mutating({ name: 'owned', patch: label('owner', 'request.userInfo.username') });
    const refusing = mutating({ name: 'refusing', patch: label('owner', 'request.userInfo.extra["team"][0]') });
    expect(await previewed(engine, owned, pod())).toEqual({
      changes: ['owned: metadata.labels.owner="unknown-user"'],
      reported: [],
    });
    expect((await previewed(engine, refusing, pod())).reported).toEqual([
      expect.stringMatching(
        / error vap\/refusing .*This may rest on who makes the request, which is not known here\.$/,
      ),
    ]);
  });

  it('are called again after others only if they request it', async () => {
    const again = mutating({ name: 'again', patch: label('again', count), reinvocationPolicy: 'IfNeeded' });
    const once = mutating({ name: 'once', patch: label('once', count) });
    expect((await previewed(engine, again, once, pod())).changes).toEqual([
      'again: metadata.labels.again="1"',
      'once: metadata.labels.once="2"',
      'again again: metadata.labels.again="3"',
    ]);
    const idle = mutating({ name: 'idle', patch: label('app', "'web'") });
    const settled = mutating({ name: 'settled', patch: label('app', "'web'"), reinvocationPolicy: 'IfNeeded' });
    expect((await previewed(engine, settled, idle, pod())).changes).toEqual([]);
  });

  it('select objects as they were created, not as others have changed them', async () => {
    const first = mutating({ name: 'first', patch: label('tier', "'gold'") });
    const match = 'objectSelector: { matchLabels: { tier: gold } }';
    const second = mutating({ name: 'second', patch: label('second', count), match });
    expect((await previewed(engine, first, second, pod())).changes).toEqual(['first: metadata.labels.tier="gold"']);
    expect((await previewed(engine, second, pod('tier: gold'))).changes).toEqual([
      'second: metadata.labels.second="1"',
    ]);
  });

  it('see a Job before the server makes its selector and labels, which validating policies see', async () => {
    const resources = '{ apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs] }';
    const job = `
apiVersion: batch/v1
kind: Job
metadata: { name: sweep }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: b }] } } }
`;
    const has = label('has', 'string(has(object.spec.selector) || has(object.metadata.labels))');
    const renamed = patch('[JSONPatch{op: "replace", path: "/metadata/name", value: "other"}]');
    const seen = validating(
      "object.metadata.labels == {'has': 'false'} && object.spec.template.metadata.labels['job-name'] == 'other'",
      resources,
    );
    const told = await previewed(
      engine,
      mutating({ name: 'has', patch: has, resources }),
      mutating({ name: 'renamed', patch: renamed, resources }),
      seen,
      job,
    );
    expect(told).toEqual({
      changes: ['has: metadata.labels={"has":"false"}', 'renamed: metadata.name="other"'],
      reported: [],
    });
  });

  it('add an item without its key, which is then empty, and the server refuses that', async () => {
    const nameless = apply("Object{spec: Object.spec{containers: [Object.spec.containers{image: 'x'}]}}");
    const told = await previewed(
      engine,
      mutating({ name: 'add', patch: nameless, more: 'failurePolicy: Ignore' }),
      pod(),
    );
    expect(told.changes).toEqual([expect.stringContaining('add: spec.containers[1]=')]);
    expect(told.reported).toEqual([expect.stringContaining('refuses what MutatingAdmissionPolicy add makes')]);
  });

  it('patch fields of custom resources by the schema of their definition', async () => {
    const resources = '{ apiGroups: [example.com], apiVersions: ["*"], operations: [CREATE], resources: [gadgets] }';
    const part = apply('Object{spec: Object.spec{parts: [Object.spec.parts{name: "p", count: 2}]}}');
    const told = await previewed(engine, gadgets, mutating({ name: 'part', patch: part, resources }), gadget);
    expect(told).toEqual({ changes: ['part: spec.parts[1]={"count":2,"name":"p"}'], reported: [] });
  });

  it('see no empty labels of a custom resource', async () => {
    const resources = '{ apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [gadgets] }';
    const has = apply("Object{metadata: Object.metadata{annotations: {'has': string(has(object.metadata.labels))}}}");
    const empty = gadget.replace('namespace: b', 'namespace: b, labels: {}');
    const { changes } = await previewed(engine, gadgets, mutating({ name: 'has', patch: has, resources }), empty);
    expect(changes).toEqual(['has: metadata.annotations={"has":"false"}']);
  });

  it('leave defaults to the server, which sets them before validation', async () => {
    const sidecar = mutating({
      name: 'sidecar',
      patch: patch(
        '[JSONPatch{op: "add", path: "/spec/containers/-", value: Object.spec.containers{name: "side", image: "side:1"}}]',
      ),
    });
    const isDefaulted = "object.spec.containers.all(c, c.imagePullPolicy == 'IfNotPresent')";
    expect((await previewed(engine, sidecar, validating(isDefaulted, PODS), pod())).reported).toEqual([]);
    const two = validating('object.spec.containers.size() == 1', PODS);
    expect((await previewed(engine, sidecar, two, pod())).reported).toEqual([
      '«containers: [{ name: web, image: web:1 }]» error vap/seen refused (policy seen, binding seen)',
    ]);
  });

  it('see the object as the server decodes it, after its own plugins', async () => {
    const said = (name: string, expression: string) => mutating({ name, patch: label(name, expression) });
    const policies = [
      said('priority', 'string(object.spec.priority)'),
      said('tolerations', 'string(object.spec.tolerations.size())'),
      said('status', "has(object.status) ? 'yes' : 'no'"),
      said('resources', "has(object.spec.containers[0].resources) ? 'yes' : 'no'"),
      said('memory', "object.spec.containers[0].?resources.limits['memory'].orValue('none')"),
    ];
    const limits = `apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, default: { memory: 1Gi } }] }
`;
    expect((await previewed(engine, ...policies, pod(), limits)).changes).toEqual([
      'priority: metadata.labels.priority="0"',
      'tolerations: metadata.labels.tolerations="2"',
      'status: metadata.labels.status="yes"',
      'resources: metadata.labels.resources="yes"',
      'memory: metadata.labels.memory="1Gi"',
    ]);
  });

  it('are told that a LimitRange refuses what they made, once the Pod is valid', async () => {
    const limits = `apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, max: { memory: 1Gi } }] }
`;
    const of = (name: string, memory: string) =>
      mutating({
        name,
        patch: patch(
          `[JSONPatch{op: "add", path: "/spec/containers/0/resources", value: {"limits": {"memory": "${memory}"}}}]`,
        ),
      });
    expect((await previewed(engine, of('small', '512Mi'), pod(), limits)).reported).toEqual([]);
    const { reported } = await previewed(
      engine,
      of('large', '2Gi'),
      mutating({ name: 'mark', patch: label('x', '"y"') }),
      pod(),
      limits,
    );
    expect(reported).toEqual([
      expect.stringMatching(
        /The API server refuses what .*large.* maximum memory usage per Container is 1Gi, but limit is 2Gi/,
      ),
    ]);
  });

  it('see the defaults of what an earlier patch added', async () => {
    const sidecar = apply(
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "side", image: "side:1"}]}}',
    );
    const policies = "object.spec.containers.map(c, c.?imagePullPolicy.orValue('none')).join('-')";
    const both = mutating({ name: 'both', patch: `${sidecar}, ${label('pull', policies)}` });
    const { changes } = await previewed(engine, both, pod());
    expect(changes[0]).toContain('metadata.labels.pull="IfNotPresent-IfNotPresent"');
  });

  it('find an item of a list by the default of its key', async () => {
    const port =
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "web", ports: [Object.spec.containers.ports{containerPort: 80, name: "http"}]}]}}';
    const named = mutating({ name: 'named', patch: apply(port) });
    const listening = pod().replace('image: web:1', 'image: web:1, ports: [{ containerPort: 80 }]');
    expect((await previewed(engine, named, listening)).changes).toEqual([
      'named: spec.containers[0].ports[0].name="http"',
    ]);
  });

  it.each([
    [
      'a field that the kind does not have',
      patch('[JSONPatch{op: "add", path: "/spec/foo", value: 1}]'),
      'Internal error occurred: strict decoding error: unknown field "spec.foo"',
    ],
    [
      'a value of another type',
      patch('[JSONPatch{op: "add", path: "/metadata/labels/x", value: 1}]'),
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a part of an atomic map',
      apply('Object{spec: Object.spec{nodeSelector: {"disk": "ssd"}}}'),
      'may not mutate atomic arrays, maps or structs: .spec.nodeSelector',
    ],
    [
      'a part of an atomic struct',
      apply('Object{spec: Object.spec{imagePullSecrets: [Object.spec.imagePullSecrets{name: "reg"}]}}'),
      'may not mutate atomic arrays, maps or structs: .spec.imagePullSecrets[0]',
    ],
    [
      'what validation refuses',
      patch('[JSONPatch{op: "add", path: "/spec/dnsPolicy", value: "Nowhere"}]'),
      'The API server refuses what MutatingAdmissionPolicy wrong makes of this object — Pod "web" is invalid: spec.dnsPolicy: Unsupported value: "Nowhere"',
    ],
    [
      "a class whose priority is not the Pod's",
      patch('[JSONPatch{op: "add", path: "/spec/priorityClassName", value: "system-node-critical"}]'),
      'the integer value of priority (0) must not be provided in pod spec; priority admission controller computed 2000001000',
    ],
  ])('cannot set %s', async (_, change, message) => {
    const { reported } = await previewed(engine, mutating({ name: 'wrong', patch: change }), pod());
    expect(reported).toEqual([expect.stringContaining(message)]);
    expect(reported[0]).toMatch(/^«Pod» error vap\/wrong /);
  });

  it('see the defaults of what each of those before them left, in time that grows with their number', async () => {
    const containers = 'Object{spec: Object.spec{containers: [Object.spec.containers{name: NAME, image: "a:1"}]}}';
    const defaulted =
      'object.metadata.?labels.orValue({"": ""}).size() + object.spec.containers.filter(it, has(it.terminationMessagePath)).size()';
    const policies = Array.from({ length: 10 }, (_, i) => {
      const [add, see] = [
        apply(containers.replace('NAME', `"added-${i}"`)),
        label(`seen-${i}`, `string(${defaulted})`),
      ];
      return mutating({ name: `many-${i}`, patch: `${add}, ${see}` });
    });
    const { calls, ...counting } = withCalls(engine);
    const { changes } = await previewed(counting.engine, ...policies, pod());
    expect(changes).toHaveLength(10);
    expect(changes.at(-1)).toContain('metadata.labels.seen-9="21"');
    expect(calls.filter(it => it.op === 'admit')).toHaveLength(1);
    expect(calls.filter(it => it.op === 'resume')).toHaveLength(19);
  });

  it('are given up where they wait for defaults when they are released', async () => {
    const { calls, ...recording } = withCalls(engine);
    await previewed(recording.engine, ...['a', 'b'].map(name => mutating({ name, patch: label(name, count) })), pod());
    const again = async (op: string, more = {}) => {
      const request = calls.find(it => it.op === op) ?? expect.unreachable();
      return (await engine.call({ ...request, ...more })) as { readonly handle: number; readonly session?: number };
    };
    const { handle } = await again('loadPolicies');
    const { session } = await again('admit', { handle });
    expect(session).toBeDefined();
    await engine.call({ op: 'release', handle });
    await expect(again('resume', { handle: session })).rejects.toThrow('evaluations wait');
  });

  it('that fail are reported by name, and end the request before validation', async () => {
    const good = mutating({ name: 'good', patch: label('good', count) });
    const bad = mutating({ name: 'bad', patch: label('bad', 'object.spec.nodeName') });
    const { reported } = await previewed(engine, good, bad, validating('false', PODS), pod());
    expect(reported).toEqual([
      expect.stringMatching(
        /^«Pod» error vap\/bad policy 'bad' with binding 'bad' denied request: .*no such key: nodeName/,
      ),
    ]);
    const lenient = mutating({
      name: 'bad',
      patch: label('bad', 'object.spec.nodeName'),
      more: 'failurePolicy: Ignore',
    });
    expect(await previewed(engine, good, lenient, pod())).toEqual({
      changes: ['good: metadata.labels.good="1"'],
      reported: [],
    });
  });
});

const AUTOSCALERS = (version: string) =>
  `{ apiGroups: [autoscaling], apiVersions: [${version}], operations: [CREATE], resources: [horizontalpodautoscalers] }`;
const autoscaler = (version: string, spec: string) => `
apiVersion: autoscaling/${version}
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, maxReplicas: 5, ${spec} }
`;

describeWithEngine('Policies about another version of an object', engine => {
  const refused = async (version: string, expression: string, object: string) =>
    (await previewed(engine, validating(expression, AUTOSCALERS(version)), object)).reported;

  it('see it converted, as matchPolicy Equivalent wants', async () => {
    const old = autoscaler('v1', 'targetCPUUtilizationPercentage: 70');
    const cpu =
      "object.apiVersion == 'autoscaling/v2' && object.spec.metrics.exists(m, m.resource.name == 'cpu' && m.resource.target.type == 'Utilization' && m.resource.target.averageUtilization == 70)";
    expect(await refused('v2', cpu, old)).toEqual([]);
    expect(await refused('v2', `!(${cpu})`, old)).toHaveLength(1);
    const metrics =
      'metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 60 } } }, { type: Pods, pods: { metric: { name: hits }, target: { type: AverageValue, averageValue: 5 } } }]';
    const annotation =
      "object.spec.targetCPUUtilizationPercentage == 60 && object.metadata.annotations['autoscaling.alpha.kubernetes.io/metrics'].contains('hits')";
    expect(await refused('v1', annotation, autoscaler('v2', metrics))).toEqual([]);
    expect(await refused('v1', `!(${annotation})`, autoscaler('v2', metrics))).toHaveLength(1);
  });

  it('see an old version as it is written, with its defaults', async () => {
    const usual =
      'object.spec.targetCPUUtilizationPercentage == 80 && object.spec.minReplicas == 1 && !has(dyn(object).spec.metrics)';
    expect(await refused('v1', usual, autoscaler('v1', 'minReplicas: 1'))).toEqual([]);
    expect(await refused('v1', `!(${usual})`, autoscaler('v1', 'minReplicas: 1'))).toHaveLength(1);
  });

  it('change it in its own version', async () => {
    const policy = mutating({
      name: 'most',
      patch: apply('Object{spec: Object.spec{maxReplicas: 3}}'),
      resources: AUTOSCALERS('v2'),
    });
    const { changes } = await previewed(engine, policy, autoscaler('v1', 'targetCPUUtilizationPercentage: 70'));
    expect(changes).toEqual(['most: spec.maxReplicas=3']);
  });

  it('are not called when they match exactly', async () => {
    const exact = validating('false', AUTOSCALERS('v2')).replace('resourceRules', 'matchPolicy: Exact, resourceRules');
    expect((await previewed(engine, exact, autoscaler('v1', 'minReplicas: 1'))).reported).toEqual([]);
  });
});
