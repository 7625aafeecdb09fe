import { describe, expect, it } from 'vitest';
import { mutationHints, mutationHover } from '../../../server/src/analysis/features/policies/mutationNotes';
import { loadKube } from '../../../server/src/kube/load';

import { policyProblem } from '../../../server/src/policy/result';
import { snapshotOf } from '../../support/check';
import { kyvernoSetOf } from '../../support/kyvernoSet';
import { readPack } from '../../support/packs';

const kube = loadKube('1.37', {}, readPack);

/**
 * The results and mutations of the policies for the objects of `a.yaml`; `told` are problems, `shown` the mutation
 * previews.
 */
async function evaluated(files: Readonly<Record<string, string>>) {
  const snapshot = snapshotOf(files);
  const set = kyvernoSetOf(snapshot, kube);
  if (set === undefined) throw new Error('there is no policy');
  const { results } = await set.check();
  const objects = set.objects().filter(it => it.manifest.uri === 'a.yaml');
  const answers = await set.evaluate(objects);
  const mutated = answers.flatMap((it, i) => it.mutations.map(more => ({ ...more, object: objects[i]! })));
  return {
    reported: [...results, ...answers.flatMap(it => it.results)].flatMap(it => {
      const problem = policyProblem(it);
      return problem === undefined
        ? []
        : [`${problem.uri}:${problem.fieldPath}: ${problem.severity} ${problem.code}: ${problem.message}`];
    }),
    shown: mutated,
  };
}

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: prod, labels: { app: web } }
spec:
  containers:
    - { name: web, image: nginx, env: [{ name: A, value: '1' }], args: [x] }
`;

const policy = (
  kind: string,
  spec: string,
  resource = 'pods',
  group = '""',
): string => `apiVersion: policies.kyverno.io/v1
kind: ${kind}
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [${group}], apiVersions: [v1], operations: [CREATE], resources: [${resource}] }]
${spec.replace(/^/gm, '  ')}
`;

const applied = (expression: string): string =>
  policy(
    'MutatingPolicy',
    `mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: ${JSON.stringify(expression)} } }]`,
  );

const changesOf = async (file: string, object = pod) => {
  const { shown, reported } = await evaluated({ 'a.yaml': object, 'p.yaml': file });
  return { told: reported, changes: shown.flatMap(it => it.changes.map(({ at, after }) => [at.toString(), after])) };
};

describe('Variables of a policy', () => {
  const validating = (variables: string, expression: string) =>
    policy('ValidatingPolicy', `variables: [${variables}]\nvalidations: [{ expression: '${expression}' }]`);

  it('that depend on each other are an error', async () => {
    const circle = validating(
      '{ name: a, expression: variables.b + 1 }, { name: b, expression: variables.a + 1 }',
      'variables.a == 1',
    );
    const { reported: told } = await evaluated({ 'a.yaml': pod, 'p.yaml': circle });
    expect(told).toEqual([expect.stringContaining("undefined field 'a': the variable needs itself")]);
  });

  it('with the same name are the later one', async () => {
    const twice = validating('{ name: a, expression: "1" }, { name: a, expression: "2" }', 'variables.a == 2');
    expect((await evaluated({ 'a.yaml': pod, 'p.yaml': twice })).reported).toEqual([]);
  });
});

describe('a MutatingPolicy', () => {
  it('merges lists by their merge keys', async () => {
    const image =
      'Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, image: "reg/" + c.image, env: [Object.spec.containers.env{name: "B", value: "2"}]})}}';
    expect(await changesOf(applied(image))).toEqual({
      told: [],
      changes: [
        ['spec.containers[0].image', 'reg/nginx'],
        ['spec.containers[0].env[1]', { name: 'B', value: '2' }],
      ],
    });
  });

  it('omits optional fields without a value', async () => {
    const optional = 'Object{spec: Object.spec{?hostname: optional.of("h"), ?nodeName: object.spec.?nodeName}}';
    expect((await changesOf(applied(optional))).changes).toEqual([['spec.hostname', 'h']]);
  });

  it.each([
    [
      'Object{spec: Object.spec{containers: [Object.spec.containers{name: "web", args: ["y"]}]}}',
      'may not mutate atomic arrays, maps or structs: .spec.containers[0].args',
    ],
    ['Object{spec: Object.spec{nodeSelector: {"a": "b"}}}', 'atomic arrays, maps or structs: .spec.nodeSelector'],
    ['Object{spec: Object.spec{hostNam: "x"}}', '.spec.hostNam: field not declared in schema'],
    ['Object{spec: Object.wrong{}}', 'type mismatch: unexpected type name "Object.wrong", expected "Object.spec"'],
  ])('fails where the API server does: %s', async (expression, reason) => {
    const { told, changes } = await changesOf(applied(expression));
    expect(changes).toEqual([]);
    expect(told).toEqual([expect.stringContaining(reason)]);
    expect(told[0]).toMatch(/^a\.yaml:kind: error kyverno\/p: failed to evaluate policy: /);
  });

  it('applies JSON patches strictly: nothing is created or ignored', async () => {
    const patch = (operations: string) =>
      policy(
        'MutatingPolicy',
        `mutations: [{ patchType: JSONPatch, jsonPatch: { expression: ${JSON.stringify(operations)} } }]`,
      );
    const escaped = '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "c"}]';
    expect((await changesOf(patch(escaped))).changes).toEqual([['metadata.labels.a/b', 'c']]);
    const tested =
      '[JSONPatch{op: "test", path: "/spec/hostname", value: "x"}, JSONPatch{op: "remove", path: "/spec"}]';
    expect((await changesOf(patch(tested))).changes).toEqual([]);
    const parentless = '[JSONPatch{op: "add", path: "/metadata/annotations/a", value: "b"}]';
    expect((await changesOf(patch(parentless))).told[0]).toContain('doc is missing path: "/metadata/annotations/a"');
  });

  it('applies to the templates of controllers', async () => {
    const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: prod }
spec:
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: nginx }] } }
`;
    const label = 'Object{spec: Object.spec{hostname: object.metadata.labels.app}}';
    expect((await changesOf(applied(label), deployment)).changes).toEqual([['spec.template.spec.hostname', 'web']]);
  });

  it('shows the changes of existing objects that a trigger causes', async () => {
    const config = (name: string, kind: string) =>
      `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: prod }\n`;
    const existing = policy(
      'MutatingPolicy',
      `evaluation: { mutateExisting: { enabled: true } }
targetMatchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps] }] }
targetMatchConditions: [{ name: own, expression: 'object.metadata.name.startsWith("own")' }]
mutations: [{ patchType: ApplyConfiguration, applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"seen": "yes"}}}' } }]`,
      'secrets',
    );
    const { shown } = await evaluated({
      'a.yaml': config('s', 'Secret'),
      'b.yaml': `${config('own', 'ConfigMap')}---\n${config('other', 'ConfigMap')}`,
      'p.yaml': existing,
    });
    expect(shown).toMatchObject([
      { affectedObject: { kind: 'ConfigMap', name: 'prod/own' }, changes: [{ after: { seen: 'yes' } }] },
    ]);
    const hint = '→ changes ConfigMap prod/own (p)';
    expect(mutationHints(shown).map(it => it.label)).toEqual([hint]);
    const many = shown.flatMap(it => Array(22).fill(it));
    expect(mutationHints(many).map(it => it.label)).toEqual([...Array(20).fill(hint), '→ 2 more changes']);
  });
});

