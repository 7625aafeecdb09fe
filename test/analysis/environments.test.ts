import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { configurationOf, MOST_ENVIRONMENTS } from '../../server/src/analysis/configuration/configuration';
import { pathFinder, pathMatcher } from '../../server/src/analysis/configuration/pathMatcher';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { CONFIGURATION_SCHEMA } from '../../server/src/analysis/features/configuration/schema';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { applyChange, initialState } from '../../server/src/analysis/state/applyChange';
import type { WorkspaceFolder } from '../../server/src/analysis/state/change';
import { type ClusterContent, EMPTY_CONTENT, unreachable } from '../../server/src/cluster/sources/content';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

type Files = Readonly<Record<string, string | undefined>>;

const ROOT = 'file:///ws';

/** A host of one open folder; names of files are paths in it. */
function hostOf(files: Files, folders: readonly WorkspaceFolder[] = [{ uri: ROOT }, { uri: '' }]): AnalysisHost {
  const host = createAnalysisHost({
    readPack,
    onBug: throwBug,
  });
  host.apply({ folders, settings: defaultSettings });
  change(host, files);
  return host;
}

const change = (host: AnalysisHost, files: Files): readonly string[] =>
  host
    .apply({ files: Object.entries(files).map(([path, text]) => ({ uri: `${ROOT}/${path}`, text })) })
    .map(it => it.slice(ROOT.length + 1))
    .sort();

const reader = (name: string, map = 'settings'): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec: { containers: [{ name: web, image: "web:1", envFrom: [{ configMapRef: { name: ${map} } }] }] }
`;
const settings = (name = 'settings', key = 'mode'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { ${key}: fast }\n`;

/** Files that name a ConfigMap which they do not see. */
function missing(host: AnalysisHost): readonly string[] {
  const isMissing = ({ code }: { readonly code: string }): boolean => code === 'references/config-map-missing';
  return host
    .analysis()
    .uris.filter(uri => host.analysis().diagnostics(uri).some(isMissing))
    .map(uri => uri.slice(ROOT.length + 1));
}

describe('environments without a configuration', () => {
  it('folders below overlays, environments, envs and clusters see their own files and those outside of all of them', () => {
    for (const holder of ['overlays', 'environments', 'envs', 'clusters']) {
      const host = hostOf({
        [`${holder}/prod/settings.yaml`]: settings(),
        [`${holder}/prod/web.yaml`]: reader('a'),
        [`${holder}/dev/web.yaml`]: reader('b'),
        [`${holder}/dev/other.yaml`]: reader('c', 'shared'),
        'base/shared.yaml': settings('shared'),
      });
      expect(missing(host)).toEqual([`${holder}/dev/web.yaml`]);
    }
  });

  it('a folder with the same name elsewhere is the same environment, and a nested one sees those around it', () => {
    const host = hostOf({
      'apps/a/overlays/prod/settings.yaml': settings(),
      'apps/b/overlays/prod/web.yaml': reader('a'),
      'clusters/east/settings.yaml': settings('east'),
      'clusters/east/envs/prod/web.yaml': reader('b', 'east'),
      'clusters/west/envs/prod/web.yaml': reader('c', 'east'),
    });
    expect(missing(host)).toEqual(['clusters/west/envs/prod/web.yaml']);
  });

  it('a shared file has the problems that it has in all environments', () => {
    const files = {
      'base/web.yaml': reader('web'),
      'overlays/prod/settings.yaml': settings(),
      'overlays/dev/nothing.yaml': settings('nothing'),
    };
    const host = hostOf(files);
    expect(missing(host)).toEqual([]);
    change(host, { 'overlays/prod/settings.yaml': settings('others') });
    expect(missing(host)).toEqual(['base/web.yaml']);
  });

  it('kustomizations that share a base are variants, others are not', () => {
    const kustomization = (...resources: readonly string[]): string => `resources: [${resources.join(', ')}]\n`;
    const host = hostOf({
      'base/kustomization.yaml': kustomization('web.yaml'),
      'base/web.yaml': reader('web', 'common'),
      'base/common.yaml': settings('common'),
      'prod/kustomization.yaml': kustomization('../base', 'settings.yaml'),
      'prod/settings.yaml': settings(),
      'dev/kustomization.yaml': kustomization('../base', 'job.yaml'),
      'dev/job.yaml': reader('job'),
      'tools/kustomization.yaml': kustomization('tool.yaml'),
      'tools/tool.yaml': reader('tool', 'common'),
    });
    expect(missing(host)).toEqual(['dev/job.yaml']);
  });

  it('loses its objects with its last file', () => {
    const host = hostOf({
      'overlays/prod/web.yaml': reader('web'),
      'overlays/dev/settings.yaml': settings(),
      'overlays/dev/more.yaml': settings('more'),
    });
    expect(missing(host)).toEqual(['overlays/prod/web.yaml']);
    change(host, { 'overlays/dev/settings.yaml': undefined, 'overlays/dev/more.yaml': undefined });
    expect(missing(host)).toEqual(['overlays/prod/web.yaml']);
  });

  it('appears and disappears with its folder', () => {
    const host = hostOf({ 'overlays/prod/web.yaml': reader('a'), 'overlays/dev/settings.yaml': settings() });
    expect(missing(host)).toEqual(['overlays/prod/web.yaml']);
    change(host, { 'overlays/dev/settings.yaml': undefined, 'settings.yaml': settings() });
    expect(missing(host)).toEqual([]);
  });
});

