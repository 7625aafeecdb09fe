import { expect, it } from 'vitest';
import { describeWithEngine, evaluated } from './withEngine';

const template = (body: string, annotations = '') => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: needslabel${annotations} }
spec:
  crd:
    spec:
      names: { kind: NeedsLabel }
      validation: { openAPIV3Schema: { type: object, properties: { label: { type: string } } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
${body}`;
const needsLabel = template(`      rego: |
        package needslabel
        violation[{"msg": msg}] {
          not input.review.object.metadata.labels[input.parameters.label]
          msg := sprintf("needs the label %v", [input.parameters.label])
        }`);
const constraint = (match: string, more = '') => `
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NeedsLabel
metadata: { name: team }
spec: { match: { ${match} }, parameters: { label: team }${more} }
`;
const pods = 'kinds: [{ apiGroups: [""], kinds: [Pod] }]';
const pod = (metadata: string) =>
  `\napiVersion: v1\nkind: Pod\nmetadata: { ${metadata} }\nspec: { containers: [{ name: web, image: web:1 }] }\n`;
const namespace = (name: string, labels = '') =>
  `\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, labels: { ${labels} } }\n`;
const config = (spec: string) => `
apiVersion: config.gatekeeper.sh/v1alpha1
kind: Config
metadata: { name: config, namespace: gatekeeper-system }
spec: { ${spec} }
`;
const assign = (name: string, location: string, value: string, more = '') => `
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: { name: ${name} }
spec:
  applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }]
  location: '${location}'
  parameters: { assign: ${value} }
${more}`;
const setLabel = `
apiVersion: mutations.gatekeeper.sh/v1
kind: AssignMetadata
metadata: { name: owner }
spec:
  location: metadata.labels.team
  parameters: { assign: { value: web } }
`;

describeWithEngine('Gatekeeper’s webhooks', engine => {
  const files = (documents: readonly string[]) => ({ 'a.yaml': documents.join('\n---\n') });
  const reported = async (...documents: readonly string[]) =>
    (await evaluated(engine, files(documents))).reported.map(it => it.replace(/^a\.yaml:\d+:\d+ /, ''));
  /** The objects that violate the constraint. */
  const rejected = async (...documents: readonly string[]) => {
    const { host } = await evaluated(engine, files(documents));
    const found = host.analysis().diagnostics('a.yaml');
    return found.filter(it => it.code === 'gatekeeper/NeedsLabel').map(it => it.object?.name);
  };
  const changes = async (...documents: readonly string[]) => {
    const { host } = await evaluated(engine, files(documents));
    return host
      .analysis()
      .mutations('a.yaml')
      .map(({ kind, policy, changes: made }) => [
        `${kind} ${policy}`,
        ...made.map(({ at, before, after }) => `${at}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`),
      ]);
  };

  it.each<readonly [match: string, who: readonly string[]]>([
    [pods, ['a', 'b', 'c', 'd']],
    ['namespaces: [prod-*]', ['a', 'b', 'prod-eu']],
    ['namespaces: ["*-eu"]', ['a', 'c', 'prod-eu']],
    [`${pods}, excludedNamespaces: [prod-us, "test*"]`, ['a', 'd']],
    [`${pods}, labelSelector: { matchLabels: { app: one } }`, ['a', 'c']],
    [`${pods}, namespaceSelector: { matchLabels: { tier: gold } }`, ['a']],
    [`${pods}, namespaceSelector: { matchExpressions: [{ key: tier, operator: DoesNotExist }] }`, ['b', 'c', 'd']],
    [`${pods}, namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: default } }`, ['d']],
    ['scope: Cluster', ['prod-eu']],
    ['scope: Namespaced', ['a', 'b', 'c', 'd']],
    [`${pods}, name: "a*"`, ['a']],
    [`${pods}, source: Generated`, []],
    ['kinds: [{ apiGroups: [apps], kinds: ["*"] }]', []],
  ])('matches %s', async (match, who) => {
    const objects = [
      namespace('prod-eu', 'tier: gold'),
      pod('name: a, namespace: prod-eu, labels: { app: one }'),
      pod('name: b, namespace: prod-us'),
      pod('name: c, namespace: test-eu, labels: { app: one }'),
      pod('name: d'),
    ];
    expect((await rejected(needsLabel, constraint(match), ...objects)).sort()).toEqual([...who].sort());
  });

  it('ignores what a Config excludes, and what is labelled to be ignored', async () => {
    const all = [needsLabel, constraint(pods)];
    const objects = [pod('name: a, namespace: kube-system'), pod('name: b, namespace: web')];
    const excluded = config('match: [{ processes: [webhook], excludedNamespaces: ["kube-*"] }]');
    expect(await rejected(...all, excluded, ...objects)).toEqual(['b']);
    expect(
      await rejected(...all, config('match: [{ processes: [audit], excludedNamespaces: ["kube-*"] }]'), ...objects),
    ).toEqual(['a', 'b']);
    const ignored = namespace('web', 'admission.gatekeeper.sh/ignore: "yes"');
    expect(await rejected(...all, ignored, ...objects)).toEqual(['a']);
  });

  it.each([
    ['validation.gatekeeper.sh', 'deny', 'error', '(constraint team)'],
    ['"*"', 'warn', 'warning', '(constraint team)'],
    ['gator.gatekeeper.sh', 'deny', 'error', '(constraint team, in gator only)'],
    ['audit.gatekeeper.sh', 'deny', 'info', '(constraint team, in audits only)'],
  ])('reports scope %s with action %s as %s', async (point, action, severity, ending) => {
    const scoped = `, enforcementAction: scoped, scopedEnforcementActions: [{ action: ${action}, enforcementPoints: [{ name: ${point} }] }]`;
    expect(await reported(needsLabel, constraint(pods, scoped), pod('name: a'))).toEqual([
      `«metadata» ${severity} gatekeeper/NeedsLabel needs the label team ${ending}`,
    ]);
  });

  it('reports the scope of ValidatingAdmissionPolicies only for templates with CEL', async () => {
    const scoped =
      ', enforcementAction: scoped, scopedEnforcementActions: [{ action: deny, enforcementPoints: [{ name: vap.k8s.io }] }]';
    const cel = template(`      code:
        - engine: K8sNativeValidation
          source: { validations: [{ expression: has(object.metadata.labels), message: no labels }] }`);
    expect(await reported(needsLabel, constraint(pods, scoped), pod('name: a'))).toEqual([]);
    expect(await reported(cel, constraint(pods, scoped), pod('name: a'))).toEqual([
      expect.stringContaining(
        'error gatekeeper/NeedsLabel no labels (constraint team, as a ValidatingAdmissionPolicy)',
      ),
    ]);
  });

  it('gives templates in CEL their namespaceObject', async () => {
    const cel = template(`      code:
        - engine: K8sNativeValidation
          source:
            validations: [{ expression: 'namespaceObject.metadata.labels["tier"] == "gold"', message: not gold }]`);
    const objects = [
      namespace('a', 'tier: gold'),
      namespace('b', 'tier: tin'),
      pod('name: a, namespace: a'),
      pod('name: b, namespace: b'),
    ];
    expect(await rejected(cel, constraint(pods), ...objects)).toEqual(['b']);
  });

  it('evaluates constraints on the Pods that an ExpansionTemplate creates from a workload', async () => {
    const expansion = (more: string) => `
