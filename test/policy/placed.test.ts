import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../server/src/analysis/scenario';
import { loadKube } from '../../server/src/kube/load';
import type { PolicyEngine } from '../../server/src/policy/engine/engine';
import { readPack } from '../support/packs';
import { describeWithEngine } from './withEngine';

const kube = loadKube('1.37', {}, readPack);

const node = (name: string, taint = '') => `
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { pool: ${name} } }
spec: { ${taint === '' ? '' : `taints: [{ key: ${taint}, effect: NoSchedule }]`} }
status: { capacity: { cpu: "8", memory: 8Gi, pods: "110" } }
`;
const NODES = [node('plain'), node('spot', 'spot')];
const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: web:1 }] }
`;
const pod = (spec = '') => `
apiVersion: v1
kind: Pod
metadata: { name: one }
spec: { ${spec} containers: [{ name: web, image: web:1 }] }
`;
const admission = (patches: string, group = '""', resource = 'pods') => `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: change }
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{ apiGroups: [${group}], apiVersions: [v1], operations: [CREATE], resources: [${resource}] }]
  mutations: [{ patchType: JSONPatch, jsonPatch: { expression: ${JSON.stringify(`[${patches}]`)} } }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: change }
spec: { policyName: change }
`;
const APPLIED = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const ADD_SELECTOR = 'JSONPatch{op: "add", path: "/spec/nodeSelector", value: {"pool": "spot"}}';
const ADD_TOLERATION =
  'JSONPatch{op: "add", path: "/spec/tolerations/-", value: Object.spec.tolerations{key: "spot", operator: "Exists"}}';

describeWithEngine('What is placed is what mutating policies make of it', engine => {
  /** The number of evaluations by the policy engine. */
  const counting = (): {
    readonly engine: PolicyEngine;
    readonly asked: () => number;
    readonly calls: () => number;
  } => {
    const counted = { asked: 0, calls: 0 };
    const call: PolicyEngine['call'] = (request, limits) => {
      counted.calls += 1;
      if (request.op === 'admit') counted.asked += (request.requests as readonly unknown[]).length;
      return engine.call(request, limits);
    };
    return { engine: { ...engine, call }, asked: () => counted.asked, calls: () => counted.calls };
  };

  async function placed(documents: readonly string[], asking: PolicyEngine = engine) {
    const scenario = openScenario([{ uri: 'all.yaml', text: documents.join('\n---\n') }], {
      kube,
      featureGates: {},
      cluster: 'auto',
      policies: { engine: asking, onFailure: error => expect.unreachable(String(error)) },
    });
    await scenario.admit();
    return scenario.placement();
  }

  it('evaluates the Pods of a workload as Pods, once for each template', async () => {
    const { engine: counted, asked } = counting();
    const documents = [...NODES, deployment, admission(`${ADD_SELECTOR}, ${ADD_TOLERATION}`)];
    const { placements, mutations, notes } = await placed(documents, counted);
    expect(placements).toEqual({ 'default/web-1': 'spot', 'default/web-2': 'spot', 'default/web-3': 'spot' });
    // The Deployment, its ReplicaSet, and one Pod.
    expect(asked()).toBe(3);
    expect(mutations).toEqual([
      {
        kind: 'Pod',
        id: 'default/web-1',
        pods: { of: 'Deployment default/web', count: 3 },
        by: [
          {
            kind: 'MutatingAdmissionPolicy',
            policy: 'change',
            file: 'all.yaml',
            changes: [
              { path: 'spec.tolerations[2]', after: { key: 'spot', operator: 'Exists' } },
              { path: 'spec.nodeSelector', after: { pool: 'spot' } },
            ],
          },
        ],
      },
    ]);
    expect(notes.map(it => it.message)).toEqual([
      'MutatingAdmissionPolicy change (all.yaml) changes the 3 Pods of Deployment default/web: ' +
        'adds spec.tolerations[2] {"key":"spot","operator":"Exists"}; adds spec.nodeSelector {"pool":"spot"}.',
    ]);
  });

  it('places the example as its comments say', async () => {
    const folder = join(import.meta.dirname, '../../examples/mutating-policy');
    const texts = readdirSync(folder).map(it => readFileSync(join(folder, it), 'utf8'));
    const { placements, attempts, notes } = await placed(texts);
    expect(placements).toEqual({ 'default/report-1': 'spot', 'default/report-2': 'spot', 'default/web-1': 'steady' });
    expect(attempts.filter(it => it.priority === -100).map(it => it.pod)).toEqual([
      'default/report-1',
      'default/report-2',
    ]);
    expect(notes).toHaveLength(1);
    const without = await placed(texts.filter(it => !it.includes('kind: MutatingAdmissionPolicy')));
    expect(new Set(Object.values(without.placements))).toEqual(new Set(['steady']));
  });

  it('evaluates nothing when there is no policy', async () => {
    const { engine: counted, calls } = counting();
    const { placements, mutations } = await placed([...NODES, deployment], counted);
    expect(new Set(Object.values(placements))).toEqual(new Set(['plain']));
    expect([mutations, calls()]).toEqual([[], 0]);
  });

  it("runs the server's plugins before policies, and again after them", async () => {
    const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 7\n';
    const setClass = 'JSONPatch{op: "add", path: "/spec/priorityClassName", value: "high"}';
    const attemptOf = async (patches: string) =>
      (await placed([...NODES, high, pod(), admission(patches)])).attempts[0];
    expect(await attemptOf(setClass)).toMatchObject({
      status: 'rejected',
      message:
        'pods "one" is forbidden: the integer value of priority (0) must not be provided in pod spec; ' +
        'priority admission controller computed 7 from the given PriorityClass name',
    });
    const both = `${setClass}, JSONPatch{op: "replace", path: "/spec/priority", value: 7}`;
    expect(await attemptOf(both)).toMatchObject({ status: 'scheduled', priority: 7 });
  });

  it('applies a policy for workloads to their Pods and replicas', async () => {
    const three = admission('JSONPatch{op: "replace", path: "/spec/replicas", value: 1}', 'apps', 'deployments');
    expect((await placed([...NODES, deployment, three])).placements).toEqual({ 'default/web-1': 'plain' });
    const selector = 'JSONPatch{op: "add", path: "/spec/template/spec/nodeSelector", value: {"pool": "none"}}';
    for (const resource of ['deployments', 'replicasets']) {
      const { placements } = await placed([...NODES, deployment, admission(selector, 'apps', resource)]);
      expect([resource, placements]).toEqual([resource, {}]);
    }
  });

  it('applies a policy for claims to their storage class', async () => {
    const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
    const storage = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: example.com/fast
volumeBindingMode: WaitForFirstConsumer
`;
    const using = pod('volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }],');
    const setClass = 'JSONPatch{op: "add", path: "/spec/storageClassName", value: "fast"}';
    const documents = [...NODES, claim, storage, using];
    expect((await placed(documents)).placements).toEqual({});
    const policy = admission(setClass, '""', 'persistentvolumeclaims');
    expect((await placed([...documents, policy])).placements).toEqual({ 'default/one': 'plain' });
  });

  it('does not place a Pod that a policy rejects, and shows the message', async () => {
    const [attempt] = (await placed([...NODES, pod(), admission('JSONPatch{op: "remove", path: "/spec/none"}')]))
      .attempts;
    expect(attempt).toMatchObject({
      status: 'rejected',
      message: expect.stringMatching(/^policy 'change' with binding/),
    });
  });

  it('merges lists by the keys of each kind for a policy for every resource', async () => {
    const apply = `Object{spec: Object.spec{containers: object.spec.containers.map(c,
      Object.spec.containers{name: c.name, resources: Object.spec.containers.resources{requests: {"cpu": "1"}}})}}`;
    const asked = `apiVersion: v1
kind: Pod
metadata: { name: one }
spec: { containers: [{ name: web, image: web:1, ports: [{ containerPort: 80, hostPort: 80 }] }] }
`;
    const every = admission('').replace(/mutations: .*/, () => `mutations: [${JSON.stringify(APPLIED(apply))}]`);
    const changes = async (policy: string) =>
      (await placed([...NODES, asked, policy])).mutations.flatMap(it => it.by.flatMap(by => by.changes));
    const merged = [{ path: 'spec.containers[0].resources', after: { requests: { cpu: '1' } } }];
    expect(await changes(every)).toMatchObject(merged);
    expect(await changes(every.replace('resources: [pods]', 'resources: ["*"]'))).toMatchObject(merged);
    expect(await changes(every.replace('apiGroups: [""]', 'apiGroups: ["*"]'))).toMatchObject(merged);
  });

  it('rejects a Pod that a policy makes invalid in a way in which it was not written', async () => {
    const patch = 'JSONPatch{op: "replace", path: "/spec/restartPolicy", value: "Sometimes"}';
    const attempt = async (object: string) => (await placed([...NODES, object, admission(patch)])).attempts[0];
    const reported =
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"';
    const message = `The API server refuses what MutatingAdmissionPolicy change makes of this object — Pod "one" is invalid: ${reported}`;
    expect(await attempt(pod())).toMatchObject({ status: 'rejected', message });
    expect(await attempt(pod('restartPolicy: Never,'))).toMatchObject({ status: 'rejected', message });
    expect(await attempt(pod('restartPolicy: Sometimes,'))).not.toMatchObject({ status: 'rejected' });
    expect(await attempt(pod('restartPolicy: Never, dnsPolicy: Nowhere,'))).toMatchObject({ status: 'rejected' });
  });

  it('does not evaluate running Pods again', async () => {
    const { mutations } = await placed([...NODES, pod('nodeName: plain,'), admission(ADD_SELECTOR)]);
    expect(mutations).toEqual([]);
  });

  it("runs Gatekeeper's mutators in between, and Kyverno's rules last", async () => {
    const assign = `
apiVersion: mutations.gatekeeper.sh/v1
kind: Assign
metadata: { name: tolerate }
spec:
  applyTo: [{ groups: [""], versions: [v1], kinds: [Pod] }]
  location: 'spec.tolerations[key:spot].operator'
  parameters: { assign: { value: Exists } }
`;
    const kyverno = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: select }
spec:
  rules:
    - name: select
      match: { any: [{ resources: { kinds: [Pod] } }] }
      mutate:
        patchStrategicMerge: { spec: { nodeSelector: { pool: "{{ request.object.spec.tolerations[2].key }}" } } }
`;
    const { placements, mutations } = await placed([...NODES, pod(), assign, kyverno]);
    expect(placements).toEqual({ 'default/one': 'spot' });
    expect(mutations.flatMap(it => it.by.map(({ kind }) => kind))).toEqual(['Assign', 'ClusterPolicy']);
  });

  describe('and validating policies refuse what they would refuse in the cluster', () => {
    const validating = (expression: string, { actions = '[Deny]', group = '""', resource = 'pods' } = {}) => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: refuse }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [${group}], apiVersions: [v1], operations: [CREATE], resources: [${resource}] }]
  validations: [{ expression: ${JSON.stringify(expression)}, message: not that }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: here }
spec: { policyName: refuse, validationActions: ${actions} }
`;
    const NO_SELECTOR = '!has(object.spec.nodeSelector)';
    const messagesIn = async (...documents: string[]) => {
      const { attempts } = await placed([...NODES, ...documents]);
      return attempts.map(it => (it.status === 'rejected' ? it.message : it.status));
    };

    it('a ValidatingAdmissionPolicy, a Pod that is written and the Pods of a workload', async () => {
      const refused = `ValidatingAdmissionPolicy 'refuse' with binding 'here' denied request: not that`;
      expect(await messagesIn(pod('nodeSelector: { pool: plain },'), validating(NO_SELECTOR))).toEqual([
        `pods "one" is forbidden: ${refused}`,
      ]);
      const selecting = deployment.replace('spec: { containers', 'spec: { nodeSelector: { pool: plain }, containers');
      expect(await messagesIn(selecting, validating(NO_SELECTOR))).toEqual([
        expect.stringMatching(new RegExp(`^Error creating: pods "web-.*" is forbidden: ${refused}$`)),
      ]);
      expect(await messagesIn(pod(), validating(NO_SELECTOR))).toEqual(['scheduled']);
    });

    it.each(['[Warn]', '[Audit]'])('but no binding that only says %s', async actions => {
      const policy = validating(NO_SELECTOR, { actions });
      expect(await messagesIn(pod('nodeSelector: { pool: plain },'), policy)).toEqual(['scheduled']);
    });

    it('what a mutating policy has made of a Pod', async () => {
      const documents = [pod(), admission(`${ADD_SELECTOR}, ${ADD_TOLERATION}`), validating(NO_SELECTOR)];
      expect(await messagesIn(...documents)).toEqual([expect.stringContaining('denied request: not that')]);
    });

    it('a workload itself, which then has no Pods', async () => {
      const policy = validating('object.spec.replicas < 3', { group: 'apps', resource: 'deployments' });
      const { attempts, notes } = await placed([...NODES, deployment, policy]);
      expect(attempts).toEqual([]);
      expect(notes.map(it => it.message)).toEqual([
        'Deployment default/web does not come into the cluster: deployments.apps "web" is forbidden: ' +
          "ValidatingAdmissionPolicy 'refuse' with binding 'here' denied request: not that",
      ]);
    });

    it('after a LimitRange, as in the server', async () => {
      const range = `
apiVersion: v1
kind: LimitRange
metadata: { name: small }
spec: { limits: [{ type: Container, max: { cpu: 100m } }] }
`;
      const large = pod().replace('image: web:1', 'image: web:1, resources: { limits: { cpu: 1 } }');
      expect(await messagesIn(large, range, validating('false'))).toEqual([
        'pods "one" is forbidden: maximum cpu usage per Container is 100m, but limit is 1',
      ]);
    });

    it('not a Pod that runs already', async () => {
      const { attempts } = await placed([...NODES, pod('nodeName: plain,'), validating('false')]);
      expect(attempts.filter(it => it.status === 'rejected')).toEqual([]);
    });

    it("Gatekeeper's constraints that deny, and Kyverno's rules that are enforced", async () => {
      const gatekeeper = (action: string) => `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: noselector }
spec:
  crd: { spec: { names: { kind: NoSelector } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package noselector
        violation[{"msg": "no selectors"}] { input.review.object.spec.nodeSelector }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NoSelector
metadata: { name: pods }
spec: { enforcementAction: ${action}, match: { kinds: [{ apiGroups: [""], kinds: [Pod] }] } }
`;
      const kyverno = (action: string) => `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: no-selector }
spec:
  rules:
    - name: none
      match: { any: [{ resources: { kinds: [Pod] } }] }
      validate: { failureAction: ${action}, message: no selectors, pattern: { spec: { X(nodeSelector): "null" } } }
`;
      const selecting = pod('nodeSelector: { pool: plain },');
      expect(await messagesIn(selecting, gatekeeper('deny'))).toEqual([
        'admission webhook "validation.gatekeeper.sh" denied the request: [pods] no selectors',
      ]);
      expect(await messagesIn(selecting, gatekeeper('warn'))).toEqual(['scheduled']);
      expect(await messagesIn(selecting, kyverno('Enforce'))).toEqual([
        expect.stringMatching(/^admission webhook "validate.kyverno.svc-fail" denied the request: no-selector, none: /),
      ]);
      expect(await messagesIn(selecting, kyverno('Audit'))).toEqual(['scheduled']);
    });
  });
});