it('each of many environments sees its own files and those that it shares, in the order of all', () => {
  const own = (name: string): string => `kind: ConfigMap\napiVersion: v1\nmetadata: { name: ${name} }\n`;
  const names = ['a', 'b', 'c'].flatMap(it => [`${it}/envs/x`, `${it}/envs/y`]);
  const written = [
    ['base.yaml', own('base')],
    ...['a', 'b'].map(it => [`clusters/${it}/all.yaml`, own('all')]),
    ...names.map(it => [`clusters/${it}/own.yaml`, own('own')]),
    ['shared/one.yaml', own('one')],
    [
      'clusters/c/envs/x/kustomization.yaml',
      'resources: [own.yaml, ../../../../shared/one.yaml, ../../../a/all.yaml]\n',
    ],
    ['clusters/c/envs/y/kustomization.yaml', 'resources: [own.yaml]\n'],
  ];
  const world = { readPack };
  const { files, environments } = applyChange(
    initialState(defaultSettings, world),
    { files: written.map(([path, text]) => ({ uri: `${ROOT}/${path}`, text })) },
    world,
  );
  const { all, of } = environments;
  expect(all.map(it => it.variant)).toEqual(names.map(it => it.replace('envs/', '')));
  const uris = [...files.keys()];
  expect(uris.map(of)).toEqual(uris.map(uri => all.filter(it => it.includes(uri))));
  expect(all.map(it => it.uris(uris))).toEqual(all.map(it => uris.filter(it.includes)));
});

it('environments without settings of their own share those of a large configuration', () => {
  const text =
    'featureGates: { A: true }\nseverity: { a/b: off }\nenvironments:\n  a: { paths: [a] }\n  b: { paths: [b] }\n  c: { paths: [c], namespace: c }\n';
  const world = { readPack };
  const state = applyChange(
    initialState(defaultSettings, world),
    { folders: [{ uri: ROOT }], files: [{ uri: `${ROOT}/berth.yaml`, text }] },
    world,
  );
  const [a, b, c] = state.environments.all;
  expect(b?.settings).toBe(a?.settings);
  expect(b?.index).toBe(a?.index);
  expect([c?.settings.namespace, c?.settings.featureGates]).toEqual(['c', a?.settings.featureGates]);
  expect(c?.settings.severity).toBe(a?.settings.severity);
});

it('a file with very many objects is checked in the first of its environments, and says so', () => {
  const declared = Array.from({ length: 12 }, (_, i) => `  e${i}: { paths: [.] }\n`);
  const others = (count: number): string => '---\napiVersion: example.com/v1\nkind: Own\n'.repeat(count);
  const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n';
  const files = { 'few.yaml': pod + others(3), 'many.yaml': pod + others(4_999) };
  const host = hostOf({ 'berth.yaml': `environments:\n${declared.join('')}`, ...files });
  const told = (path: string) => {
    const { diagnostics } = host.analysis();
    const codes = ['berth/unchecked-environments', 'apiserver/required'];
    const found = diagnostics(`${ROOT}/${path}`).filter(it => codes.includes(it.code));
    return found.map(it => `${it.environments?.length ?? ''} ${it.message}`);
  };
  expect(told('few.yaml')).toEqual([expect.stringMatching(/^12 .*spec/)]);
  expect(told('many.yaml')).toEqual([
    ' This file has 5,000 objects and belongs to 12 environments: it is checked in the first 10 of them.',
    expect.stringMatching(/^10 .*spec/),
  ]);
});