apiVersion: expansion.gatekeeper.sh/v1beta1
kind: ExpansionTemplate
metadata: { name: deployments }
spec:
  applyTo: [{ groups: [apps], versions: [v1], kinds: [Deployment] }]
  templateSource: spec.template
  generatedGVK: { group: "", version: v1, kind: Pod }${more}
`;
    const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
    const message = '[Implied by deployments] needs the label team (constraint team)';
    expect(await reported(needsLabel, constraint(pods), deployment)).toEqual([]);
    expect(await reported(needsLabel, constraint(pods), expansion(''), deployment)).toEqual([
      expect.stringContaining(`error gatekeeper/NeedsLabel ${message}`),
    ]);
    expect(await reported(needsLabel, constraint(pods), expansion('\n  enforcementAction: warn'), deployment)).toEqual([
      expect.stringContaining(`warning gatekeeper/NeedsLabel ${message}`),
    ]);
    expect(await reported(needsLabel, constraint(`${pods}, source: Original`), expansion(''), deployment)).toEqual([]);
    // Expanded resources are mutated, too.
    expect(await reported(needsLabel, constraint(pods), expansion(''), setLabel, deployment)).toEqual([]);
  });

  it('reports an ExpansionTemplate that creates what it applies to', async () => {
    const loop = `
apiVersion: expansion.gatekeeper.sh/v1beta1
kind: ExpansionTemplate
metadata: { name: loop }
spec:
  applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }]
  templateSource: spec
  generatedGVK: { group: "", version: v1, kind: Pod }
`;
    expect(await reported(loop)).toEqual([
      expect.stringMatching(
        /^«spec» error gatekeeper\/loop Gatekeeper refuses this ExpansionTemplate: .*also applies to that same GVK/,
      ),
    ]);
  });

  it('shows the changes of mutators, and validates after them', async () => {
    const policy = assign('pull', 'spec.containers[name: *].imagePullPolicy', '{ value: Always }');
    const image = `
apiVersion: mutations.gatekeeper.sh/v1alpha1
kind: AssignImage
metadata: { name: mirror }
spec:
  applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }]
  location: 'spec.containers[name:*].image'
  parameters: { assignDomain: mirror.example }
`;
    const set = `
apiVersion: mutations.gatekeeper.sh/v1
kind: ModifySet
metadata: { name: debug }
spec:
  applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }]
  location: 'spec.containers[name: web].args'
  parameters: { operation: merge, values: { fromList: [--verbose] } }
