import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';
import { analysisOf } from './analyse';

type Files = Readonly<Record<string, string>>;

const CLAIM = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: FROM_OVERLAY } }
`;
const WORKLOAD = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: REPLICAS
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: log, image: log:1 }
      - { name: web, image: web:1, imagePullPolicy: PULL_POLICY }
`;
const BASE: Files = {
  'base/kustomization.yaml': 'resources: [claim.yaml, web.yaml]\n',
  'base/claim.yaml': CLAIM,
  'base/web.yaml': WORKLOAD,
};
const ALL = ['claim.yaml spec.resources.requests[storage]', 'web.yaml spec.replicas'];
const POLICY = 'web.yaml spec.template.spec.containers[1].imagePullPolicy';

/** `FILE FIELD` of the problems of the base. */
function problemsIn(files: Files, uris: readonly string[] = ['base/claim.yaml', 'base/web.yaml']): readonly string[] {
  const analysis = analysisOf(files);
  return uris.flatMap(uri =>
    analysis.diagnostics(uri).map(it => `${uri.slice('base/'.length)} ${it.fieldPath ?? it.message}`),
  );
}

const overlay = (name: string, text: string): Files => ({
  [`overlays/${name}/kustomization.yaml`]: `resources: [../../base]\n${text}`,
});

/** A patch of one kind, as a file in `patches`. */
const patched = (name: string, patch: string, target = ''): Files => ({
  ...overlay(name, `patches: [{ path: patch.yaml${target} }]\n`),
  [`overlays/${name}/patch.yaml`]: patch,
});