it('files are checked in fewer environments where all together are too much, whatever was edited before', () => {
  const declared = Array.from({ length: 300 }, (_, i) => `  e${i}: { paths: [.] }\n`);
  const objects = (count: number): string => '---\napiVersion: example.com/v1\nkind: Own\n'.repeat(count);
  const files = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`${i}.yaml`, objects(10)]));
  const berth = { 'berth.yaml': `environments:\n${declared.join('')}` };
  const host = hostOf({ ...berth, ...files });
  const uncheckedIn = (it: AnalysisHost) =>
    it
      .analysis()
      .diagnostics(`${ROOT}/0.yaml`)
      .flatMap(({ code, message }) => (code === 'berth/unchecked-environments' ? [message] : []));
  expect(uncheckedIn(host)).toEqual([]);

  expect(change(host, { 'more.yaml': objects(10) })).toHaveLength(18);
  const told =
    'This file belongs to 300 environments: it is checked in the first 200 of them, as there are many such files.';
  expect(uncheckedIn(host)).toEqual([told]);
  expect(uncheckedIn(hostOf({ 'more.yaml': objects(10), ...files, ...berth }))).toEqual([told]);
  expect(change(host, { 'more.yaml': objects(11) })).toEqual(['more.yaml']);
  expect(uncheckedIn(host)).toEqual([told]);

  expect(change(host, { 'more.yaml': objects(6) })).toHaveLength(18);
  expect(uncheckedIn(host)).toEqual([]);
  change(host, { 'more.yaml': objects(10) });
  expect(uncheckedIn(host)).toEqual([told]);
  change(host, { '1.yaml': undefined });
  expect(uncheckedIn(host)).toEqual([]);
});

it('that files are checked in fewer of the guessed environments is told once', () => {
  const objects = '---\napiVersion: example.com/v1\nkind: Own\n'.repeat(10);
  const shared = Array.from({ length: 16 }, (_, i) => [`${i}.yaml`, objects]);
  const host = (folders: number) =>
    hostOf(
      Object.fromEntries([...shared, ...Array.from({ length: folders }, (_, i) => [`clusters/c${i}/a.yaml`, objects])]),
    ).analysis();
  expect([host(300).status.notes, host(320).status.notes]).toEqual([
    [],
    [expect.stringMatching(/some files belong to 320 of them: these files are checked in the first 200\. A/)],
  ]);
  expect(
    host(320)
      .diagnostics(`${ROOT}/0.yaml`)
      .map(it => it.code),
  ).not.toContain('berth/unchecked-environments');
});

