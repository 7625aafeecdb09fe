import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { loadKube } from '../../server/src/kube/load';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { createRuleCache, type RuleCache } from '../../server/src/rules/engine/ruleCache';
import { problemsOfFile } from '../../server/src/rules/engine/run';
import type { AnyRule, Finding } from '../../server/src/rules/framework/rule';
import { diagnose, snapshotOf } from '../support/check';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

/** Objects that differ only in their names, and in plain values of their containers, share the findings of one-object rules, with no visible effect. */

interface Parts {
  readonly labels?: string;
  readonly matchLabels?: string;
  readonly image?: string;
  /** More lines of the container and, with less indentation, of its parents. */
  readonly more?: string;
}

function deployment(name: string, { labels, matchLabels, image, more }: Parts = {}): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
  labels: ${labels ?? '{ app: NAME }'}
spec:
  selector:
    matchLabels: ${matchLabels ?? '{ app: NAME }'}
  template:
    metadata:
      labels: { app: NAME }
    spec:
      containers:
        - name: main
          image: ${image ?? 'registry.example.com/NAME:1.0.0'}
          args: ["--name=NAME"]
${more ?? ''}`.replaceAll('NAME', name);
}

/** Those that look at images and variables. */
const OPINIONS = {
  'practice/image-tag': 'warning',
  'practice/image-pull-policy': 'warning',
  'practice/secret-written-out': 'warning',
} as const;

function toldIn(text: string, cache: RuleCache): readonly unknown[] {
  return diagnose(text, { cache, severity: OPINIONS }).map(it => [it.code, it.severity, it.message, it.span]);
}

const cases: readonly (readonly [what: string, names: readonly [string, string], parts: Parts])[] = [
  ['nothing but names', ['orders', 'basket'], {}],
  ['a resource', ['memory', 'basket'], { more: '          resources: { requests: { NAME: 1Gi } }' }],
  [
    'a field',
    ['name', 'shop'],
    {
      more: '          env: [{ name: A, valueFrom: { fieldRef: { fieldPath: metadata.NAME } } }]',
    },
  ],
  [
    'a field, with a name written once for two',
    ['name', 'shop'],
    {
      labels: '&labels { app: NAME }',
      matchLabels: '*labels',
      more: '          env: [{ name: A, valueFrom: { fieldRef: { fieldPath: metadata.NAME } } }]',
    },
  ],
  [
    'a field, with a name written with an escape',
    ['name', 'nook'],
    {
      labels: '{ app: "\\u006eame" }',
      more: '          env: [{ name: A, valueFrom: { fieldRef: { fieldPath: metadata.NAME } } }]',
    },
  ],
  ['a tag', ['stable', 'latest'], { image: 'registry.example.com/shop:NAME' }],
  ['an image without a registry', ['stable', 'latest'], { image: 'NAME' }],
  ['a name of two containers', ['agent', 'proxy'], { more: '        - { name: agent, image: a.example.com/a:1 }' }],
  ['a name of the second container', ['shop', 'main'], { more: '        - { name: NAME, image: a.example.com/a:1 }' }],
  ['a label that is too long', ['web', `web${'-web'.repeat(14)}`], { labels: '{ app: NAME-of-the-shop }' }],
  ['a name that is none', ['web', 'Web'], {}],
  ['a name that YAML reads as another type', ['web', 'yes'], {}],
];

test.each(cases)('a workload gets the same problems as an earlier one with another name: %s', (_what, names, parts) => {
  for (const [first, second] of [names, [...names].reverse() as [string, string]]) {
    const cache = createRuleCache();
    toldIn(deployment(first, parts), cache);
    const text = deployment(second, parts);
    expect(toldIn(text, cache)).toEqual(toldIn(text, createRuleCache()));
  }
});

const pod = (name: string, account: string, more = ''): string =>
  `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: shop }
spec:
  serviceAccountName: ${account}
  containers: [{ name: main, image: "registry.example.com/shop:1.0.0" }]
${more}`;
const service = (name: string, app: string, more = ''): string =>
  `apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: shop }
spec: { selector: { app: ${app} }, ports: [{ port: 80 }]${more} }
`;

/** A Pod whose container asks for something; `more` are further lines of its spec. */
const asking = (requests: string, limits = '', more = ''): string =>
  pod(
    'orders',
    'teller',
    `  initContainers: [{ name: first, image: "a.example.com/a:1", resources: { requests: { ${requests} }, limits: { ${limits} } } }]
${more}`,
  );

/** A Pod with a container of an image, and one with variables. */
const running = (image: string, env = '', labels = '{}'): string => `apiVersion: v1
kind: Pod
metadata: { name: orders, namespace: shop, labels: ${labels} }
spec:
  containers:
    - { name: main, image: "${image}" }
    - { name: second, image: "a.example.com/a:2.0.0", env: [${env}] }
