import { describe, expect, test } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { WorkspaceChange } from '../../server/src/analysis/state/change';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

const root = 'file:///ws';
const BASE = `${root}/base/api.yaml`;
const PATCH = `${root}/overlays/prod/size.yaml`;

const deployment = (name: string, replicas: number, cpu: string, metadata = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}${metadata}
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
      - name: main
        image: nginx:1.27
        resources: { requests: { cpu: ${cpu} } }
`;
const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: { name: ${name} }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
`;
const overlay = (name: string): string => `namespace: ${name}\nresources: [../../base]\n`;

const FILES: Readonly<Record<string, string>> = {
  [`${root}/cluster/nodes.yaml`]: `${node('node-a')}---\n${node('node-b')}`,
  [`${root}/base/kustomization.yaml`]: 'resources: [api.yaml, gateway.yaml]\n',
  [BASE]: deployment('api', 1, '500m'),
  [`${root}/base/gateway.yaml`]: deployment('api-gateway', 1, '100m'),
  [`${root}/overlays/dev/kustomization.yaml`]: overlay('dev'),
  [`${root}/overlays/prod/kustomization.yaml`]: `${overlay('prod')}namePrefix: live-\npatches: [{ path: size.yaml }]\n`,
  [PATCH]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api }\nspec: { replicas: 3 }\n',
};

const OUTPUTS: Readonly<Record<string, string>> = {
  dev: [
    deployment('api', 1, '500m', '\n  namespace: dev'),
    deployment('api-gateway', 1, '100m', '\n  namespace: dev'),
  ].join('---\n'),
  prod: [
    deployment('live-api', 3, '9', '\n  namespace: prod'),
    deployment('live-api-gateway', 1, '100m', '\n  namespace: prod'),
  ].join('---\n'),
};

function emptyHost(): AnalysisHost {
  const host = createAnalysisHost({
    readPack,
    onBug: throwBug,
  });
  host.apply({ settings: { ...defaultSettings, foreignFiles: 'skip' } });
  return host;
}

/** The workspace, with what kustomize makes of some of its overlays. */
function analysisOf(outputs: Readonly<Record<string, string>>) {
  const host = emptyHost();
  host.apply({
    files: Object.entries(FILES).map(([uri, text]) => ({ uri, text })),
  });
  const jobs = host.analysis().renderJobs;
  host.apply({
    rendered: Object.entries(outputs).flatMap(([name, text]) =>
      jobs.filter(it => it.folder.endsWith(`/${name}`)).map(job => ({ job, text })),
    ),
  });
  return host.analysis();
}

const titles = (outputs: Readonly<Record<string, string>>, uri: string): readonly string[] =>
  analysisOf(outputs)
    .codeLenses(uri)
    .map(it => it.title);

describe('a base that overlays render', () => {
  test.each([
    [
      'a base',
      BASE,
      [
        'overlay dev: lands on node-a (or 1 equal) · 2 of 2 nodes fit',
        'overlay prod: 0 of 3 Pods land · 2 Insufficient cpu',
      ],
    ],
    ['a patch', PATCH, [/^overlay prod: 0 of 3 Pods land/]],
    ['one with a longer name', `${root}/base/gateway.yaml`, [/^overlay dev: lands on/, /^overlay prod: lands on/]],
  ])('%s says where each overlay lands, and opens it', (_, uri, expected) => {
    const lenses = analysisOf(OUTPUTS).codeLenses(uri);
    expect(lenses.map(it => it.title)).toEqual(
      expected.map(it => (typeof it === 'string' ? it : expect.stringMatching(it))),
    );
    for (const it of lenses) expect(it.title.length).toBeLessThanOrEqual(60);
    const folders = lenses.map(it => it.source?.split('/').at(-2));
    expect(folders).toEqual(expected.length === 1 ? ['prod'] : ['dev', 'prod']);
  });

  test('is placed as it is written until it is rendered; its patch never is', () => {
    expect(titles({}, BASE)).toEqual([expect.stringMatching(/^lands on/)]);
    expect(titles({}, PATCH)).toEqual([]);
  });

  test('is not listed beside what is rendered from it, and leads to where it is written', () => {
    const { pods, environment, choices } = analysisOf(OUTPUTS).preview({ uri: BASE, offset: 0 });
    expect(pods.map(it => it.id)).toEqual(['dev/api-1', 'dev/api-gateway-1']);
    expect(pods.map(it => it.source?.uri)).toEqual([BASE, `${root}/base/gateway.yaml`]);
    expect([environment, choices.environments]).toEqual(['dev', ['dev', 'prod']]);
  });

  test('is chosen in the overlay that is asked for', () => {
    const whatIf = { changes: [], environment: 'prod' };
    const model = analysisOf(OUTPUTS).preview({ uri: BASE, offset: 0, whatIf });
    expect([model.environment, model.chosen]).toEqual(['prod', 'prod/live-api-1']);
    expect(model.pods).toHaveLength(4);
  });

  test('has a line for each overlay in its hover', () => {
    const hover = analysisOf(OUTPUTS).hover(BASE, FILES[BASE]!.indexOf('Deployment'));
    expect(hover?.markdown).toContain('**Deployment api (overlay dev)** lands on node-a');
    expect(hover?.markdown).toContain('**Deployment live-api (overlay prod)** 0 of 3 Pods land');
  });

  test('has the hints of its own text where overlays differ', () => {
    const labels = analysisOf(OUTPUTS)
      .inlayHints(BASE)
      .map(it => it.label);
    expect(labels).toEqual(['requests 500m CPU · Burstable']);
  });
});