describe('environments of berth.yaml', () => {
  const berth = `environments:
  prod: { paths: [base, "deploy/*/prod"], namespace: shop }
  dev: { paths: [base, deploy/dev.yaml], kubernetesVersion: "1.31" }
`;
  const files = {
    'berth.yaml': berth,
    'base/web.yaml': reader('web'),
    'deploy/a/prod/settings.yaml': settings().replace('name: settings', 'name: settings, namespace: shop'),
    'deploy/dev.yaml': reader('job', 'none'),
    'else/web.yaml': reader('other'),
  };

  it('a problem names its environments unless it is in all of them', () => {
    const host = hostOf(files);
    expect(missing(host)).toEqual(['base/web.yaml', 'deploy/dev.yaml', 'else/web.yaml']);
    const told = (path: string) =>
      host
        .analysis()
        .diagnostics(`${ROOT}/${path}`)
        .map(({ message, environments }) => [message.endsWith('(in the environment dev)'), environments]);
    expect(told('base/web.yaml')).toEqual([[true, ['dev']]]);
    expect(told('deploy/dev.yaml')).toEqual([[false, ['dev']]]);
    expect(told('else/web.yaml')).toEqual([[false, undefined]]);
  });

  it('each has its own settings, and navigation covers all of them', () => {
    const { uris, environmentsOf, definition } = hostOf(files).analysis();
    const web = `${ROOT}/base/web.yaml`;
    expect(uris.map(it => environmentsOf(it))).toEqual([[], ['prod', 'dev'], ['prod'], ['dev'], []]);
    const link = definition(web, files['base/web.yaml'].indexOf('settings'));
    expect(link?.locations.map(it => it.uri)).toEqual([`${ROOT}/deploy/a/prod/settings.yaml`]);
  });

  it('is applied at once when it changes', () => {
    const host = hostOf(files);
    change(host, { 'berth.yaml': 'namespace: shop\n' });
    expect(missing(host)).toEqual(['deploy/dev.yaml']);
    change(host, { 'berth.yaml': undefined, 'berth.yml': 'severity: { references/config-map-missing: "off" }\n' });
    expect(missing(host)).toEqual([]);
  });

  it('an edit without a new meaning touches no other file, and a later one with one counts for all', () => {
    const host = hostOf(files);
    const typed = `# for the shop\nsev\n${files['berth.yaml']}`;
    expect(change(host, { 'berth.yaml': typed })).toEqual(['berth.yaml']);
    const { diagnostics } = host.analysis();
    const unknown = diagnostics(`${ROOT}/berth.yaml`).find(it => it.severity === 'error');
    expect(typed.slice(unknown?.span.start, unknown?.span.end)).toBe('sev');
    const before = missing(host);
    change(host, { 'base/more.yaml': reader('more') });
    expect(missing(host)).toEqual([...before, 'base/more.yaml']);
    change(host, { 'berth.yaml': 'severity: { references/config-map-missing: "off" }\n' });
    expect(missing(host)).toEqual([]);
  });

  it('environments with new facts have the files of the old ones', () => {
    const host = hostOf(files);
    const before = missing(host);
    const version = `kubernetesVersion: "1.36"\n${files['berth.yaml']}`;
    change(host, { 'berth.yaml': version, 'base/web.yaml': undefined, 'base/again.yaml': files['base/web.yaml'] });
    change(host, { 'berth.yaml': files['berth.yaml'], 'base/again.yaml': undefined });
    change(host, { 'base/web.yaml': files['base/web.yaml'] });
    expect(missing(host)).toEqual(before);
  });

  it('has problems at their locations, with a fix for a typo', () => {
    const text =
      'completeSources: maybe\nenvironments:\n  prod:\n    path: [base]\n    paths: [base]\nseverity: { decode/unkown-field: error }\n';
    const host = hostOf({ 'berth.yaml': text, 'base/web.yaml': settings() });
    const problems = host.analysis().diagnostics(`${ROOT}/berth.yaml`);
    const shown = problems.map(({ span, severity, message }) => [text.slice(span.start, span.end), severity, message]);
    expect(shown.sort()).toEqual([
      ['decode/unkown-field', 'warning', expect.stringContaining('did you mean "decode/unknown-field"?')],
      ['maybe', 'error', 'completeSources must be true or false.'],
      ['path', 'error', expect.stringMatching(/^environments\.prod: "path" is not one of: .*did you mean "paths"\?$/)],
    ]);
    const [{ fix } = { fix: undefined }] = host.analysis().fixes(`${ROOT}/berth.yaml`, problems.at(-1)!.span);
    expect([fix?.title, fix?.edits[0]?.newText]).toEqual(['Rename to paths', 'paths']);
  });
});

describe('a base that an environment does not have', () => {
  const app = { 'app/kustomization.yaml': 'resources: [../base]\n' };
  const base = { 'base/kustomization.yaml': 'resources: []\n' };
  const config = { 'berth.yaml': 'environments: { prod: { paths: [base], kubernetesVersion: "1.36" } }\n' };
  const found = { pathKinds: [{ uri: `${ROOT}/base`, what: 'folder' as const }] };
  const told = (host: AnalysisHost): readonly string[] =>
    host
      .analysis()
      .diagnostics(`${ROOT}/app/kustomization.yaml`)
      .map(it => it.message);
  const problem = ['the folder "../base" has no kustomization.yaml'];

  it.each([
    ['after the folder was looked at', (host: AnalysisHost) => change(host, base)],
    [
      'with new settings',
      (host: AnalysisHost) => change(host, { ...base, 'berth.yaml': `${config['berth.yaml']}#\n` }),
    ],
  ])('is no problem once it has a kustomization, %s', (_name, comes) => {
    const host = hostOf({ ...config, ...app });
    host.apply(found);
    expect(told(host)).toEqual(problem);
    comes(host);
    expect(told(host)).toEqual([]);
    change(host, { 'base/kustomization.yaml': undefined });
    host.apply(found);
    expect(told(host)).toEqual(problem);
  });

  it('is no problem where its kustomization came while the folder was looked at', () => {
    const host = hostOf({ ...config, ...app, ...base });
    host.apply(found);
    expect(told(host)).toEqual([]);
  });
});

