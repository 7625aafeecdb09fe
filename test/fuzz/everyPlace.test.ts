import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../server/src/base/json';
import { loadKube } from '../../server/src/kube/load';
import { allStrategies } from '../../server/src/rules/apiserver/validate/strategies';
import { EVERYTHING } from '../cluster/everything';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';
import { corpus, smallWorkspace } from './corpus';
import { thrownByPlacing, thrownByRules, thrownByStrategies, thrownBySuggesting } from './everyPlace';
import { documentsOf } from './inputs/structure';

// The values alternate here, at every sixth field but in a thorough run; `npm run fuzz -- --target places` puts each of them
// at every field.
const root = resolve(import.meta.dirname, '../..');
const workspace = smallWorkspace(root);
const OTHERS = {
  path: 'others.yaml',
  text: `apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: { name: broken }
spec:
  deviceSelector: { driver: d.example, pool: p, device: one }
  taint: { key: d.example/broken, value: "true", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z" }
---
apiVersion: scheduling.k8s.io/v1alpha3
kind: CompositePodGroup
metadata: { name: trains, namespace: shop }
spec:
  parentCompositePodGroupName: all
  schedulingPolicy: { gang: { minGroupCount: 2 } }
  schedulingConstraints: { topology: [{ key: zone }] }
`,
};
const share = { each: sizedFor({ thorough: 1, quick: 9 }) };
const objects = [...corpus(root).filter(it => it.path.startsWith('bases/')), OTHERS];

it('each strategy accepts any value at any field', () => {
  expect([...thrownByStrategies(objects, loadKube('1.37', {}, readPack), share)]).toEqual([]);
});

it('each strategy has an object whose fields are changed', () => {
  const kinds = objects
    .flatMap(it => documentsOf(it) ?? [])
    .map(it => {
      const { apiVersion, kind } = it as JsonObject;
      const [group = '', version] = String(apiVersion).split('/');
      return `${version === undefined ? '' : group}/${String(kind)}`;
    });
  expect(Object.keys(allStrategies()).filter(it => !kinds.includes(it))).toEqual([]);
});

it('rules and readers accept any value at any field of any kind of file', () => {
  const beside = workspace.filter(it => /^(cluster|crds|kustomize)\//.test(it.path));
  expect([...thrownByRules(workspace, beside, share, 'problems')]).toEqual([]);
});

it('the scheduler places the other Pods, whatever value any field of one object has', () => {
  expect([...thrownByPlacing(EVERYTHING as readonly JsonObject[], share)]).toEqual([]);
});

it('the scheduler places the other Pods where a field is an object that cannot be made a text', () => {
  const noText = { ...share, of: [{ toString: null, valueOf: 1 }] };
  expect([...thrownByPlacing(EVERYTHING as readonly JsonObject[], noText)]).toEqual([]);
});

it('suggestions are searched for, whatever value a field has', async () => {
  const thrown: unknown[] = [];
  for await (const it of thrownBySuggesting({ each: sizedFor({ thorough: 4, quick: 24 }) })) thrown.push(it);
  expect(thrown).toEqual([]);
});
