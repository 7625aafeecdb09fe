import { expect, it } from 'vitest';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { loadKube } from '../../server/src/kube/load';
import { parseManifests } from '../../server/src/manifest/parse';
import { type EngineRequest, PolicyStopped } from '../../server/src/policy/engine/engine';
import { nothingWrong } from '../../server/src/policy/policySet';
import { vapAdmission } from '../../server/src/policy/vap/admission';
import { LIMITS } from '../../server/src/policy/vap/admit';
import { activeBindings } from '../../server/src/policy/vap/bindings';
import { admissionPoliciesOf } from '../../server/src/policy/vap/policies';
import { emptySnapshot, withFiles } from '../../server/src/workspace/snapshot';
import { definitionOf } from '../support/definition';
import { readPack } from '../support/packs';
import { engineThatAgrees, engineThatIsNotBuilt } from '../support/policyEngine';
import { evaluated } from './withEngine';

const policy = (name: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: ${name} }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }
  validations: [{ expression: "true" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: ${name} }
spec: { policyName: ${name}, validationActions: [Deny] }
`;

const JSON_PATCH = '{ patchType: JSONPatch, jsonPatch: { expression: "[]" } }';
const APPLY = '{ patchType: ApplyConfiguration, applyConfiguration: { expression: "Object{}" } }';
const mutating = (name: string, mutation = JSON_PATCH): string =>
  policy(name)
    .replaceAll('kind: Validating', 'kind: Mutating')
    .replace(/validations: .*/, () => `mutations: [${mutation}]\n  reinvocationPolicy: Never`);

/** The loaded requests, by handle. */
function loading() {
  const loaded: EngineRequest[] = [];
  const call = async (request: EngineRequest): Promise<unknown> =>
    request.op === 'release' ? {} : { handle: loaded.push(request) - 1 };
  return { engine: { ...engineThatIsNotBuilt(), isBuilt: () => true, call }, loaded };
}

it('evaluates policies that end alone, but not together in the time of one, in the time of all', async () => {
  const kube = loadKube('1.37', {}, readPack);
  const text = ['a', 'b', 'c'].map(policy).join('---\n');
  const files = [{ uri: 'policies.yaml', file: parseManifests('policies.yaml', text) }];
  const snapshot = withFiles(
    emptySnapshot(() => false),
    files,
  );
  const policies = admissionPoliciesOf(snapshot, kube);
  if (policies === undefined) return expect.unreachable();
  const { engine, loaded } = loading();
  const admission = vapAdmission(policies, snapshot, kube, engine);
  const active = activeBindings(admission, policies.validatingBindings, async () => nothingWrong);
  const question = () =>
    active.evaluate(async ({ handle, limits }) => {
      const bindings = loaded[handle]?.bindings as readonly unknown[];
      if (bindings.length * LIMITS.milliseconds > 2 * limits.milliseconds) throw new PolicyStopped('too long');
      return bindings.length;
    });
  expect([await question(), await question(), active.stopped()]).toEqual([3, 3, []]);
});

it('loads policies once for their check and for evaluation, and compiles each once', async () => {
  const { engine, requests } = engineThatAgrees();
  const pod =
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: web:1 }] }\n';
  await evaluated(engine, { 'a.yaml': [policy('v'), mutating('m'), pod].join('---\n') });
  const asked = requests.map(it => it.op);
  expect(asked.filter(it => it !== 'typeCheckPolicy' && it !== 'release').sort()).toEqual([
    'admit',
    'admit',
    'compileCEL',
    'compileCEL',
    'loadPolicies',
    'loadPolicies',
  ]);
});

it('loads schemas only for policies that merge an ApplyConfiguration', async () => {
  const loadedWith = async (mutation: string) => {
    const { engine, requests } = engineThatAgrees();
    await evaluated(engine, { 'a.yaml': mutating('m', mutation) });
    return requests.find(it => it.op === 'loadPolicies');
  };
  expect(await loadedWith(JSON_PATCH)).not.toHaveProperty('schemas');
  expect(await loadedWith(APPLY)).toHaveProperty(['kinds', 'v1/Pod']);
});

it('checks the policies that were edited, and none again', async () => {
  const { engine, requests } = engineThatAgrees();
  const { host } = await evaluated(engine, { 'a.yaml': policy('a'), 'b.yaml': policy('b'), 'm.yaml': mutating('m') });
  const checksAfter = async (files: Readonly<Record<string, string>>) => {
    const { length } = requests;
    host.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
    await iterateToEnd(host.evaluatePolicies([]));
    return requests.slice(length).flatMap(it => (it.op === 'compileCEL' || it.op === 'typeCheckPolicy' ? [it.op] : []));
  };
  expect(await checksAfter({ 'b.yaml': policy('b').replace('"true"', '"1 == 1"') })).toEqual([
    'compileCEL',
    'typeCheckPolicy',
  ]);
  // The types of all policies may differ with the schemas of custom resources.
  expect(await checksAfter({ 'c.yaml': definitionOf('          properties: {}\n') })).toHaveLength(5);
});