describe('a berth.yaml that does not fit its workspace', () => {
  it('has problems for unknown gates and for paths without files', () => {
    const text = 'featureGates: { NoSuchGate: true }\nenvironments: { prod: { paths: [base, overlays/prdo] } }\n';
    const host = hostOf({ 'berth.yaml': text, 'base/web.yaml': settings() });
    const problems = host.analysis().diagnostics(`${ROOT}/berth.yaml`);
    expect(problems.map(({ span, message }) => [text.slice(span.start, span.end), message])).toEqual([
      ['NoSuchGate', 'Kubernetes 1.37 has no feature gate NoSuchGate.'],
      ['overlays/prdo', 'no manifest is at "overlays/prdo", seen from the folder of this file.'],
    ]);
  });
});

describe('a cluster that berth.yaml names', () => {
  it('has a problem as long as it cannot be used', () => {
    const text = 'environments: { prod: { paths: [base], cluster: "snapshot:prod.yaml" }, dev: { paths: [base] } }\n';
    const host = hostOf({ 'berth.yaml': text, 'base/web.yaml': reader('web') });
    const told = (): readonly string[][] =>
      host
        .analysis()
        .diagnostics(`${ROOT}/berth.yaml`)
        .map(({ span, message }) => [text.slice(span.start, span.end), message]);
    const [wish] = host.analysis().clusterRequests;
    const tell = (content: ClusterContent): readonly string[] =>
      host.apply({ clusters: [{ key: wish?.key ?? '', content }] });
    expect(tell(unreachable('there is no such file'))).toContain(`${ROOT}/berth.yaml`);
    const clause = 'the cluster snapshot:prod.yaml cannot be used: there is no such file.';
    expect(told()).toEqual([['"snapshot:prod.yaml"', clause]]);
    tell(EMPTY_CONTENT);
    expect(told()).toEqual([]);
  });
});

