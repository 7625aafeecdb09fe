import { lexer, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../server/src/analysis/configuration/settings';
import { analysisOf } from './analyse';
import { deployment, TWO_ZONES } from './twoZones';

const uri = 'test:///hover.yaml';

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  restartPolicy: OnFailure
  dnsPolicy: Default
  terminationGracePeriodSeconds: 5
  evictionResponders: []
  serviceAccount: builder
  nodeSelector: { disk: ssd }
  containers:
    - name: pinned
      image: nginx:1.29
      imagePullPolicy: Always
      ports:
        - containerPort: 80
          protocol: UDP
      livenessProbe:
        periodSeconds: 3
        tcpSocket: { port: 80 }
      resources:
        limits: { memory: 1Gi }
        requests: { memory: 512Mi }
    - name: floating
      image: nginx
      imagePullPolicy: Never
  volumes:
    - name: settings
      configMap:
        defaultMode: 256
        name: settings
`;

/** The hover over the nth place of a text. */
function hoverOver(text: string, at: string, settings: Partial<Settings> = {}, nth = 0): string {
  const offset =
    text
      .split(at)
      .slice(0, nth + 1)
      .join(at).length + 1;
  return analysisOf({ [uri]: text }, settings).hover(uri, offset)?.markdown ?? '';
}

describe('defaults of fields', () => {
  test.each([
    ['restartPolicy', '"Always"', 0],
    ['dnsPolicy', '"ClusterFirst"', 0],
    ['terminationGracePeriodSeconds', '30', 0],
    ['protocol', '"TCP"', 0],
    ['periodSeconds', '10', 0],
    ['imagePullPolicy', '"IfNotPresent"', 0],
    ['imagePullPolicy', '"Always"', 1],
    ['defaultMode', '420', 0],
    ['memory: 512Mi', '"1Gi"', 0],
  ])('%s defaults to %s', (field, value, nth) => {
    expect(hoverOver(POD, field, {}, nth)).toContain(`defaults to \`${value}\``);
  });

  test('a field without a default has none', () => {
    expect(hoverOver(POD, 'nodeSelector')).not.toContain('defaults to');
  });

  test('other kinds show theirs', () => {
    const text = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: example.com/disk
reclaimPolicy: Retain
`;
    expect(hoverOver(text, 'reclaimPolicy')).toContain('defaults to `"Delete"`');
  });
});

describe('the life of a field', () => {
  test('a gate is shown with its stage, its default and its state here', () => {
    const off = hoverOver(POD, 'evictionResponders');
    expect(off).toContain('Feature gate `EvictionRequestAPI` in Kubernetes 1.37: alpha since 1.37, off by default');
    expect(off).toContain('([KEP-4563](https://kep.k8s.io/4563))');
    expect(off).toContain('It is off for this workspace');
    expect(hoverOver(POD, 'evictionResponders', { featureGates: { EvictionRequestAPI: true } })).toContain(
      'It is on for this workspace',
    );
  });

  test('a gate that drops a whole volume is told at its source, once it is stable for the minors before', () => {
    const over = (kubernetesVersion: string) =>
      hoverOver(`${POD}  volumes: [{ name: a, image: { reference: b } }]\n`, 'image: { ref', { kubernetesVersion });
    expect(over('1.33')).toContain('Feature gate `ImageVolume` in Kubernetes 1.33: beta since 1.33, off by default');
    expect(over('1.33')).toContain('the API server ignores the field');
    expect(over('1.35')).toContain('It is on for this workspace');
    expect(over('1.37')).not.toContain('Feature gate');
    expect(over('1.37')).toContain(
      '`ImageVolume` by minor: 1.31–1.32 alpha (off) · 1.33–1.34 beta (off) · 1.35 beta (on) · from 1.36 stable.',
    );
  });

  test.each([
    [
      'lifecycle: { preStop: { sleep: { seconds: 5 } } }',
      'sleep',
      '1.37',
      '`PodLifecycleSleepAction` by minor: 1.31–1.33 beta (on) · from 1.34 stable.',
    ],
    [
      'hostUsers: false',
      'hostUsers',
      '1.31',
      '`UserNamespacesSupport` by minor: 1.31–1.32 beta (off) · 1.33–1.35 beta (on) · from 1.36 stable.',
    ],
    ['schedulingGroup: {}', 'schedulingGroup', '1.37', 'In Kubernetes 1.36 and later; 1.35 only: workloadRef.'],
    ['schedulingGroup: {}', 'schedulingGroup', '1.35', '**`spec.schedulingGroup`** · not in Kubernetes 1.35'],
    ['workloadRef: {}', 'workloadRef', '1.35', 'In Kubernetes 1.35 only; 1.36 and later: schedulingGroup.'],
    ['workloadRef: {}', 'workloadRef', '1.36', '**`spec.workloadRef`** · not in Kubernetes 1.36'],
  ])('%s: the hover of %s at %s tells which minors have it', (line, field, kubernetesVersion, words) => {
    const at = line.startsWith('lifecycle') ? `      ${line}` : `  ${line}`;
    const text = POD.replace(line.startsWith('lifecycle') ? '      ports:' : '  dnsPolicy:', it => `${at}\n${it}`);
    expect(hoverOver(text, field, { kubernetesVersion })).toContain(words);
  });

  test('a field that never changed says nothing of minors', () => {
    expect(hoverOver(POD, 'dnsPolicy')).not.toMatch(/by minor|In Kubernetes/);
    expect(hoverOver(POD.replace('dnsPolicy', 'noSuchField'), 'noSuchField')).not.toContain('not in Kubernetes');
  });

  test('a deprecated field begins with that', () => {
    expect(hoverOver(POD, 'serviceAccount: builder')).toContain('⚠ **Deprecated.**');
    expect(hoverOver(POD, 'dnsPolicy')).not.toContain('Deprecated');
  });

  test('a field that an update cannot change is marked, others are not', () => {
    expect(hoverOver(POD, 'dnsPolicy')).toContain('`spec.dnsPolicy` cannot be changed once the Pod exists.');
    expect(hoverOver(POD, 'image: nginx:1.29')).not.toContain('cannot be changed');
  });
});

describe('the life of an API version', () => {
  const budget = (version: string): string =>
    `apiVersion: ${version}\nkind: FlowSchema\nmetadata: { name: all }\nspec: {}\n`;

  test('a replaced one names its replacement', () => {
    const text = hoverOver(budget('flowcontrol.apiserver.k8s.io/v1beta3'), 'apiVersion');
    expect(text).toContain('since Kubernetes 1.26, deprecated since 1.29, removed in 1.32');
    expect(text).toContain('use `flowcontrol.apiserver.k8s.io/v1 FlowSchema` instead');
  });

  test('one that will be removed is in the future tense', () => {
    const text = hoverOver(budget('flowcontrol.apiserver.k8s.io/v1beta3'), 'apiVersion', { kubernetesVersion: '1.31' });
    expect(text).toContain('to be removed in 1.32');
  });
});

describe('every position of a manifest', () => {
  const yaml = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      nodeSelector:
        disk: ssd
      containers:
        - name: a
          args: [x, "y"]
          command:
            - sh
          env:
            - { name: A, value: b }
          resources:
            limits: { cpu: "1" }
      tolerations:
        - effect: NoSchedule
`;
  const json = JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { containers: [{ name: 'a', args: ['x'], resources: { requests: { cpu: '100m' } } }], hostNetwork: true },
    },
    null,
    2,
  );

  test.each([
    ['YAML', 'test:///every.yaml', yaml],
    ['JSON', 'test:///every.json', json],
  ])('has a hover over each key and value in %s', (_, name, text) => {
    const analysis = analysisOf({ [name]: text });
    const silent = [...text.matchAll(/[\w./]+/g)].filter(({ index, 0: word }) => {
      const hover = analysis.hover(name, index + 1);
      return !hover || !text.slice(hover.span.start, hover.span.end).includes(word);
    });
    expect(silent.map(it => it[0])).toEqual([]);
  });

  test('describes an item by its list or map', () => {
    expect(hoverOver(yaml, 'y"')).toContain('Arguments to the entrypoint');
    expect(hoverOver(yaml, 'disk')).toContain(
      'NodeSelector is a selector which must be true for the pod to fit on a node',
    );
    expect(hoverOver(yaml, 'app: web')).toContain('Map of string keys and values');
  });
});