const STORAGE =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { resources: { requests: { storage: 1Gi } } }\n';
const ofWeb = (spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: ${spec}\n`;
const inline = (patch: string): string => `patches:\n- patch: |\n${patch.replace(/^/gm, '    ')}\n`;

describe('a value that every overlay replaces is not told in the base', () => {
  const [storage, replicas] = ALL;

  test.each<readonly [string, Files, readonly string[]]>([
    ['a base that nobody includes', {}, ALL],
    ['an overlay that replaces nothing', overlay('dev', ''), ALL],
    ['a file with a patch', patched('dev', STORAGE), [replicas!]],
    ['a patch of another object', patched('dev', STORAGE.replace('name: data', 'name: other')), ALL],
    [
      'a patch of another object with this one as its target',
      patched('dev', STORAGE.replace('name: data', 'name: other'), ', target: { name: data }'),
      [replicas!],
    ],
    ['a patch of another field', patched('dev', STORAGE.replace('storage', 'memory')), ALL],
    ['a patch that writes the same', patched('dev', STORAGE.replace('1Gi', 'FROM_OVERLAY')), ALL],
    ['an inline patch', overlay('dev', inline(ofWeb('{ replicas: 2 }'))), [storage!, POLICY]],
    ['a field that is removed', overlay('dev', inline(ofWeb('{ replicas: null }'))), [storage!, POLICY]],
    ['all fields around it', overlay('dev', inline(ofWeb('{ $patch: replace, paused: true }'))), [storage!]],
    [
      'a container by its name',
      overlay(
        'dev',
        inline(ofWeb('{ replicas: 2, template: { spec: { containers: [{ name: web, imagePullPolicy: Always }] } } }')),
      ),
      [storage!],
    ],
    [
      'another container',
      overlay(
        'dev',
        inline(ofWeb('{ replicas: 2, template: { spec: { containers: [{ name: log, imagePullPolicy: Always }] } } }')),
      ),
      [storage!, POLICY],
    ],
    [
      'a list of patches',
      overlay('dev', `patchesStrategicMerge:\n- |\n${ofWeb('{ replicas: 2 }').replace(/^/gm, '    ')}`),
      [storage!, POLICY],
    ],
    [
      'an operation',
      overlay(
        'dev',
        'patches:\n- target: { kind: Deployment }\n  patch: "[{ op: replace, path: /spec/replicas, value: 2 }]"\n',
      ),
      [storage!, POLICY],
    ],
    [
      'an operation on what it is in',
      patched(
        'dev',
        '- { op: replace, path: /spec/resources, value: {} }\n',
        ', target: { kind: PersistentVolumeClaim }',
      ),
      [replicas!],
    ],
    [
      'an operation on another field',
      patched(
        'dev',
        '- { op: replace, path: /spec/resource, value: {} }\n',
        ', target: { kind: PersistentVolumeClaim }',
      ),
      ALL,
    ],
    [
      'an operation that tests',
      patched('dev', '- { op: test, path: /spec/replicas, value: 2 }\n', ', target: { kind: Deployment }'),
      ALL,
    ],
    ['the field `replicas`', overlay('dev', 'replicas: [{ name: web, count: 2 }]\n'), [storage!, POLICY]],
    ['the field `replicas` for another name', overlay('dev', 'replicas: [{ name: db, count: 2 }]\n'), ALL],
    [
      'a replacement',
      overlay(
        'dev',
        'replacements:\n- source: { kind: ConfigMap, name: a, fieldPath: data.size }\n  targets:\n  - select: { kind: PersistentVolumeClaim }\n    fieldPaths: [spec.resources.requests.storage]\n',
      ),
      [replicas!],
    ],
    [
      'a replacement that leaves this object out',
      overlay(
        'dev',
        'replacements:\n- targets:\n  - select: { kind: PersistentVolumeClaim }\n    reject: [{ name: data }]\n    fieldPaths: [spec.resources.requests.storage]\n',
      ),
      ALL,
    ],
    [
      'replacements in a file, by the name of a container',
      {
        ...overlay('dev', 'replicas: [{ name: web, count: 2 }]\nreplacements: [{ path: r.yaml }]\n'),
        'overlays/dev/r.yaml':
          'targets:\n- select: { kind: Deployment }\n  fieldPaths: ["spec.template.spec.containers.[name=web].imagePullPolicy"]\n',
      },
      [storage!],
    ],
    ['two overlays that both do', { ...patched('dev', STORAGE), ...patched('prod', STORAGE) }, [replicas!]],
    ['two overlays of which one does', { ...patched('dev', STORAGE), ...overlay('prod', '') }, ALL],
    ['the other one of the two', { ...overlay('dev', ''), ...patched('prod', STORAGE) }, ALL],
    [
      'another environment that does not use the base',
      { ...patched('dev', STORAGE), 'overlays/other/web.yaml': WORKLOAD.replace('REPLICAS', '1') },
      [replicas!],
    ],
    [
      'two overlays of one environment of which one does',
      {
        ...patched('dev/a', STORAGE),
        'overlays/dev/a/kustomization.yaml': 'resources: [../../../base]\npatches: [{ path: patch.yaml }]\n',
        'overlays/dev/b/kustomization.yaml': 'resources: [../../../base]\n',
      },
      ALL,
    ],
    [
      'a kustomization between',
      {
        ...patched('dev', STORAGE),
        'overlays/dev/kustomization.yaml': 'resources: [../../mid]\n',
        'mid/kustomization.yaml': `resources: [../base]\n${inline(STORAGE)}`,
      },
      [replicas!],
    ],
    [
      'a component',
      {
        'overlays/dev/kustomization.yaml': 'resources: [../../base]\ncomponents: [../../size]\n',
        'size/kustomization.yaml': `kind: Component\n${inline(STORAGE)}`,
      },
      [replicas!],
    ],
    [
      'a component that nobody uses',
      { ...overlay('dev', ''), 'size/kustomization.yaml': `kind: Component\n${inline(STORAGE)}` },
      ALL,
    ],
    [
      'the base itself',
      { 'base/kustomization.yaml': `resources: [claim.yaml, web.yaml]\n${inline(STORAGE)}` },
      [replicas!],
    ],
  ])('%s', (_name, files, expected) => {
    expect(problemsIn({ ...BASE, ...files })).toEqual(expected);
  });

  test('in an environment that is written it is told with the name of the environment that does not', () => {
    const files = {
      ...BASE,
      ...patched('dev', STORAGE),
      ...overlay('prod', ''),
      'berth.yaml': 'environments:\n  dev: { paths: [base, overlays/dev] }\n  prod: { paths: [base, overlays/prod] }\n',
    };
    const host = createAnalysisHost({ readPack, onBug: throwBug });
    host.apply({ folders: [{ uri: 'file:///w' }], settings: defaultSettings });
    host.apply({ files: Object.entries(files).map(([path, text]) => ({ uri: `file:///w/${path}`, text })) });
    const [problem, ...more] = host.analysis().diagnostics('file:///w/base/claim.yaml');
    expect([problem?.environments, more]).toEqual([['prod'], []]);
  });

  test('an image that `images` replaces has no tag of its own', () => {
    const latest = WORKLOAD.replace('web:1', 'web:latest').replace('REPLICAS', '1').replace('PULL_POLICY', 'Always');
    const codes = (images: string) =>
      analysisOf(
        { ...BASE, 'base/web.yaml': latest, ...overlay('dev', images) },
        { severity: { 'practice/image-tag': 'warning' } },
      )
        .diagnostics('base/web.yaml')
        .map(it => it.code);
    expect(codes('images: [{ name: web, newTag: "2" }]\n')).toEqual([]);
    expect(codes('images: [{ name: we, newTag: "2" }]\n')).toEqual(['practice/image-tag']);
    expect(codes('images: [{ name: web, newTag: latest }]\n')).toEqual(['practice/image-tag']);
  });

  test('the answer follows the patch, whatever was read first', () => {
    const host = createAnalysisHost({ readPack, onBug: throwBug });
    host.apply({ settings: defaultSettings });
    const found = (files: Files) => {
      host.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
      return host.analysis().diagnostics('base/claim.yaml').length;
    };
    expect(found(BASE)).toBe(1);
    expect(found(patched('dev', STORAGE))).toBe(0);
    expect(found({ 'overlays/dev/patch.yaml': STORAGE.replace('name: data', 'name: other') })).toBe(1);
    expect(found({ 'overlays/dev/patch.yaml': STORAGE })).toBe(0);
    expect(found(overlay('prod', ''))).toBe(1);
  });
});