describe('a GeneratingPolicy', () => {
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: team }\n';

  it('shows the created objects, whole, at their trigger', async () => {
    const generated = policy(
      'GeneratingPolicy',
      `variables: [{ name: ns, expression: object.metadata.name }]
generate:
  - expression: 'generator.Apply(variables.ns, [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "made"}, "data": {"n": "1"}}])'`,
      'namespaces',
    );
    const { shown, reported: told } = await evaluated({ 'a.yaml': namespace, 'p.yaml': generated });
    expect(told).toEqual([]);
    const made = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'made', namespace: 'team' },
      data: { n: '1' },
    };
    expect(shown).toMatchObject([
      { kind: 'GeneratingPolicy', policy: 'p', affectedObject: { name: 'team/made', made } },
    ]);
    expect(mutationHints(shown).map(it => it.label)).toEqual(['→ makes ConfigMap team/made (p)']);
    expect(mutationHover(shown, namespace.indexOf('Namespace'))?.markdown).toContain(
      'GeneratingPolicy **p** makes ConfigMap `team/made` because of this one:\n\n```yaml\napiVersion: v1',
    );
    const many = shown.flatMap(it => Array(22).fill(it));
    expect(mutationHover(many, namespace.indexOf('Namespace'))?.markdown).toMatch(/```\n\n… and 2 more changes$/);
  });

  it('fills templates, in which a placeholder may be a whole value', async () => {
    const template = `generate:
  - template:
      interpolate: cel
      value: |
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: 'cm-(( object.metadata.name ))', namespace: x, labels: '(( {"a": string(1 + 1)} ))' }
        data: { text: '\\(( (( ")" )) ' }`;
    const { shown } = await evaluated({
      'a.yaml': namespace,
      'p.yaml': policy('GeneratingPolicy', template, 'namespaces'),
    });
    expect(shown[0]?.affectedObject?.made).toMatchObject({
      metadata: { name: 'cm-team', namespace: 'x', labels: { a: '2' } },
      data: { text: '(( ) ' },
    });
  });
});

describe('policies that delete on a schedule', () => {
  it('are reported at the objects that the next run deletes', async () => {
    const deleting = policy(
      'DeletingPolicy',
      `schedule: '0 1 * * *'\nconditions: [{ name: c, expression: 'object.metadata.labels.app == "web"' }]`,
    );
    const cleanup = `apiVersion: kyverno.io/v2
kind: ClusterCleanupPolicy
metadata: { name: c }
spec:
  schedule: '*/5 * * * *'
  match: { any: [{ resources: { kinds: [Pod] } }] }
  conditions: { all: [{ key: '{{ length(target.spec.containers) }}', operator: LessThan, value: 2 }] }
`;
    const of = async (object: string) =>
      (await evaluated({ 'a.yaml': object, 'p.yaml': deleting, 'c.yaml': cleanup })).reported;
    expect(await of(pod)).toEqual([
      'a.yaml:kind: info kyverno/c: ClusterCleanupPolicy c deletes this object when it next runs (schedule "*/5 * * * *").',
      'a.yaml:kind: info kyverno/p: DeletingPolicy p deletes this object when it next runs (schedule "0 1 * * *").',
    ]);
    expect(await of(`${pod.replace('app: web', 'app: api')}    - { name: second, image: nginx }\n`)).toEqual([]);
  });
});

describe('policies that need a registry', () => {
  const rule = (fields: string) => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: images }
spec:
  rules:
    - name: r
      match: { any: [{ resources: { kinds: [Pod] } }] }
      verifyImages: [{ imageReferences: ['docker.io/*'], mutateDigest: false, ${fields} }]
`;
  const signed = 'attestors: [{ entries: [{ keys: { publicKeys: k8s://kyverno/key } }] }]';
  const digest = `nginx@sha256:${'a'.repeat(64)}`;
  const ofPod = async (fields: string, image = 'nginx') => {
    const { reported: told } = await evaluated({ 'a.yaml': pod.replace('nginx', image), 'p.yaml': rule(fields) });
    return told.filter(it => it.startsWith('a.yaml'));
  };

  it('are evaluated as far as no registry is needed, and never pass', async () => {
    const at = 'a.yaml:spec.containers[0].image: warning kyverno/images:';
    expect(await ofPod(signed)).toEqual([`${at} missing digest for docker.io/nginx:latest`]);
    expect(await ofPod(signed, digest)).toEqual([]);
    expect(await ofPod('required: true', digest)).toEqual([`${at} unverified image docker.io/${digest}`]);
    expect(await ofPod('required: false', digest)).toEqual([]);
    expect(await ofPod(`${signed}, skipImageReferences: ['*nginx*']`)).toEqual([]);
    const set = kyvernoSetOf(snapshotOf({ 'a.yaml': pod.replace('nginx', digest), 'p.yaml': rule(signed) }), kube);
    const [answer] = (await set?.evaluate(set.objects())) ?? [];
    expect(answer?.results).toMatchObject([{ outcome: 'skip', message: expect.stringMatching(/^Not decided here: /) }]);
  });

  it('are reported once, at the policy, with what Kyverno rejects in it', async () => {
    const { reported: told } = await evaluated({
      'a.yaml': pod,
      'p.yaml': rule('attestors: [{ entries: [{ keys: {} }] }]').replace('mutateDigest: false, ', ''),
    });
    const at = 'p.yaml:spec.rules[0].verifyImages[0]';
    expect(told.filter(it => it.startsWith('p.yaml'))).toEqual([
      expect.stringContaining(`${at}: error kyverno/policy-refused: Kyverno refuses this policy: \`mutateDigest\``),
      expect.stringContaining(`${at}.attestors[0].entries[0].keys: error kyverno/policy-refused`),
      expect.stringContaining(`${at}: info kyverno/policy-undecided: Signatures and attestations are not checked here`),
    ]);
  });

  it('report missing digests for an ImageValidatingPolicy, and leave the rest undecided', async () => {
    const images = (fields: string) =>
      policy(
        'ImageValidatingPolicy',
        `matchImageReferences: [{ glob: 'nginx*' }]
validationConfigurations: ${fields}
validations: [{ expression: 'images.containers.all(i, verifyImageSignatures(i, [attestors.a]) > 0)' }]`,
      );
    const told = async (fields: string) => (await evaluated({ 'a.yaml': pod, 'p.yaml': images(fields) })).reported;
    const note = expect.stringContaining('p.yaml:spec.validations: info kyverno/policy-undecided');
    expect(await told('{ mutateDigest: false }')).toEqual([
      note,
      'a.yaml:spec.containers[0].image: error kyverno/p: image nginx does not have a digest',
    ]);
    expect(await told('{}')).toEqual([note]);
  });
});