`;
    expect(await changes(policy, image, set, setLabel, pod('name: a'))).toEqual([
      ['Assign pull', 'spec.containers[0].imagePullPolicy: "IfNotPresent" → "Always"'],
      ['AssignImage mirror', 'spec.containers[0].image: "web:1" → "mirror.example/web:1"'],
      ['AssignMetadata owner', 'metadata.labels: undefined → {"team":"web"}'],
      ['ModifySet debug', 'spec.containers[0].args: undefined → ["--verbose"]'],
    ]);
    expect(await rejected(needsLabel, constraint(pods), setLabel, pod('name: a'))).toEqual([]);
    const excluded = config('match: [{ processes: [mutation-webhook], excludedNamespaces: [default] }]');
    expect(await changes(setLabel, excluded, pod('name: a'))).toEqual([]);
  });

  it('names the mutator in the hover', async () => {
    const { host } = await evaluated(engine, files([setLabel, pod('name: a')]));
    const offset = host.analysis().text('a.yaml')?.indexOf('Pod') ?? 0;
    expect(host.analysis().hover('a.yaml', offset)?.markdown).toContain(
      'AssignMetadata **owner** changes this object:\n\n```diff\n+ metadata.labels: {"team":"web"}\n```',
    );
  });

  it('reports mutators that conflict, and applies neither', async () => {
    const two = [
      assign('list', 'spec.volumes[name: a].emptyDir', '{ value: {} }'),
      assign('map', 'spec.volumes.a', '{ value: x }'),
    ];
    const messages = await reported(...two, pod('name: a'));
    expect(messages).toEqual([
      expect.stringMatching(/^«spec» error gatekeeper\/list Gatekeeper refuses this Assign: .*conflict/),
      expect.stringMatching(/^«spec» error gatekeeper\/map Gatekeeper refuses this Assign: .*conflict/),
    ]);
    expect(await changes(...two, pod('name: a'))).toEqual([]);
  });

  it('reports an invalid mutator', async () => {
    expect(await reported(assign('name', 'metadata.name', '{ value: x }'))).toEqual([
      expect.stringMatching(/^«spec» error gatekeeper\/name Gatekeeper refuses this Assign: .*metadata/),
    ]);
  });

  it('calls no provider of external data, and reports what is therefore unknown', async () => {
    const callingTemplate = template(`      rego: |
        package needslabel
        violation[{"msg": msg}] {
          response := external_data({"provider": "registry", "keys": ["x"]})
          msg := sprintf("%v", [response])
        }`);
    const mutator = assign(
      'digest',
      'spec.containers[name: *].image',
      '{ externalData: { provider: registry, dataSource: ValueAtLocation, failurePolicy: Ignore } }',
    );
    expect(await reported(callingTemplate, constraint(pods), mutator, pod('name: a'))).toEqual([
      '«external_data» info gatekeeper/needslabel This template asks the provider registry of external data, which Berth never calls: what its constraints say of objects is not known here.',
      '«externalData» info gatekeeper/digest This Assign asks the provider registry of external data, which Berth never calls: what it makes of objects is not shown.',
    ]);
  });

  it('keeps the kinds of a SyncSet in data.inventory, and reports missing ones', async () => {
    const unique = (annotations = '') =>
      template(
        `      rego: |
        package needslabel
        violation[{"msg": msg}] {
          data.inventory.namespace[_][_].Service[name]
          msg := sprintf("saw %v", [name])
        }`,
        annotations,
      );
    const service = '\napiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n';
    const syncSet = (kind: string) =>
      `\napiVersion: syncset.gatekeeper.sh/v1alpha1\nkind: SyncSet\nmetadata: { name: s }\nspec: { gvks: [{ group: "", version: v1, kind: ${kind} }] }\n`;
    const all = [constraint(pods), service, pod('name: a')];
    expect(await rejected(unique(), ...all)).toEqual(['a']);
    expect(await rejected(unique(), syncSet('Service'), ...all)).toEqual(['a']);
    expect(await rejected(unique(), syncSet('Pod'), ...all)).toEqual([]);
    expect(
      await rejected(unique(), config('sync: { syncOnly: [{ group: "", version: v1, kind: Service }] }'), ...all),
    ).toEqual(['a']);
    const needs = `, annotations: { metadata.gatekeeper.sh/requires-sync-data: '[[{"groups": [""], "versions": ["v1"], "kinds": ["Service"]}]]' }`;
    expect(await reported(unique(needs), syncSet('Pod'), ...all)).toEqual([
      '«metadata.gatekeeper.sh/requires-sync-data» warning gatekeeper/needslabel This template looks for v1 Service in data.inventory, and no SyncSet or Config of this workspace has Gatekeeper keep that.',
    ]);
  });

  it.each([
    ['a Config of another name', config('match: []').replace('name: config', 'name: other'), 'name'],
    ['an action that does not exist', `${needsLabel}\n---\n${constraint(pods, ', enforcementAction: block')}`, 'block'],
  ])('refuses %s, as Gatekeeper’s webhook does', async (_, text, word) => {
    expect(await reported(text)).toEqual([
      expect.stringMatching(new RegExp(`Gatekeeper refuses this \\w+: .*${word}`)),
    ]);
  });
});
