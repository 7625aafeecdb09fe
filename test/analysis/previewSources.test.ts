import { describe, expect, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { contentOfFile } from '../../server/src/analysis/clusters/sources';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import type { PreviewModel, WhatIf } from '../../server/src/analysis/preview/model';
import { runToEnd } from '../../server/src/base/steps';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

const WEB = 'file:///ws/web.yaml';
const web = (schedulerName = 'default-scheduler'): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: ${schedulerName}
      containers: [{name: main, image: nginx, resources: {requests: {cpu: 500m}}}]
`;
const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {kubernetes.io/hostname: ${name}}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
`;
const KIND = 'kind:file:///ws/ci/kind.yaml';
const kind = 'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nnodes: [{role: control-plane}, {role: worker}]\n';

function workspace(files: Readonly<Record<string, string>>): AnalysisHost {
  const host = createAnalysisHost({
    readPack,
    onBug: throwBug,
  });
  host.apply({
    settings: defaultSettings,
    folders: [{ uri: 'file:///ws' }],
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  return host;
}

const shown = (host: AnalysisHost, whatIf: Partial<WhatIf> = {}): PreviewModel =>
  host.analysis().preview({ uri: WEB, offset: 0, whatIf: { changes: [], ...whatIf } });
const nodes = (model: PreviewModel): readonly string[] => model.nodes.map(it => it.name);

describe('another source of the cluster', () => {
  it('is not offered where there is only one', () => {
    expect(shown(workspace({ [WEB]: web() })).choices.sources).toEqual([]);
  });

  it('can be the example cluster, a source in berth.yaml, or a file that describes a cluster', () => {
    const snapshot =
      'apiVersion: berth.dev/v1alpha1\nkind: ClusterSnapshot\nkinds: []\nnames: {}\nplacementFacts: []\n';
    const host = workspace({
      [WEB]: web(),
      'file:///ws/nodes.yaml': node('n1'),
      'file:///ws/ci/kind.yaml': kind,
      'file:///ws/prod.yaml': snapshot,
      'file:///ws/berth.yaml': 'environments:\n  lab: { paths: [lab], cluster: "live:lab" }\n',
    });
    expect(shown(host).choices.sources).toEqual([
      { key: 'auto', label: 'auto' },
      { key: 'default', label: 'default' },
      { key: 'live:lab', label: 'live:lab' },
      { key: 'snapshot:file:///ws/prod.yaml', label: 'snapshot:prod.yaml' },
      { key: KIND, label: 'kind:ci/kind.yaml' },
    ]);
  });

  it('places the same Pods there, and reports the difference', () => {
    const host = workspace({ [WEB]: web(), 'file:///ws/nodes.yaml': node('n1') });
    expect(nodes(shown(host))).toEqual(['n1']);
    const tried = shown(host, { source: 'default' });
    expect(tried.cluster.kind).toBe('default');
    expect(nodes(tried)).not.toContain('n1');
    expect(tried.tried?.difference.moved.map(it => it.from)).toEqual(['n1', 'n1']);
    expect(tried.pods.some(it => it.state === 'running')).toBe(true);
    // What ran there before did not come with it.
    expect(tried.tried?.difference.placed).toEqual([]);
    expect(nodes(shown(host))).toEqual(['n1']);
  });

  it('is empty until its content is known, and touches no problems', () => {
    const host = workspace({ [WEB]: web(), 'file:///ws/nodes.yaml': node('n1'), 'file:///ws/ci/kind.yaml': kind });
    expect(shown(host, { source: KIND }).cluster.label).toBe('kind:kind.yaml, loading');
    const content = contentOfFile('kind', kind, '1.37');
    expect(host.apply({ clusters: [{ key: KIND, content }] })).toEqual([]);
    const { nodes, cluster, pods } = shown(host, { source: KIND });
    expect(cluster.label).toBe('kind:kind.yaml, 2 nodes');
    expect(nodes.map(it => it.name)).toContain('kind-worker');
    expect(pods.filter(it => it.state === 'placed').map(it => it.node)).toEqual(['kind-worker', 'kind-worker']);
  });

  it('is added to the choices when it is not offered', () => {
    const host = workspace({ [WEB]: web() });
    expect(shown(host, { source: 'live:lab' }).choices.sources.map(it => it.key)).toEqual(['auto', 'live:lab']);
  });
});

const configuration = (...profiles: readonly string[]): string => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
${profiles.map(it => `  - ${it}`).join('\n')}
---
`;
const PACKING =
  '{schedulerName: packing, pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}}], plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]}}}';
const spreadOver = (model: PreviewModel): number => new Set(model.pods.flatMap(it => it.node ?? [])).size;

describe('another profile', () => {
  const two = configuration('{schedulerName: default-scheduler}', PACKING);
  const files = { [WEB]: web(), 'file:///ws/a.yaml': two + node('n1') + node('n2') };

  it('is offered where the configuration has several, and places all Pods', () => {
    const host = workspace(files);
    expect(shown(host).choices.profiles).toEqual(['default-scheduler', 'packing']);
    expect(spreadOver(shown(host))).toBe(2);
    expect(spreadOver(shown(host, { profile: 'packing' }))).toBe(1);
    const alone = { ...files, 'file:///ws/a.yaml': configuration(PACKING) + node('n1') };
    expect(shown(workspace(alone)).choices.profiles).toEqual([]);
  });

  it('places Pods of other schedulers, too', () => {
    const host = workspace({ ...files, [WEB]: web('nobody') });
    expect(shown(host).pods.map(it => it.state)).toEqual(['pending', 'pending']);
    expect(shown(host, { profile: 'packing' }).pods.map(it => it.state)).toEqual(['placed', 'placed']);
  });

  it('is the base of the scoring strategies', () => {
    const host = workspace(files);
    const whatIf = { changes: [], profile: 'packing' };
    const { inputs } = runToEnd(host.analysis().previewComparison({ uri: WEB, offset: 0, whatIf }));
    const profiles = inputs.schedulerConfiguration?.profiles as readonly { readonly pluginConfig?: unknown }[];
    expect(profiles).toHaveLength(2);
    expect(profiles.every(it => it.pluginConfig !== undefined)).toBe(true);
  });
});

describe('another scheduler configuration', () => {
  it('can be any file with one, except the one in use', () => {
    const other = 'file:///ws/schedulers/packing.yaml';
    const host = workspace({
      [WEB]: web(),
      'file:///ws/a.yaml': node('n1') + node('n2'),
      'file:///ws/berth.yaml': 'schedulerConfig: schedulers/own.yaml\nenvironments: { all: { paths: ["*.yaml"] } }\n',
      'file:///ws/schedulers/own.yaml': configuration('{schedulerName: default-scheduler}'),
      [other]: configuration(PACKING.replace('packing', 'default-scheduler')),
    });
    expect(shown(host).choices.configurations).toEqual([{ key: other, label: 'schedulers/packing.yaml' }]);
    expect(spreadOver(shown(host))).toBe(2);
    const tried = shown(host, { configuration: other });
    expect(spreadOver(tried)).toBe(1);
    expect(tried.tried?.whatIf.configuration).toBe(other);
  });

  it('reports why kube-scheduler does not start with it', () => {
    const other = 'file:///ws/schedulers/broken.yaml';
    const broken = configuration('{schedulerName: default-scheduler, plugins: {queueSort: {disabled: [{name: "*"}]}}}');
    const host = workspace({
      [WEB]: web(),
      'file:///ws/a.yaml': node('n1'),
      'file:///ws/berth.yaml': 'environments: { all: { paths: ["*.yaml"] } }\n',
      [other]: broken,
    });
    expect(shown(host).notes).toEqual([]);
    expect(shown(host, { configuration: other }).notes[0]).toMatch(/^kube-scheduler does not start with this/);
  });
});
