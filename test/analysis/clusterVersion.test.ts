import { describe, expect, it } from 'vitest';
import { externalCluster, notesOf } from '../../server/src/analysis/clusters/externalCluster';
import { requestFor } from '../../server/src/analysis/clusters/request';
import { contentOfFile } from '../../server/src/analysis/clusters/sources';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { clusterIndex } from '../../server/src/cluster/sources/clusterIndex';
import { EMPTY_CONTENT } from '../../server/src/cluster/sources/content';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

/** What is noted of a cluster that runs a version, where the settings name another or none. */
function noted(kubernetesVersion: string, asked: { readonly minor: string; readonly patch?: number }): string {
  const request = requestFor('live:prod', '', 'settings')!;
  return notesOf(externalCluster(request, clusterIndex({ ...EMPTY_CONTENT, kubernetesVersion })), asked).join(' ');
}

describe('the version of a cluster', () => {
  it.each([
    ['1.34.2', { minor: '1.34' }],
    ['1.34', { minor: '1.34', patch: 2 }],
    ['1.34.2-gke.1200', { minor: '1.34', patch: 2 }],
  ])('%s is not noted beside %j', (version, asked) => {
    expect(noted(version, asked)).toBe('');
  });

  it('is noted where it has another minor or patch than the settings name', () => {
    expect(noted('1.34.2-gke.1200', { minor: '1.37' })).toContain(
      'runs Kubernetes 1.34.2-gke.1200; it is treated as 1.37.',
    );
    expect(noted('1.34.2', { minor: '1.34', patch: 1 })).toContain('it is treated as 1.34.1');
  });

  it.each(['1.29.1', '1.99'])('%s is none that Berth knows, and the known ones are named', version => {
    expect(noted(version, { minor: '1.37' })).toContain(
      `runs Kubernetes ${version}, which Berth does not know; it is treated as 1.37. Known: 1.31, `,
    );
  });
});

describe('the gates that a kind configuration sets', () => {
  const HPA = 'file:///ws/hpa.yaml';
  const hpa = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  minReplicas: 0
  maxReplicas: 3
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  metrics: [{ type: External, external: { metric: { name: load }, target: { type: Value, value: 1 } } }]
`;
  const key = 'kind:file:///ws/kind.yaml';
  const kind = (gates: string): string => `apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nfeatureGates: ${gates}\n`;

  /** What the API server refuses, once the cluster's content is known, with the words of the settings. */
  const refused = (gates: string, berth = ''): readonly string[] => {
    const host = createAnalysisHost({ readPack, onBug: throwBug });
    const files = {
      [HPA]: hpa,
      'file:///ws/berth.yaml': `kubernetesVersion: "1.36"\ncluster: kind:kind.yaml\n${berth}`,
    };
    host.apply({
      settings: defaultSettings,
      folders: [{ uri: 'file:///ws' }],
      files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
    });
    host.apply({ clusters: [{ key, content: contentOfFile('kind', kind(gates), '1.36') }] });
    return host
      .analysis()
      .diagnostics(HPA)
      .flatMap(({ code, fieldPath }) => (code === 'apiserver/refused' ? [fieldPath ?? ''] : []));
  };

  it.each([
    ['on', '{ HPAScaleToZero: true }', '', []],
    ['unset', '{}', '', ['spec.minReplicas']],
    [
      'off in berth.yaml',
      '{ HPAScaleToZero: true }',
      'featureGates: { HPAScaleToZero: false }\n',
      ['spec.minReplicas'],
    ],
    ['on in berth.yaml', '{ HPAScaleToZero: false }', 'featureGates: { HPAScaleToZero: true }\n', []],
  ])('count for the checks: %s', (_, gates, berth, expected) => {
    expect(refused(gates, berth)).toEqual(expected);
  });
});
