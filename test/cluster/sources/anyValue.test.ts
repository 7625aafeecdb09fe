import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { contentOfFile } from '../../../server/src/analysis/clusters/sources';
import { defaultSettings } from '../../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../../server/src/analysis/host';
import type { JsonObject, JsonValue } from '../../../server/src/base/json';
import { clusterIndex } from '../../../server/src/cluster/sources/clusterIndex';
import type { ClusterContent } from '../../../server/src/cluster/sources/content';
import { snapshotDocuments } from '../../../server/src/cluster/sources/snapshot';
import { simulate } from '../../../server/src/scheduler/scenario';
import { jsonText, PUT, withinDocument } from '../../fuzz/inputs/structure';
import { isGateOn } from '../../scheduler/support';
import { readPack } from '../../support/packs';
import { EVERYTHING, GOOD } from '../everything';

const KIND = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: local
featureGates: { GenericWorkload: true }
runtimeConfig: { api/alpha: "true" }
networking: { ipFamily: dual, podSubnet: 10.1.0.0/16, disableDefaultCNI: true }
kubeadmConfigPatches: ["kind: KubeletConfiguration\\nmaxPods: 20\\nkubeReserved: { cpu: 100m }"]
kubeadmConfigPatchesJSON6902: [{ group: kubeadm.k8s.io, version: v1beta3, kind: ClusterConfiguration, patch: "[]" }]
nodes:
  - role: control-plane
    image: kindest/node:v1.37.0
    kubeadmConfigPatches:
      - "kind: InitConfiguration\\nnodeRegistration: { kubeletExtraArgs: { node-labels: a=b }, taints: [{ key: a, effect: NoSchedule }] }"
  - role: worker
    labels: { pool: main }
    extraMounts: [{ hostPath: /a, containerPath: /b }]
`;
const CONFIGURATION = `kubernetesVersion: "1.37"
featureGates: { GenericWorkload: true }
cluster: default
completeSources: true
namespace: shop
presets: [best-practice]
severity: { practice/replicas: "off" }
podSecurity: { defaults: { enforce: baseline }, exemptions: { namespaces: [kube-system] } }
conftest: { policy: [policy], namespace: main, combine: true }
rules: [{ name: r, expression: "true", at: spec, select: { kinds: [Pod], labels: { a: b } }, tests: [{ expect: holds, object: { kind: Pod } }] }]
environments: { prod: { paths: [prod], namespace: shop, cluster: default, kubernetesVersion: "1.36" } }
`;

const documentsIn = (text: string): readonly JsonValue[] =>
  parseAllDocuments(text, { logLevel: 'silent' }).map(it => it.toJS() as JsonValue);

/** Some of the values for a field: over all fields each is used, and a large integer everywhere. */
const valuesAt = (place: number): readonly JsonValue[] => [
  10n ** 30n,
  ...[0, 1].map(it => PUT[(2 * place + it) % PUT.length] as JsonValue),
];

/** The texts of some documents with some value at each field of one of them. */
function* changed(documents: readonly JsonValue[]): Generator<string> {
  for (const [i, document] of documents.entries()) {
    for (const { value } of withinDocument(document, valuesAt))
      yield documents.map((it, at) => `${jsonText(at === i ? value : it)}\n`).join('---\n');
  }
}

/** What throws; it names the text, so that one failure is told with its cause. */
function thrownBy(texts: Iterable<string>, use: (text: string) => void): readonly string[] {
  const thrown: string[] = [];
  for (const text of texts) {
    try {
      use(text);
    } catch (error) {
      thrown.push(`${String((error as Error).stack).slice(0, 400)}\n${text.slice(0, 400)}`);
    }
  }
  return thrown;
}

/** Reads the source as the analysis does, and places a Pod beside its objects. */
function useContent(content: ClusterContent): void {
  clusterIndex(content);
  simulate([...content.objects, ...GOOD], { kubernetesVersion: '1.37', isGateOn });
}

describe('any value at any field is answered:', () => {
  test('in a configuration of kind', () => {
    const texts = [...changed(documentsIn(KIND))];
    expect(texts.length).toBeGreaterThan(90);
    expect(thrownBy(texts, it => useContent(contentOfFile('kind', it, '1.37')))).toEqual([]);
  });

  test('in a snapshot', () => {
    const objects = EVERYTHING.filter((_, i) => i % 8 === 0);
    const [head, ...others] = snapshotDocuments(
      { state: 'ready', objects, names: [], listings: [], notes: [] },
      'none',
    ) as readonly JsonValue[];
    const texts = [...changed([head as JsonObject, ...others.slice(0, 2)])];
    expect(texts.length).toBeGreaterThan(100);
    expect(thrownBy(texts, it => useContent(contentOfFile('snapshot', it, '1.37')))).toEqual([]);
  });

  test('in berth.yaml', () => {
    const bugs: unknown[] = [];
    const host = createAnalysisHost({ readPack, onBug: (code, error) => bugs.push([code, error]) });
    const pod = { uri: 'file:///ws/prod/pod.yaml', text: jsonText(GOOD[0] as JsonValue) };
    host.apply({ settings: defaultSettings, folders: [{ uri: 'file:///ws' }], files: [pod] });
    const uri = 'file:///ws/berth.yaml';
    const texts = [...changed(documentsIn(CONFIGURATION))];
    const thrown = thrownBy(texts, text => {
      host.apply({ files: [{ uri, text }] });
      host.analysis().diagnostics(uri);
      host.analysis().diagnostics(pod.uri);
    });
    expect(thrown).toEqual([]);
    expect(bugs).toEqual([]);
  });
});