describe('rules of ClusterPolicies for other objects', () => {
  const clusterPolicy = (body: string) => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: c }
spec:
  rules:
    - name: r
      match: { any: [{ resources: { kinds: [Pod] } }] }
${body.replace(/^/gm, '      ')}
`;

  it('show what each iteration of a generate loop creates', async () => {
    const loop = `generate:
  foreach:
    - { list: 'request.object.spec.containers[].name', apiVersion: v1, kind: ConfigMap, name: 'for-{{ element }}', namespace: prod, data: { data: { i: 'n{{ elementIndex }}' } } }`;
    const { shown } = await evaluated({ 'a.yaml': pod, 'p.yaml': clusterPolicy(loop) });
    expect(shown.map(it => it.affectedObject?.made)).toMatchObject([
      { metadata: { name: 'for-web' }, data: { i: 'n0' } },
    ]);
  });

  it('show the existing objects that they would change', async () => {
    const targets = `mutate:
  targets: [{ apiVersion: v1, kind: ConfigMap, namespace: prod, name: 'c*', preconditions: { all: [{ key: '{{ target.data.wanted }}', operator: Equals, value: 'yes' }] } }]
  patchStrategicMerge: { data: { from: '{{ request.object.metadata.name }}' } }`;
    const config = (name: string, wanted: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: prod }\ndata: { wanted: '${wanted}' }\n`;
    const { shown } = await evaluated({
      'a.yaml': pod,
      'b.yaml': [config('c1', 'yes'), config('c2', 'no'), config('x', 'yes')].join('---\n'),
      'p.yaml': clusterPolicy(targets),
    });
    expect(shown).toMatchObject([
      { affectedObject: { kind: 'ConfigMap', name: 'prod/c1' }, changes: [{ after: 'web' }] },
    ]);
  });

  it('report an assertion tree as not evaluated', async () => {
    const { reported: told } = await evaluated({
      'a.yaml': pod,
      'p.yaml': clusterPolicy('validate: { assert: { all: [{ check: { spec: { hostNetwork: true } } }] } }'),
    });
    expect(told).toEqual([
      expect.stringContaining('p.yaml:spec.rules[0].validate.assert: warning kyverno/policy-ineffective'),
    ]);
  });
});