describe('texts of a manifest in a hover', () => {
  const LURE = '![x](https://x.test/p.png) <img src=x> `tick` https://x.test | **bold**';
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.x.test }
spec:
  group: x.test
  scope: Namespaced
  names: { kind: Thing, plural: things }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { size: { type: string, description: ${JSON.stringify(LURE)} } } } }
---
apiVersion: x.test/v1
kind: Thing
metadata: { name: t }
size: big
`;

  /** Links to upstream's own pages are Berth's; those of the manifest are not to be there. */
  const checkHarmless = (markdown: string, shown: string): void => {
    expect(markdown).toContain(shown);
    const leads = (tokens: readonly Token[]): readonly string[] =>
      tokens.flatMap(it => [
        ...(['image', 'link', 'html'].includes(it.type) ? [it.raw] : []),
        ...leads('tokens' in it ? (it.tokens ?? []) : []),
      ]);
    expect(leads(lexer(markdown)).filter(it => !/k8s\.io/.test(it))).toEqual([]);
  };

  test('a description of a CustomResourceDefinition is plain text', () => {
    checkHarmless(hoverOver(definition, 'size: big'), '\\!\\[x\\](https\\://x.test/p.png)');
  });

  test('the name of an object is plain text', () => {
    const pod = POD.replace('name: web', `name: ${JSON.stringify(LURE)}`);
    checkHarmless(hoverOver(pod, 'kind: Pod'), 'Pod \\!\\[x\\](https\\://x.test/p.png)');
  });
});

describe('a workload whose Pods a quota refuses', () => {
  const text = `${TWO_ZONES}apiVersion: v1
kind: ResourceQuota
metadata: { name: small }
spec: { hard: { pods: "0" } }
---
${deployment('web', 2, '1')}`;

  test('has the words of the quota once: the problem at its name says them', () => {
    const analysis = analysisOf({ [uri]: text });
    const at = text.indexOf('name: web') + 7;
    const problems = analysis.diagnostics(uri).filter(it => it.span.start <= at && at <= it.span.end);
    expect(problems.map(it => it.message).join()).toContain('exceeded quota: small');
    const said = analysis.hover(uri, at)?.markdown;
    expect(said).toContain('**Deployment web** 0 of 2 Pods land · is refused (2 nodes of the workspace)');
    expect(said).not.toContain('exceeded quota');
    const elsewhere = analysis.hover(uri, text.lastIndexOf('kind: Deployment') + 1)?.markdown;
    expect(elsewhere).toContain('is refused: Error creating: pods "web-');
  });
});
