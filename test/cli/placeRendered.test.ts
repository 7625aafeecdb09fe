import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../server/src/analysis/rendering';
import { type Files, run } from './world';

const nodes = `apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "20" } }
`;
const deployment = (name: string, replicas: number, cpu = 1): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: c, image: a, resources: { requests: { cpu: ${cpu} } } }] }
`;
const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [nodes.yaml, web.yaml]
patches: [{ path: more.yaml }]
patchesStrategicMerge: [limits.yaml]
transformers: [sidecar.yaml]
configMapGenerator: [{ name: examples, files: [example.yaml] }]
`;
const app: Files = {
  'app/kustomization.yaml': kustomization,
  'app/nodes.yaml': nodes,
  'app/web.yaml': deployment('web', 1),
  'app/more.yaml': deployment('web', 3).replace('kind: Deployment', 'kind: Deployment # more of them'),
  'app/limits.yaml': deployment('limits', 1),
  'app/sidecar.yaml': deployment('sidecar', 1),
  'app/example.yaml': deployment('example', 1),
};
const chart: Files = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'replicas: 2\n',
  'chart/templates/web.yaml': deployment('web', 1).replace('replicas: 1', '{{ if .Values.replicas }}'),
  'chart/templates/plain.yaml': deployment('plain', 1),
};

/** Places with tools that give these results; `started` are their command lines. */
async function placed(argv: readonly string[], files: Files, results: Readonly<Record<string, ToolResult>> = {}) {
  const started: string[] = [];
  const command = ['place', '--format', 'json', ...argv];
  const { code, out } = await run(command, files, '', undefined, async (tool, args) => {
    started.push([tool, ...args.slice(0, 2)].join(' '));
    return results[tool] ?? { end: 'missing' };
  });
  const answer = JSON.parse(out) as { attempts: { pod: string; suggestions?: object[] }[]; error?: string };
  return { code, started, error: answer.error, attempts: answer.attempts, pods: answer.attempts.map(it => it.pod) };
}

const output = (out: string): ToolResult => ({ end: 'exited', code: 0, out, err: '' });

describe('a kustomization', () => {
  it('has its resources placed as they are written; its patches, transformers and data are no objects', async () => {
    const { pods, started, code, error } = await placed(['app'], app);
    expect({ pods, started, code, error }).toEqual({ pods: ['default/web-1'], started: [], code: 0, error: undefined });
  });

  it('is placed as it is built with --render', async () => {
    const built = output(`${nodes}---\n${deployment('prod-web', 2)}`);
    const { pods, started, code } = await placed(['app', '--render'], app, { kustomize: built });
    expect(pods).toEqual(['default/prod-web-1', 'default/prod-web-2']);
    expect([started, code]).toEqual([['kustomize build .'], 0]);
  });

  it('has no text that a suggestion could change where it is rendered', async () => {
    const built = output(`${nodes}---\n${deployment('web', 1, 9)}`);
    const { attempts } = await placed(['app', '--render', '--suggest'], app, { kustomize: built });
    const suggestions = attempts.flatMap(it => it.suggestions ?? []);
    expect(suggestions.length).toBeGreaterThan(0);
    expect(JSON.stringify(suggestions)).not.toContain('.yaml');
  });

  it('that cannot be rendered is placed as it is written, and the command fails', async () => {
    const { pods, error, code } = await placed(['app', '--render'], app);
    expect([pods, code]).toEqual([['default/web-1'], 2]);
    expect(error).toMatch(/^app\/kustomization\.yaml: .*kustomize or kubectl/);
  });
});

it('kustomizations and charts are told where they are placed as they are written', async () => {
  const files = { ...chart, 'nodes.yaml': nodes, 'app/kustomization.yaml': 'resources: [../nodes.yaml]\n' };
  const { err } = await run(['place', '.'], files);
  expect(err).toContain(
    '. is placed as its files are written; --render places what kustomize and helm make of app, chart.\n',
  );
  expect((await run(['place', 'nodes.yaml'], files)).err).toBe('');
});

it('several overlays come into one cluster, which is said', async () => {
  const overlay = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [web.yaml]\n';
  const files = {
    'nodes.yaml': nodes,
    'dev/kustomization.yaml': overlay,
    'dev/web.yaml': deployment('web', 1),
    'prod/kustomization.yaml': overlay,
    'prod/web.yaml': deployment('web', 1),
  };
  const render = (...paths: readonly string[]) =>
    run(['place', ...paths, '--render'], files, '', undefined, async () => output(deployment('web', 1)));
  const { err } = await render('.');
  expect(err).toContain(
    '. is placed as one cluster with what 2 kustomizations and charts render: dev, prod. Name one of these folders to place it alone.',
  );
  expect((await render('dev')).err).not.toContain('one cluster');
});

it('a chart is placed as it is rendered', async () => {
  const files = { ...chart, 'nodes.yaml': nodes };
  const { pods, started, error, code } = await placed(['.', '--render'], files, { helm: output(deployment('web', 2)) });
  expect({ pods, started, error, code }).toEqual({
    pods: ['default/web-1', 'default/web-2'],
    started: ['helm template shop'],
    error: undefined,
    code: 0,
  });
});