`;
/** A Pod in a namespace that reads a ConfigMap; `more` are further lines of its spec. */
const reading = (namespace: string, map: string, more = ''): string =>
  pod('orders', 'teller', `  volumes: [{ name: first, configMap: { name: ${map} } }]\n${more}`).replace(
    'shop',
    namespace,
  );
const spread = (namespace: string): string =>
  `  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, namespaces: [${namespace}], labelSelector: {} }] } }\n`;
const version = 'a.example.com/shop:1.0.0';
const password = (value: string): string => running(version, `{ name: PASSWORD, value: ${value} }`);
const repeated = (value: string): string =>
  running(version, `{ name: PATH, value: one-two }, { name: PATH, value: "${value}" }`);

const priority = (name: string): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: 5\n`;
const settings = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n${more}`;
const flow = (name: string): string => `apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: { name: ${name} }
spec: { matchingPrecedence: 1, priorityLevelConfiguration: { name: high } }
`;
const pairs: readonly (readonly [what: string, texts: readonly [string, string]])[] = [
  ['an account', [pod('orders', 'teller'), pod('basket', 'porter')]],
  ['an account that is a field', [pod('orders', 'spec'), pod('basket', 'name')]],
  [
    'an account that is a place',
    [pod('orders', 'shop', '  hostname: shop'), pod('basket', 'main', '  hostname: Main')],
  ],
  ['a namespace', [reading('market', 'settings'), reading('harbor', 'settings')]],
  [
    'a namespace that another field names',
    ['market', 'harbor'].map(it => reading(it, 'settings', spread('harbor'))) as [string, string],
  ],
  ['a namespace and one of the system', [reading('markets-one', 'settings'), reading('kube-system', 'settings')]],
  ['a ConfigMap', [reading('market', 'settings'), reading('market', 'defaults')]],
  ['a ConfigMap that is a volume', [reading('market', 'first'), reading('market', 'other')]],
  ['a ConfigMap of a wrong name', [reading('market', 'settings'), reading('market', 'setting-')]],
  ['names of one letter', [pod('a', 'teller'), pod('b', 'teller')]],
  ['a selector', [service('orders', 'teller'), service('basket', 'porter')]],
  [
    'a selector that is the type',
    [service('orders', 'other', ', type: other'), service('basket', 'third', ', type: other')],
  ],
  ['amounts', [asking('cpu: 100m, memory: 64Mi'), asking('cpu: 1250m, memory: 1Gi')]],
  ['a request above its limit', [asking('cpu: 100m', 'cpu: 200m'), asking('cpu: 300m', 'cpu: 200m')]],
  [
    'a request of more mebibytes than there are gibibytes',
    [asking('memory: 900Mi', 'memory: 1Gi'), asking('memory: 900Gi', 'memory: 1Mi')],
  ],
  ['a request above a limit of another form', [asking('cpu: 900m', 'cpu: 1'), asking('cpu: 1100m', 'cpu: 1')]],
  [
    'more than the Pod asks for',
    ['100m', '900m'].map(it => asking(`cpu: ${it}`, '', '  resources: { requests: { cpu: 200m } }')) as [
      string,
      string,
    ],
  ],
  ['an amount that the server rounds', [asking('memory: 100m'), asking('memory: 1500m')]],
  ['an amount that is none', [asking('cpu: 100m'), asking('cpu: -100m')]],
  [
    'amounts of another resource',
    [asking('cpu: 100m, example.com/gpu: 100m'), asking('cpu: 200m, example.com/gpu: 200m')],
  ],
  ['versions', [running('shop:1.0.0'), running('shop:v1.25.3')]],
  ['a version and the latest', [running(version), running('a.example.com/shop:latest')]],
  ['a version and none', [running('a.example.com/shop:1.0.0'), running('a.example.com:1.0.0/shop')]],
  ['a version of two images', [running('shop:2.0.0'), running('shop:3.0.0')]],
  ['a version and a digest', [running(version), running(`${version}@sha256:${'a'.repeat(64)}`)]],
  [
    'a version as a label',
    [running(version, '', '{ version: 1.0.0 }'), running('a.example.com/shop:1.10.0', '', '{ version: 1.10.0 }')],
  ],
  ['values', [password('one-two'), password('another-one')]],
  ['a value and none', [password('one-two'), password('""')]],
  ['a value and a placeholder', [password('one-two'), password('"<one-two>"')]],
  ['a value and a number', [password('one-two'), password('12')]],
  ['a value and what YAML reads as another type', [password('one-two'), password('yes')]],
  ['a value and a reference to what it hides', [repeated('one-three'), repeated('$(PATH):one-three')]],
  [
    'a value that is a name',
    [running(version, '{ name: first-name, value: first-name }'), running(version, '{ name: -, value: first-name }')],
  ],
  ['a name that Services may not have', [service('orders', 'teller'), service('basket-', 'porter')]],
  ['a PriorityClass', [priority('orders'), priority('basket')]],
  ['a PriorityClass of the system', [priority('billing-one'), priority('system-tier')]],
  ['a FlowSchema that the server makes', [flow('orders'), flow('exempt')]],
  ['a ConfigMap of a wrong name', [settings('orders'), settings('order-')]],
];

test.each(pairs)('an object gets the same problems as an earlier one with other names: %s', (_what, texts) => {
  for (const [first, second] of [texts, [...texts].reverse() as [string, string]]) {
    const cache = createRuleCache();
    toldIn(first, cache);
    expect(toldIn(second, cache)).toEqual(toldIn(second, createRuleCache()));
  }
});

const counted: readonly (readonly [looks: number, what: string, texts: readonly string[]])[] = [
  [1, 'workloads that differ in their names', ['orders', 'basket', 'search'].map(it => deployment(it))],
  [2, 'names of different lengths', ['orders', 'web'].map(it => deployment(it))],
  [1, 'Pods with an account each', [pod('orders', 'teller'), pod('basket', 'porter'), pod('search', 'seeker')]],
  [2, 'an account and the default one', [pod('orders', 'cashier'), pod('basket', 'default')]],
  [2, 'an account that is the name', [pod('orders', 'teller'), pod('basket', 'basket')]],
  [1, 'namespaces', ['market', 'harbor', 'valley'].map(it => reading(it, 'settings'))],
  [2, 'a namespace and one of the system', ['markets-one', 'kube-system'].map(it => reading(it, 'settings'))],
  [2, 'a namespace that is also written elsewhere', ['market', 'harbor'].map(it => reading(it, 'one', spread(it)))],
  [1, 'ConfigMaps', ['settings', 'defaults'].map(it => reading('market', it))],
  [1, 'a name of one letter and accounts', [pod('a', 'teller'), pod('a', 'porter')]],
  [2, 'names of one letter', [pod('a', 'teller'), pod('b', 'teller')]],
  [1, 'Services with a selector each', [service('orders', 'teller'), service('basket', 'porter')]],
  [2, 'a selector that is the name', [service('orders', 'teller'), service('basket', 'basket')]],
  [1, 'containers with amounts of their own', ['100m', '250m', '1250m'].map(it => asking(`cpu: ${it}`))],
  [
    2,
    'requests below and above their limits',
    ['100m', '150m', '300m', '250m'].map(it => asking(`cpu: ${it}, memory: 1Gi`, 'cpu: 200m')),
  ],
  [
    2,
    'amounts that are also written elsewhere',
    ['1Gi', '2Gi'].map(it => asking(`memory: ${it}`, '', `  volumes: [{ name: a, emptyDir: { sizeLimit: ${it} } }]`)),
  ],
  [1, 'images of a version each', ['1.0.0', '1.0.1', 'v1.20.3'].map(it => running(`a.example.com/shop:${it}`))],
  [2, 'a version and the latest', [running(version), running('a.example.com/shop:latest')]],
  [
    1,
    'versions that labels repeat',
    ['1.0.0', '1.0.1'].map(it => running(`a.example.com/shop:${it}`, '', `{ version: ${it} }`)),
  ],
  [
    2,
    'versions that are also written elsewhere',
    ['1.0.0', '1.0.1'].map(it => running(`a.example.com/shop:${it}`, '', `{ version: v${it} }`)),
  ],
  [1, 'variables with values of their own', ['one-two', 'another-one', 'a-3'].map(password)],
  [2, 'a value of one word', ['one-two', 'one'].map(password)],
  [
    1,
    'variables with the name in their values',
    ['orders', 'basket'].map(it => deployment(it, { more: '          env: [{ name: A, value: NAME-db }]' })),
  ],
  [1, 'PriorityClasses', ['orders', 'basket', 'search'].map(priority)],
  [2, 'a PriorityClass and one of the system', ['billing-one', 'system-tier'].map(priority)],
  [2, 'FlowSchemas', ['orders', 'basket'].map(flow)],
  [1, 'ConfigMaps of a name each', ['orders', 'basket'].map(it => settings(it))],
  [2, 'ConfigMaps that hold their name', ['orders', 'basket'].map(it => settings(it, `data: { a: ${it} }\n`))],
  [2, 'other differences', [deployment('orders'), deployment('basket').replace('--name', '--names')]],
];

test.each([
  ['limits names', 'properties: { metadata: { type: object, properties: { name: { type: string, pattern: "^o" } } } }'],
  ['has an alternative', 'anyOf: [{ properties: { metadata: { properties: { name: { pattern: "^o" } } } } }]'],
  ['has a rule', "x-kubernetes-validations: [{ rule: self.metadata.name.startsWith('o') }]"],
])('custom objects are checked each with its name where the schema %s', (_what, schema) => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: shops.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: shops, kind: Shop }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, ${schema} } } }]
`;
  const shop = (name: string): string => `---\napiVersion: example.com/v1\nkind: Shop\nmetadata: { name: ${name} }\n`;
  const host = createAnalysisHost({ readPack, onBug: throwBug });
  const text = definition + ['basket', 'orders', 'search', 'outlet'].map(shop).join('');
  host.apply({ files: [{ uri: 'file:///a.yaml', text }] });
  const refused = host
    .analysis()
    .diagnostics('file:///a.yaml')
    .filter(it => it.object?.kind === 'Shop' && it.category === 'apiserver');
  expect(new Set(refused.map(it => it.object?.name))).toEqual(new Set(['basket', 'search']));
});

