import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../server/src/text/span';
import { analysisOf } from '../analysis/analyse';
import { diagnose, fixed, fixesOf } from '../support/check';

const HEAD = 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n';

/** A Pod with one container, which gets the given lines. */
const pod = (container: string, rest = ''): string =>
  `${HEAD}  containers:\n    - name: web\n      image: nginx\n${container}${rest}`;

const DEPLOYMENT = (spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: shop }\nspec:\n${spec}`;

const CLAIM = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\n';

const errors = (text: string): readonly string[] =>
  diagnose(text)
    .filter(it => it.severity === 'error')
    .map(it => it.message);

describe('a fix of a server error gives an object that the server accepts', () => {
  test.each([
    [
      'a missing name comes from the image',
      `${HEAD}  containers:\n    - image: registry.example/team/Shop_Web:1.2 # kept\n`,
      'Add name: shop-web',
      `${HEAD}  containers:\n    - image: registry.example/team/Shop_Web:1.2 # kept\n      name: shop-web\n`,
    ],
    [
      'an empty image gets an example',
      pod('').replace('image: nginx', 'image: ""'),
      'Change to registry.k8s.io/pause:3.10',
      pod('').replace('image: nginx', 'image: "registry.k8s.io/pause:3.10"'),
    ],
    [
      'a name is put into letters that are allowed',
      pod('').replace('- name: web', '- name: Web_1'),
      'Change to web-1',
      pod('').replace('- name: web', '- name: web-1'),
    ],
    [
      'a port number in quotes becomes a number',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: web }\nspec: { podSelector: {}, ingress: [{ ports: [{ port: "80" }] }] }\n',
      'Take away the quotes',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: web }\nspec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] }\n',
    ],
    [
      'the port of a probe in quotes becomes a number',
      pod('      livenessProbe: { tcpSocket: { port: "8080" } }\n'),
      'Take away the quotes',
      pod('      livenessProbe: { tcpSocket: { port: 8080 } }\n'),
    ],
    [
      'a volume is renamed together with its mounts',
      pod(
        '      volumeMounts: [{ name: My_Data, mountPath: /data }]\n',
        '  volumes:\n    - name: My_Data\n      emptyDir: {}\n',
      ),
      'Rename the volume',
      pod(
        '      volumeMounts: [{ name: my-data, mountPath: /data }]\n',
        '  volumes:\n    - name: my-data\n      emptyDir: {}\n',
      ),
    ],
    [
      'a mount finds the volume it means',
      pod('      volumeMounts: [{ name: dta, mountPath: /data }]\n', '  volumes: [{ name: data, emptyDir: {} }]\n'),
      'Change to data',
      pod('      volumeMounts: [{ name: data, mountPath: /data }]\n', '  volumes: [{ name: data, emptyDir: {} }]\n'),
    ],
    [
      'a volume that is missing is added in the style of its neighbours',
      pod(
        '      volumeMounts: [{ name: scratch, mountPath: /tmp }]\n',
        '  volumes:\n    - name: settings\n      emptyDir: {}\n  hostNetwork: true\n',
      ),
      'Add an emptyDir volume',
      pod(
        '      volumeMounts: [{ name: scratch, mountPath: /tmp }]\n',
        '  volumes:\n    - name: settings\n      emptyDir: {}\n    - name: scratch\n      emptyDir: {}\n  hostNetwork: true\n',
      ),
    ],
    [
      'the first volume makes the list',
      pod('      volumeMounts: [{ name: scratch, mountPath: /tmp }]\n'),
      'Add an emptyDir volume',
      pod(
        '      volumeMounts: [{ name: scratch, mountPath: /tmp }]\n',
        '  volumes:\n    - name: scratch\n      emptyDir: {}\n',
      ),
    ],
    [
      'the selector is what the template wears',
      DEPLOYMENT(
        '  template:\n    metadata:\n      labels: { app: shop }\n    spec:\n      containers: [{ name: a, image: b }]\n',
      ),
      'Add selector',
      DEPLOYMENT(
        '  template:\n    metadata:\n      labels: { app: shop }\n    spec:\n      containers: [{ name: a, image: b }]\n  selector:\n    matchLabels:\n      app: shop\n',
      ),
    ],
    [
      'the template gets the label that the selector asks for',
      DEPLOYMENT(
        '  selector: { matchLabels: { app: shop } }\n  template:\n    metadata:\n      labels: { app: store }\n    spec:\n      containers: [{ name: a, image: b }]\n',
      ),
      'Give the template the label app: shop',
      DEPLOYMENT(
        '  selector: { matchLabels: { app: shop } }\n  template:\n    metadata:\n      labels: { app: shop }\n    spec:\n      containers: [{ name: a, image: b }]\n',
      ),
    ],
    [
      'a claim gets a size, with the objects on the way',
      `${CLAIM}spec:\n  accessModes: [ReadWriteOnce]\n`,
      'Add storage: 1Gi',
      `${CLAIM}spec:\n  accessModes: [ReadWriteOnce]\n  resources:\n    requests:\n      storage: 1Gi\n`,
    ],
    [
      'a request goes down to its limit',
      pod('      resources: { requests: { cpu: 500m }, limits: { cpu: 250m } }\n'),
      'Lower the request',
      pod('      resources: { requests: { cpu: 250m }, limits: { cpu: 250m } }\n'),
    ],
    [
      'a container whose name is taken gets a number',
      pod('    - name: web\n      image: busybox\n'),
      'Change to web-2',
      pod('    - name: web-2\n      image: busybox\n'),
    ],
    [
      'a word in the wrong case is the right word',
      pod('', '  restartPolicy: always\n'),
      'Change to Always',
      pod('', '  restartPolicy: Always\n'),
    ],
    [
      'a unit loses its blank',
      pod('      resources: { limits: { memory: 1 Gi } }\n'),
      'Write 1Gi',
      pod('      resources: { limits: { memory: 1Gi } }\n'),
    ],
    [
      'a unit of bytes loses its B',
      pod('      resources: { limits: { memory: 100MB } }\n'),
      'Write 100M',
      pod('      resources: { limits: { memory: 100M } }\n'),
    ],
    [
      'cpu is no unit',
      pod('      resources: { limits: { cpu: 0.5 cpu } }\n'),
      'Write 0.5',
      pod('      resources: { limits: { cpu: 0.5 } }\n'),
    ],
  ])('%s', (_name, before, title, after) => {
    expect(errors(before)).not.toEqual([]);
    expect(fixed(before, title)).toBe(after);
    expect(errors(after)).toEqual([]);
  });

  test('JSON stays JSON', () => {
    const before = `{\n  "apiVersion": "v1",\n  "kind": "PersistentVolumeClaim",\n  "metadata": { "name": "data" },\n  "spec": {\n    "accessModes": ["ReadWriteOnce"]\n  }\n}\n`;
    const analysis = analysisOf({ 'test:///a.json': before });
    const offered = analysis.fixes('test:///a.json', { start: 0, end: before.length });
    const fix = offered.find(it => it.fix.title.startsWith('Add storage'))?.fix;
    expect(JSON.parse(applyEdits(before, fix?.edits ?? []))).toMatchObject({
      spec: { resources: { requests: { storage: '1Gi' } } },
    });
  });

  test('an ambiguous error has no fix', () => {
    const text = pod('      ports: [{ containerPort: 70000 }]\n');
    expect(errors(text)).toHaveLength(1);
    expect(fixesOf(text).filter(it => !it.title.includes('gnore'))).toEqual([]);
  });
});

