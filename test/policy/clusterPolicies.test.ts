import { expect, it } from 'vitest';
import { externalCluster } from '../../server/src/analysis/clusters/externalCluster';
import { contentOfFile } from '../../server/src/analysis/clusters/sources';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { openScenario } from '../../server/src/analysis/scenario';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { clusterIndex } from '../../server/src/cluster/sources/clusterIndex';
import { loadKube } from '../../server/src/kube/load';
import { readPack } from '../support/packs';
import { describeWithEngine, reportedBy } from './withEngine';

const KEY = 'live:prod';
const NODE = `apiVersion: v1
kind: Node
metadata: { name: a, labels: { pool: main } }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
`;
const binding = (more = '') => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: here }
spec: { policyName: no-latest, validationActions: [Deny]${more} }
`;
const policy = (expression: string, more = '') => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: no-latest }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  validations: [{ expression: ${JSON.stringify(expression)}, message: no latest }]
${more}`;
const NO_LATEST = policy('object.spec.containers.all(c, !c.image.endsWith(":latest"))');
const pod = (image: string) => `apiVersion: v1
kind: Pod
metadata: { name: web, namespace: prod }
spec: { containers: [{ name: web, image: "${image}" }] }
`;
const REFUSED = `ValidatingAdmissionPolicy 'no-latest' with binding 'here' denied request: no latest`;

describeWithEngine('The policies of a chosen cluster', engine => {
  const contentOf = (documents: readonly string[]) => contentOfFile('snapshot', documents.join('---\n'), '1.37');

  async function placed(cluster: readonly string[], ...documents: string[]) {
    const request = { key: KEY, source: { from: 'live', context: 'prod' }, origin: 'settings' } as const;
    const scenario = openScenario([{ uri: 'all.yaml', text: documents.join('---\n') }], {
      kube: loadKube('1.37', {}, readPack),
      featureGates: {},
      cluster: externalCluster(request, clusterIndex(contentOf(cluster))),
      policies: { engine, onFailure: error => expect.unreachable(String(error)) },
    });
    await scenario.admit();
    const { attempts, notes } = scenario.placement();
    return { outcome: attempts.map(it => (it.status === 'rejected' ? it.message : it.status)), notes };
  }

  async function reported(cluster: readonly string[], text: string) {
    const host = createAnalysisHost({
      readPack,
      onBug: (_, error) => expect.unreachable(String(error)),
      policyEngine: engine,
    });
    host.apply({ settings: { ...defaultSettings, cluster: KEY }, files: [{ uri: 'web.yaml', text }] });
    host.apply({ clusters: [{ key: KEY, content: contentOf(cluster) }] });
    await iterateToEnd(host.evaluatePolicies([]));
    return reportedBy(host).map(it => it.replace(/^web\.yaml:\d+:\d+ /, ''));
  }

  it('refuse what the workspace writes, and let other things pass', async () => {
    const cluster = [NODE, NO_LATEST, binding()];
    expect((await placed(cluster, pod('web:latest'))).outcome).toEqual([`pods "web" is forbidden: ${REFUSED}`]);
    expect((await placed(cluster, pod('web:1'))).outcome).toEqual(['scheduled']);
    expect(await reported(cluster, pod('web:latest'))).toEqual([
      expect.stringContaining('error vap/no-latest no latest (policy no-latest of the cluster, binding here)'),
    ]);
    expect(await reported(cluster, pod('web:1'))).toEqual([]);
  });

  it('count as the workspace writes them', async () => {
    const cluster = [NODE, NO_LATEST, binding()];
    expect(await reported(cluster, [pod('web:latest'), policy('true')].join('---\n'))).toEqual([]);
  });

  it('see the namespaces of the cluster', async () => {
    const selecting = binding(', matchResources: { namespaceSelector: { matchLabels: { strict: "yes" } } }');
    const namespace = (strict: string) =>
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: prod, labels: { strict: "${strict}" } }\n`;
    const outcomeIn = async (strict: string) =>
      (await placed([NODE, namespace(strict), NO_LATEST, selecting], pod('web:latest'))).outcome;
    expect(await outcomeIn('yes')).toEqual([expect.stringContaining(REFUSED)]);
    expect(await outcomeIn('no')).toEqual(['scheduled']);
  });

  it('are left out, and named, where their parameters are not read', async () => {
    const withParams = policy('params.data.open == "yes"', '  paramKind: { apiVersion: v1, kind: ConfigMap }\n');
    const ref = binding(', paramRef: { name: settings, namespace: prod, parameterNotFoundAction: Deny }');
    const settings =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: prod }\ndata: { open: "no" }\n';
    const { outcome, notes } = await placed([NODE, withParams, ref, settings], pod('web:1'));
    expect(outcome).toEqual(['scheduled']);
    expect(notes.map(it => it.message)).toContain(
      'ValidatingAdmissionPolicy no-latest of live:prod is not asked: its parameters (ConfigMap) are not read.',
    );
  });

  it('may change what is written before it is placed', async () => {
    const change = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: change }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }]
  mutations:
    - patchType: JSONPatch
      jsonPatch: { expression: '[JSONPatch{op: "add", path: "/spec/nodeSelector", value: {"pool": "other"}}]' }
`;
    const bound = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: change }
spec: { policyName: change }
`;
    expect((await placed([NODE, change, bound], pod('web:1'))).outcome).toEqual(['unschedulable']);
  });
});
