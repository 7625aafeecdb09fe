import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolOptions, ToolResult } from '../../server/src/analysis/rendering';
import { type Files, run } from './world';

/** What the real kustomize and helm printed for the folders beside it. */
const recorded = join(import.meta.dirname, '../fixtures/rendered');
const output = (name: string): string => readFileSync(join(recorded, name), 'utf8');
const done = (out: string): ToolResult => ({ end: 'exited', code: 0, out, err: '' });
const failed = (err: string): ToolResult => ({ end: 'exited', code: 1, out: '', err });

function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(join(recorded, folder), { recursive: true }).map(it => String(it).replaceAll('\\', '/'));
  const files = names.filter(it => /\.yaml$/.test(it));
  return Object.fromEntries(files.map(it => [`${folder}/${it}`, output(`${folder}/${it}`)]));
}

interface Told {
  readonly path: string;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number } };
  readonly related: readonly { readonly path: string; readonly range: { readonly start: { readonly line: number } } }[];
}

/** Checks files with tools that answer as told; `started` are their command lines. */
async function check(argv: readonly string[], files: Files, answers: Readonly<Record<string, ToolResult>>) {
  const started: { readonly line: string; readonly options: ToolOptions }[] = [];
  const ended = await run(
    ['check', '--format', 'json', ...argv],
    files,
    '',
    undefined,
    async (command, args, options) => {
      started.push({ line: [command, ...args].join(' '), options });
      return answers[command] ?? { end: 'missing' };
    },
  );
  const report = JSON.parse(ended.out) as { readonly problems: readonly Told[]; readonly error?: string };
  const told = report.problems.map(it => `${it.path}:${it.range.start.line + 1} ${it.code}`);
  return { ...ended, report, told, started };
}

describe('a kustomization that is rendered', () => {
  const files = filesOf('app');

  test('is judged as built, each problem where its value is written', async () => {
    const { told, started } = await check(['--render', '.'], files, { kustomize: done(output('kustomize.out')) });
    expect(told).toEqual([
      'app/base/web.yaml:11 apiserver/enum',
      'app/base/web.yaml:14 apiserver/refused',
      'app/prod/kustomization.yaml:7 apiserver/refused',
      'app/prod/kustomization.yaml:11 apiserver/enum',
      'app/prod/limits.yaml:14 apiserver/refused',
    ]);
    expect(started.map(it => it.line)).toEqual(['kustomize build .']);
    expect(started[0]!.options).toMatchObject({ cwd: 'app/prod', timeout: 20_000, maxBytes: 16 * 1024 * 1024 });
  });

  test('leads to the built text', async () => {
    const { report } = await check(['--render', '.'], files, { kustomize: done(output('kustomize.out')) });
    const [{ path, range }] = report.problems.find(it => it.path.endsWith('limits.yaml'))!.related as [
      Told['related'][0],
    ];
    expect(path).toBe('berth-rendered:app/prod/rendered.yaml');
    expect(output('kustomize.out').split('\n')[range.start.line]).toContain('containerPort: 99999');
  });

  test('is built by kubectl where there is no kustomize', async () => {
    const { told, started } = await check(['--render', '.'], files, { kubectl: done(output('kustomize.out')) });
    expect(started.map(it => it.line)).toEqual(['kustomize build .', 'kubectl kustomize .']);
    expect(told).toContain('app/prod/limits.yaml:14 apiserver/refused');
  });

  test('is left as it is written without --render: nothing is started', async () => {
    const { told, started } = await check(['.'], files, { kustomize: done(output('kustomize.out')) });
    expect(started).toEqual([]);
    expect(told).toEqual(['app/base/web.yaml:11 apiserver/enum']);
  });

  test('says why it could not be built, and falls back to what is written', async () => {
    const err = `Error: accumulating resources: accumulating resources from 'service.yaml': MalformedYAMLError: yaml: line 3: mapping values are not allowed in this context in File: service.yaml\n`;
    const { report, told } = await check(['--render', '.'], files, { kustomize: failed(err) });
    expect(told).toContain('app/prod/service.yaml:3 berth/render-failed');
    expect(told).toContain('app/base/web.yaml:11 apiserver/enum');
    const { severity, message } = report.problems.find(it => it.code === 'berth/render-failed')!;
    expect(severity).toBe('warning');
    expect(message).toBe(`kustomize build . failed: ${err.slice('Error: '.length).trim()}`);
  });

  test.each([
    ['timeout', 'it took more than 20 seconds'],
    ['tooMuch', 'it printed more than 16 MiB'],
  ] as const)('is told to have been stopped: %s', async (end, words) => {
    const { report } = await check(['--render', '.'], files, { kustomize: { end } });
    expect(report.problems.find(it => it.code === 'berth/render-failed')?.message).toBe(
      `kustomize build . was stopped: ${words}.`,
    );
  });

  test.each([
    ['fetches', 'resources: [https://example.com/crds.yaml]', 'it has kustomize fetch https://example.com/crds.yaml'],
    ['starts helm', 'helmCharts: [{ name: db }]', 'it has kustomize start helm'],
  ])('is left alone where it %s', async (_name, text, words) => {
    const { code, report, started } = await check(['--render', '.'], { 'kustomization.yaml': text }, {});
    expect(started).toEqual([]);
    expect(code).toBe(0);
    expect(report.problems.map(it => it.message)).toEqual([
      `This kustomization is judged as it is written, and not as it is built: ${words}, which Berth does not let it do.`,
    ]);
  });

  test('without any tool the command could not do its work', async () => {
    const { code, told, report } = await check(['--render', '.'], files, {});
    expect(code).toBe(2);
    expect(told).toContain('app/prod/kustomization.yaml:1 berth/not-rendered');
    expect(report.error).toContain('kustomize or kubectl');
  });
});