describe('a message', () => {
  test('is a plain sentence, followed by the server’s message', () => {
    expect(errors(pod('').replace('- name: web', '- name: Web'))[0]).toMatch(
      /^"Web" is not a valid container name: use lower-case letters, digits and "-", a letter or digit at each end — spec\.containers\[0\]\.name: Invalid value: "Web": a lowercase RFC 1123 label must/,
    );
  });

  test('is short in its first sentence, whatever the value', () => {
    const long = 'X'.repeat(300);
    const [plain = ''] = (errors(pod('').replace('- name: web', `- name: ${long}`))[0] ?? '').split(' — ');
    expect(plain.length).toBeLessThan(140);
  });
});

describe('one cause is reported once', () => {
  const shown = (text: string): readonly (string | undefined)[] =>
    diagnose(text)
      .filter(it => it.follows !== true)
      .map(it => it.fieldPath);

  test('a misspelt field is not reported as missing, too', () => {
    const text = pod('').replace('image:', 'imgae:');
    expect(diagnose(text).map(it => it.fieldPath)).toContain('spec.containers[0].image');
    expect(shown(text)).toEqual(['spec.containers[0].imgae']);
  });

  test('the mounts of a volume with an invalid name are not reported', () => {
    const mounts = '      volumeMounts: [{ name: A, mountPath: /a }]\n';
    expect(shown(pod(mounts, '  volumes: [{ name: A, emptyDir: {} }]\n'))).toEqual(['spec.volumes[0].name']);
  });

  test('of two lists of supported values the shorter one is reported', () => {
    const text = DEPLOYMENT(
      '  selector: { matchLabels: { a: b } }\n  template:\n    metadata: { labels: { a: b } }\n    spec: { restartPolicy: never, containers: [{ name: a, image: b }] }\n',
    );
    const problems = diagnose(text).filter(it => it.follows !== true);
    expect(problems.map(it => it.message.split(' — ')[0])).toEqual([
      '"never" is no value for "restartPolicy": use Always',
    ]);
  });

  test('an independent second error is reported', () => {
    expect(shown(pod('      ports: [{ containerPort: 0, hostPort: 70000 }]\n'))).toHaveLength(2);
  });
});