test.each(counted)('rules run %i times for %s', (looks, _what, texts) => {
  expect(looksAt(texts)).toBe(looks);
});

test('objects that are alike are still noticed after many that were all unlike', () => {
  const unlike = Array.from({ length: 300 }, (_, i) => deployment('orders').replace('--name', `--name${i}`));
  const alike = Array.from({ length: 60 }, (_, i) => deployment(`web-${i + 10}`));
  const more = looksAt([...unlike, ...alike]) - looksAt(unlike);
  expect(more).toBeGreaterThan(0);
  expect(more).toBeLessThan(20);
});

test.each<readonly [looks: number, what: string, factsOf: (name: string) => unknown]>([
  [1, 'nothing of the object', () => ({ path: FieldPath.of('metadata', 'labels'), most: 3, among: ['a', null] })],
  [3, 'the name', name => ({ error: { value: `the ${name}` } })],
  [3, 'the name as a key', name => ({ [name]: 1 })],
  [3, 'a path with the name', name => [FieldPath.of('metadata', 'labels', { key: name })]],
  [3, 'more than plain data', () => new Map()],
])('findings of alike objects are looked for %i times where they hold %s', (looks, _what, factsOf) => {
  const texts = ['orders', 'basket', 'search'].map(it => pod(it, 'teller'));
  const at = FieldPath.of('spec', 'containers');
  expect(looksAt(texts, name => [{ at, part: 'key', facts: factsOf(name) }])).toBe(looks);
});