describe('a chart that is rendered', () => {
  const files = filesOf('chart');

  test('is judged by what its templates make, at the line that can be made out', async () => {
    const { told, started } = await check(['--render', '.'], files, { helm: done(output('helm.out')) });
    expect(started).toHaveLength(1);
    const [command, apiVersions] = started[0]!.line.split(' --api-versions ');
    expect(command).toBe('helm template web . --kube-version 1.37.2');
    expect(apiVersions?.split(',')).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'policy/v1/PodDisruptionBudget']));
    expect(apiVersions?.split(',')).not.toContain('policy/v1beta1');
    expect(told).toEqual([
      // `name: a_` and `name: b_` come of one line.
      'chart/templates/config.yaml:6 apiserver/refused',
      'chart/templates/config.yaml:6 apiserver/refused',
      'chart/templates/service.yaml:7 apiserver/enum',
      'chart/templates/service.yaml:10 decode/unknown-field',
    ]);
  });

  test('its templates are never taken for manifests', async () => {
    const { told, err } = await check(['.'], files, {});
    expect(told).toEqual([]);
    expect(err).toBe('berth: The templates of this Helm chart are not checked, as --render is not given: chart.\n');
  });

  test('is not spoken of where only other files are asked for', async () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
    expect((await check(['other.yaml'], { ...files, 'other.yaml': config }, {})).err).toBe('');
  });

  test('an error of a template is told in its line', async () => {
    const { told } = await check(['--render', '.'], files, { helm: failed(output('helm.err')) });
    expect(told).toEqual(['chart/templates/service.yaml:9 berth/render-failed']);
  });

  test('is left alone while its dependencies are not there', async () => {
    const err =
      'Error: An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: db\n';
    const { report, code } = await check(['--render', '.'], files, { helm: failed(err) });
    expect(report.problems.map(it => `${it.severity} ${it.message}`)).toEqual([
      'info The templates of this chart are not judged, as they are not rendered: helm would have to fetch its dependencies (`helm dependency build`), which Berth does not let it do.',
    ]);
    expect(code).toBe(0);
  });

  test('a library has nothing to render, nor has a chart inside another one of its own', async () => {
    const charts = {
      'lib/Chart.yaml': 'apiVersion: v2\nname: lib\ntype: library\n',
      'web/Chart.yaml': 'apiVersion: v2\nname: web\n',
      'web/charts/db/Chart.yaml': 'apiVersion: v2\nname: db\n',
    };
    const { started } = await check(['--render', '.'], charts, { helm: done('') });
    expect(started.map(it => it.options.cwd)).toEqual(['web']);
  });
});

test('a path of a kustomization is looked for where manifests are not', async () => {
  const files = {
    '.git/HEAD': '',
    'a/kustomization.yaml': 'resources: [gone.yaml, ../b]\nconfigMapGenerator: [{ name: x, files: [app.conf] }]\n',
    'a/app.conf': 'x',
    'b/notes.txt': 'x',
  };
  const { told, report } = await check(['a'], files, {});
  expect(told).toEqual([
    'a/kustomization.yaml:1 kustomize/path-missing',
    'a/kustomization.yaml:1 kustomize/path-missing',
  ]);
  expect(report.problems.map(it => it.message)).toEqual([
    'there is no "gone.yaml" here',
    'the folder "../b" has no kustomization.yaml',
  ]);
});

describe('a kustomization whose bases are not indexed', () => {
  const root = 'resources: [../node_modules/base]\n';
  const remote = 'resources: [https://x.test/all.yaml]\n';

  test.each([
    ['fetches', { 'node_modules/base/kustomization.yaml': remote }, 'fetch https://x.test/all.yaml'],
    [
      'names another that fetches',
      {
        'node_modules/base/Kustomization': 'components: [../other]\n',
        'node_modules/other/kustomization.yml': `kind: Component\n${remote}`,
      },
      'fetch https://x.test/all.yaml',
    ],
    ['starts helm', { 'node_modules/base/kustomization.yaml': 'helmCharts: [{ name: x }]\n' }, 'start helm'],
    [
      'has a plugin that fetches',
      {
        'node_modules/base/kustomization.yaml': 'generators: [gen.yaml]\n',
        'node_modules/base/gen.yaml': 'kind: ConfigMapGenerator\nfiles: ["https://x.test/a"]\n',
      },
      'names https://x.test/a"]',
    ],
    [
      'has a plugin in itself that fetches',
      {
        'node_modules/base/kustomization.yaml':
          'generators: ["{kind: ConfigMapGenerator, files: [https://x.test/a]}"]\n',
      },
      'names https://x.test/a]}',
    ],
    ['cannot be read', { 'node_modules/base/kustomization.yaml': { trouble: 'denied' } as const }, 'cannot be read'],
  ])('is left alone where one %s', async (_name, bases, reason) => {
    const { started, report } = await check(['--render', '.'], { 'app/kustomization.yaml': root, ...bases }, {});
    expect(started).toEqual([]);
    expect(report.problems.map(it => it.message)).toEqual([expect.stringContaining(`${reason}, `)]);
  });

  test('is rendered where none of them fetches', async () => {
    const bases = {
      'node_modules/base/kustomization.yaml': 'resources: [pod.yaml, ../base]\n',
      'node_modules/base/pod.yaml': 'kind: Pod\n',
    };
    const { started } = await check(['--render', '.'], { 'app/kustomization.yaml': root, ...bases }, {});
    expect(started.map(it => it.line)).toEqual(['kustomize build .', 'kubectl kustomize .']);
  });
});