describe('files that are checked again', () => {
  it('berth.yaml, when a file is added or removed that its paths may match', () => {
    const host = hostOf({ 'berth.yaml': 'environments: { prod: { paths: [base] } }\n', 'web.yaml': reader('web') });
    const warnings = (): number => host.analysis().diagnostics(`${ROOT}/berth.yaml`).length;
    expect(warnings()).toBe(1);
    expect(change(host, { 'base/settings.yaml': settings() })).toContain('berth.yaml');
    expect(warnings()).toBe(0);
    expect(change(host, { 'base/settings.yaml': undefined })).toContain('berth.yaml');
    expect(warnings()).toBe(1);
    expect(change(host, { 'web.yaml': reader('other') })).toEqual(['web.yaml']);
  });

  const inShop = (text: string): string => text.replaceAll(/metadata: \{ /g, 'metadata: { namespace: shop, ');
  const shared = (first: string): string => inShop(`${settings(first)}---\n${settings()}`);
  const files = {
    'a.yaml': inShop(reader('a')),
    'b.yaml': inShop(reader('b', 'others')),
    'settings.yaml': shared('spare'),
    'others.yaml': inShop(settings('others')),
  };
  const diagnosed = (given: Files): AnalysisHost => {
    const host = hostOf(given);
    for (const uri of host.analysis().uris) host.analysis().diagnostics(uri);
    return host;
  };

  it('files with references to what changed, and no others', () => {
    const host = diagnosed(files);
    expect(change(host, { 'settings.yaml': inShop(settings('spare')) })).toEqual(['a.yaml', 'settings.yaml']);
    expect(missing(host)).toEqual(['a.yaml']);
  });

  it('files with missing references to what is added', () => {
    const host = diagnosed({
      'a.yaml': files['a.yaml'],
      'secret.yaml': files['others.yaml'].replace('ConfigMap', 'Secret'),
    });
    expect(change(host, { 'new.yaml': inShop(settings()) })).toEqual(['a.yaml', 'new.yaml']);
    expect(missing(host)).toEqual([]);
  });

  it('no other file when an object only moves', () => {
    const host = diagnosed(files);
    expect(change(host, { 'settings.yaml': shared('longer-than-before') })).toEqual(['settings.yaml']);
  });

  it('an earlier analysis stays unchanged', () => {
    const host = diagnosed(files);
    const before = host.analysis();
    change(host, { 'settings.yaml': undefined });
    expect(before.diagnostics(`${ROOT}/a.yaml`)).toEqual([]);
    expect(host.analysis().diagnostics(`${ROOT}/a.yaml`)).toHaveLength(1);
  });

  it('fixes of earlier findings apply to the current text', () => {
    const host = diagnosed({ 'a.yaml': reader('a', 'setings'), 'settings.yaml': settings() });
    const uri = `${ROOT}/a.yaml`;
    const [problem] = host.analysis().diagnostics(uri);
    change(host, { 'b.yaml': settings('x').replace('ConfigMap', 'Secret') });
    expect(host.analysis().diagnostics(uri)[0]).toBe(problem);
    const titles = host
      .analysis()
      .fixes(uri, problem!.span)
      .map(({ fix }) => fix.title);
    expect(titles.some(it => it.includes('settings'))).toBe(true);
  });
});

describe('help in berth.yaml', () => {
  /** `|` stands where the caret is. */
  const at = (marked: string) => {
    const offset = marked.indexOf('|');
    const analysis = hostOf({ 'berth.yaml': marked.replace('|', '') }).analysis();
    const uri = `${ROOT}/berth.yaml`;
    const completed = (): readonly string[] => analysis.completion(uri, offset).items.map(it => it.insert);
    return { completed, hover: analysis.hover(uri, offset)?.markdown };
  };

  it('completes missing keys at the top and in an environment', () => {
    const top = at('namespace: shop\n|').completed();
    expect(top).toEqual(expect.arrayContaining(['severity:', 'kubernetesVersion: ', 'environments:']));
    expect(top).not.toContain('namespace: ');
    const inner = at('environments:\n  prod:\n    paths: [base]\n    n|').completed();
    expect(inner).toContain('namespace: ');
    expect(inner).not.toContain('environments:');
  });

  it('completes values and codes', () => {
    expect(at('kubernetesVersion: |').completed()).toContain('"1.36"');
    expect(at('completeSources: |').completed()).toEqual(['true', 'false']);
    expect(at('severity:\n  decode/|').completed()).toContain('decode/unknown-field: ');
    expect(at('severity:\n  decode/unknown-field: |').completed()).toContain('off');
  });

  it('explains keys and codes', () => {
    expect(at('name|space: shop').hover).toContain('objects that are written without one');
    expect(at('environments: { prod: { pa|ths: [base] } }').hover).toContain('patterns');
    expect(at('severity: { decode/unknown-|field: off }').hover).toContain('**Why:**');
    expect(at('nothing|: 1').hover).toBeUndefined();
  });
});

describe('the schema of berth.yaml', () => {
  it('is the one that other editors are given', () => {
    const path = join(import.meta.dirname, '../../syntaxes/berth.schema.json');
    if (process.env.UPDATE === '1') writeFileSync(path, `${JSON.stringify(CONFIGURATION_SCHEMA, undefined, 2)}\n`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(CONFIGURATION_SCHEMA);
  });

  it('accepts what the reader accepts, and nothing else at the top', () => {
    const isValid = new Ajv({ strict: false }).compile(CONFIGURATION_SCHEMA);
    expect(isValid({ kubernetesVersion: '1.36', environments: { prod: { paths: ['base'], namespace: 'shop' } } })).toBe(
      true,
    );
    expect(isValid({ colour: 'red' })).toBe(false);
    expect(isValid({ environments: { prod: {} } })).toBe(false);
  });
});

describe('placement in environments of berth.yaml', () => {
  const node = (name: string, disk: string): string =>
    `apiVersion: v1\nkind: Node\nmetadata: { name: ${name}, labels: { disk: ${disk} } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }\n`;
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  nodeSelector: { disk: ssd }\n  containers: [{ name: web, image: "web:1" }]\n';
  const files = {
    'berth.yaml': 'environments: { east: { paths: [apps, nodes/east], namespace: shop, schedulerConfig: s.yaml } }\n',
    's.yaml':
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{ schedulerName: default-scheduler }]\n',
    'apps/web.yaml': pod,
    'nodes/east/n.yaml': node('e1', 'ssd'),
    'nodes/west/n.yaml': node('w1', 'ssd'),
  };
  const lens = (given: Files): string | undefined =>
    hostOf(given).analysis().codeLenses(`${ROOT}/apps/web.yaml`)[0]?.title;

  it('all files of an environment are one cluster, whatever folders its nodes are in', () => {
    expect(lens(files)).toMatch(/^lands on e1/);
    expect(lens({ ...files, 'berth.yaml': undefined })).not.toMatch(/e1|w1/);
  });

  it('uses the scheduler configuration that it names', () => {
    const other = files['s.yaml'].replace('schedulerName: default-scheduler', 'schedulerName: other');
    expect(lens({ ...files, 's.yaml': other })).not.toMatch(/^lands on/);
  });
});

describe('a path of an environment', () => {
  const stars = `${'**a'.repeat(40)}b`;

  it.each([
    ['base', ['base', 'base/web.yaml'], ['bases/web.yaml', 'x/base']],
    ['.', ['web.yaml', 'base/web.yaml'], ['../web.yaml', '/web.yaml']],
    ['deploy/*/prod', ['deploy/web/prod/a.yaml'], ['deploy/a/b/prod/a.yaml', 'deploy/prod/a.yaml']],
    ['deploy/**/prod', ['deploy/prod/a.yaml', 'deploy/a/b/prod'], ['deploy/a/b/production']],
    ['*.yaml', ['web.yaml'], ['a/web.yaml', 'webyaml']],
    ['**.yaml', ['web.yaml', 'a/web.yaml'], ['web.yml']],
    ['a+(b)', ['a+(b)/web.yaml'], ['aab/web.yaml']],
    [stars, [`${'a'.repeat(200)}b`], ['a'.repeat(200)]],
  ])('%s names what it says, and takes no time for it', (path, named, others) => {
    const isNamed = pathMatcher([path], '.');
    expect([...named, ...others].filter(isNamed)).toEqual(named);
  });
});

it.each(['.', '/ws', 'file:///ws', ''])(
  'paths of many environments name together what each names, from the folder "%s"',
  folder => {
    const steps = ['a', 'b', 'a.yaml', '..', '*', '**', 'a*', '.'];
    const paths = [...steps, ...steps.flatMap(one => steps.map(two => `${one}/${two}`)), '/ws/a', '/', ''];
    const lists = paths.map((it, i) => [it, paths[(i * 7) % paths.length] ?? '']);
    const find = pathFinder(lists, folder);
    const matchers = lists.map(it => pathMatcher(it, folder));
    const below = ['', 'a', 'a/b', 'a/b/a.yaml', 'b/a', 'a.yaml', 'b//a', '../a', '../../b/a.yaml', 'c/', 'c'];
    for (const uri of below.flatMap(it => [it, `/${it}`, `${folder}/${it}`, `/ws/${it}`, `file:///${it}`]))
      expect(find(uri)).toEqual(matchers.flatMap((isNamed, i) => (isNamed(uri) ? [i] : [])));
  },
);

it('a file is not looked up in each of many environments', () => {
  const declared = Array.from({ length: 200 }, (_, i) => `  e${i}: { paths: [base, envs/e${i}], namespace: n${i} }\n`);
  const asked = { count: 0 };
  const absolute = (uri: string): string => {
    asked.count += 1;
    return uri;
  };
  const host = createAnalysisHost({ readPack, onBug: throwBug, absolute });
  host.apply({ folders: [{ uri: ROOT }, { uri: '' }], settings: defaultSettings });
  const own = Array.from({ length: 200 }, (_, i) => [`envs/e${i}/map.yaml`, settings(`own${i}`)]);
  change(host, { 'berth.yaml': `environments:\n${declared.join('')}`, ...Object.fromEntries(own) });
  expect(asked.count).toBeLessThan(2_000);
});

it('a configuration with too many environments reports how many are not read', () => {
  const entries = Array.from({ length: MOST_ENVIRONMENTS + 5 }, (_, i) => `  e${i}: { paths: ["a${i}/**"] }\n`);
  const { environments, problems } = configurationOf('berth.yaml', `environments:\n${entries.join('')}`);
  expect(environments).toHaveLength(MOST_ENVIRONMENTS);
  expect(problems.map(it => it.clause)).toEqual([
    'environments has 1,005 entries; the first 1,000 are read, those from here on are not',
  ]);
});