test.each([
  ['a version', ['1.0.0', '1.0.1'].map(it => running(`a.example.com/shop:${it}`))],
  ['a value', ['one-two', 'one-three'].map(password)],
])('findings that hold %s of the object are looked for in each object', (_what, texts) => {
  const at = FieldPath.of('spec', 'containers');
  expect(looksAt(texts, (_name, text) => [{ at, part: 'key', facts: { text } }])).toBe(texts.length);
});

test.each(['Pod', 'Service'])('items of a List that differ in their names are problems of their own: %s', kind => {
  const items = ['orders', 'basket', 'search'].map(
    it => `- { kind: ${kind}, apiVersion: v1, metadata: { name: ${it} } }\n`,
  );
  const problems = diagnose(`apiVersion: v1\nkind: List\nitems:\n${items.join('')}`, { cache: createRuleCache() });
  expect(problems.map(it => [it.object?.name, it.fieldPath])).toEqual(
    ['orders', 'basket', 'search'].map(it => [it, kind === 'Pod' ? 'spec.containers' : 'spec.ports']),
  );
});

/** How often a rule runs for some objects, each in a file of its own. */
function looksAt(
  texts: readonly string[],
  findings: (name: string, text: string) => readonly Finding<unknown>[] = () => [],
): number {
  const cache = createRuleCache();
  const seen: string[] = [];
  const rule: AnyRule = {
    meta: {
      code: 'a/rule',
      category: 'placement',
      severity: 'warning',
      cost: 'typing',
      summary: '',
      why: '',
      remedy: '',
    },
    on: 'any',
    check({ object }) {
      seen.push(object.name ?? '');
      return findings(object.name ?? '', object.manifest.text ?? '');
    },
    message: () => '',
  };
  const kube = loadKube('1.37', {}, readPack);
  for (const text of texts) {
    const snapshot = snapshotOf({ 'a.yaml': text });
    const file = snapshot.files.get('a.yaml');
    const context = { kube, snapshot };
    const options = { cache, rules: [rule], onBug: () => undefined };
    if (file) problemsOfFile(file, snapshot.objectsIn('a.yaml'), context, options);
  }
  return seen.length;
}