describe('an object with values that are set later is judged apart from them', () => {
  const pod = (more: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  containers:\n  - name: A\n    image: web:1\n${more}`;
  const messages = (text: string) =>
    analysisOf({ 'a.yaml': text })
      .diagnostics('a.yaml')
      .map(it => `${it.code} ${it.fieldPath}`);
  const NAME = 'apiserver/refused spec.containers[0].name';

  test.each([
    ['a number', '    tty: <% TTY %>\n    ports:\n    - containerPort: <% PORT %>\n', [NAME]],
    [
      'a quantity that others are compared with',
      '    resources: { limits: { cpu: "<% CPU %>" }, requests: { cpu: 500m } }\n',
      [NAME],
    ],
    [
      'a quantity beside a wrong one',
      '    resources: { limits: { cpu: "<% CPU %>", memory: 1Gi }, requests: { memory: 2Gi } }\n',
      [NAME, 'apiserver/refused spec.containers[0].resources.requests'],
    ],
    [
      'a value that the server cannot decode and nobody sets',
      '    tty: <% TTY %>\n    stdin: maybe\n',
      ['decode/type-mismatch spec.containers[0].stdin'],
    ],
    ['an item of a list, which cannot be left out', '  tolerations: ["<% ONE %>"]\n', []],
  ])('%s', (_name, more, expected) => {
    expect(messages(pod(more))).toEqual(expected);
  });

  test('a port that is not known yet is the target port, too', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { type: Best, ports: [{ port: "<% PORT %>" }] }\n';
    expect(messages(service)).toEqual(['apiserver/enum spec.type']);
  });
});