describe('expressions of policies', () => {
  it.each([
    ['sha256("a").startsWith("ca978112")', 'true'],
    ['hash.md5("a") == "0cc175b9c0f1b6a831c399e269772661"', 'true'],
    ['json.unmarshal(\'{"a": [1, 2]}\').a[1] == 2', 'true'],
    ['yaml.parse("a: { b: c }").a.b == "c"', 'true'],
    ['parseServiceAccount("system:serviceaccount:a:b").Name == "b"', 'true'],
    ['listObjToMap([{"k": "a"}], [{"v": "b"}], "k", "v")["a"] == "b"', 'true'],
    ["regex.replace('docker.io/x', '^docker\\\\.io/(.*)', 'm/\\\\1') == 'm/x'", 'true'],
    ["regex.replace('aaa', '(?i:A)', 'b', 2) == 'bba'", 'true'],
    ["regex.extract('v1.2.3', 'v([0-9]+)').value() == '1'", 'true'],
    ["!regex.extract('latest', 'v([0-9]+)').hasValue()", 'true'],
    ["regex.extractAll('a=1,b=,c=2', '[a-z]=([0-9]*)') == ['1', '2']", 'true'],
    ['time.toCron(timestamp("2024-01-02T03:04:05Z")) == "4 3 2 1 2"', 'true'],
    ['http.Get("https://example.com") == ""', 'undecided'],
    ['random() == ""', 'undecided'],
  ])('%s is %s', async (expression, answer) => {
    const file = policy('ValidatingPolicy', `validations: [{ expression: ${JSON.stringify(`!(${expression})`)} }]`);
    const { reported: told } = await evaluated({ 'a.yaml': pod, 'p.yaml': file });
    expect(told).toHaveLength(answer === 'true' ? 1 : 0);
  });

  it('are checked in every kind of policy, with plain messages for object literals', async () => {
    const { reported: told } = await evaluated({ 'a.yaml': pod, 'p.yaml': applied('Object{spec: nobody}') });
    expect(told[0]).toMatch(
      /^p\.yaml:spec\.mutations\[0\]\.applyConfiguration\.expression: error kyverno\/policy-refused: .*undeclared reference to 'nobody' \(in container ''\)$/,
    );
  });
});