describe('a base that one environment builds alone and another in an overlay', () => {
  const ENVIRONMENTS = `environments:
  dev: { paths: [base, overlays/dev, cluster] }
  prod: { paths: [base, overlays/prod, cluster], kubernetesVersion: "1.36" }
`;
  const OVERLAY = `${root}/overlays/dev/kustomization.yaml`;
  const files: Readonly<Record<string, string>> = {
    ...FILES,
    [`${root}/berth.yaml`]: ENVIRONMENTS,
    [`${root}/overlays/prod/kustomization.yaml`]: '- not a kustomization\n',
  };
  const { [OVERLAY]: overlayOfDev, ...others } = files;
  const all = Object.entries(others).map(([uri, text]) => ({ uri, text }));
  const added = [{ uri: OVERLAY, text: overlayOfDev }];
  const removed = [{ uri: OVERLAY, text: undefined }];

  /** What is known after some changes, each a list of files; after the one with this number the base is rendered. */
  function lensesAfter(
    changes: readonly NonNullable<WorkspaceChange['files']>[],
    renderedAfter: number,
  ): readonly string[] {
    const host = emptyHost();
    host.apply({ folders: [{ uri: root }] });
    for (const [i, changed] of changes.entries()) {
      host.apply({ files: changed });
      const jobs = host.analysis().renderJobs.filter(it => it.source === `${root}/base/kustomization.yaml`);
      const text = deployment('api', 3, '9');
      if (i === renderedAfter) host.apply({ rendered: jobs.map(job => ({ job, text })) });
    }
    return host
      .analysis()
      .codeLenses(BASE)
      .map(it => it.title);
  }

  test.each([
    ['all files were read', [[...all, ...added]], 0],
    ['the overlay was not read yet', [all, added], 0],
    ['the overlay was removed and came back', [all, added, removed, added], 2],
  ])('is rendered in the former only, also if rendered when %s', (_name, changes, renderedAfter) => {
    expect(lensesAfter(changes, renderedAfter)).toEqual([
      'lands on node-a (or 1 equal) · 2 of 2 nodes fit',
      '0 of 3 Pods land · 2 Insufficient cpu',
    ]);
  });
});

describe('a base that many overlays render', () => {
  const MISSING = deployment('web', 1, '100m').replace(
    'nginx:1.27',
    'nginx:1.27\n        envFrom: [{ configMapRef: { name: web } }]',
  );
  const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n';
  const WEB = `${root}/base/web.yaml`;

  /** The workspace with so many rendered overlays; those with these numbers lack the ConfigMap of the base. */
  function hostWith(count: number, lacking: readonly number[]): AnalysisHost {
    const host = emptyHost();
    const names = Array.from({ length: count }, (_, i) => `o${i}`);
    const kustomization = (name: string, i: number): string =>
      `namespace: ${name}\nresources: [../../base${lacking.includes(i) ? '' : ', map.yaml'}]\n`;
    const texts = [
      [`${root}/base/kustomization.yaml`, 'resources: [web.yaml]\n'],
      [WEB, MISSING],
      ...names.map((it, i) => [`${root}/overlays/${it}/kustomization.yaml`, kustomization(it, i)]),
      ...names.flatMap((it, i) => (lacking.includes(i) ? [] : [[`${root}/overlays/${it}/map.yaml`, MAP]])),
    ];
    host.apply({ files: texts.map(([uri = '', text = '']) => ({ uri, text })) });
    const into = (text: string, name: string): string => text.replace(/name: web\b/, `name: web\n  namespace: ${name}`);
    host.apply({
      rendered: host.analysis().renderJobs.flatMap(job => {
        const i = names.findIndex(it => job.folder.endsWith(`/${it}`));
        if (i < 0) return [];
        const map = `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  namespace: o${i}\n`;
        return [{ job, text: `${into(MISSING, `o${i}`)}${lacking.includes(i) ? '' : map}` }];
      }),
    });
    return host;
  }

  const messagesAt = (host: AnalysisHost): readonly string[] =>
    host
      .analysis()
      .diagnostics(WEB)
      .map(it => it.message);

  test.each([
    ['the first', [0]],
    ['one in the middle', [3]],
    ['the last', [7]],
  ])('tells what %s of them alone lacks', (_, lacking) => {
    expect(messagesAt(hostWith(8, lacking))).toEqual([expect.stringContaining(`overlay o${lacking[0]}`)]);
  });

  test('tells nothing where none lacks anything', () => {
    expect(messagesAt(hostWith(4, []))).toEqual([]);
  });

  test('tells once what many lack, with the namespace of one of them', () => {
    const all = Array.from({ length: 12 }, (_, i) => i);
    expect(messagesAt(hostWith(12, all))).toEqual([
      'ConfigMap "web" of namespace "o0" is not defined in this workspace (overlay o0, and the same in 11 more)',
    ]);
  });

  test.each([
    ['nothing is wrong with it', () => []],
    ['all have the same problem', (count: number) => Array.from({ length: count }, (_, i) => i)],
  ])('is looked at in few of them, where %s', (_, lacking) => {
    const stepsWith = (count: number): number => {
      const host = hostWith(count, lacking(count));
      host.apply({ files: [{ uri: WEB, text: MISSING.replace('1.27', '1.28') }] });
      return [...host.analysis().diagnosticsInSteps(WEB, 'quick')].length;
    };
    expect(stepsWith(32)).toBe(stepsWith(8));
  });
});
