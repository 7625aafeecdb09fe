import { expect, it } from 'vitest';
import { SOURCES, sourceName } from '../../server/src/analysis/completion/sources';
import { loadKube, newestMinor } from '../../server/src/kube/load';
import { readPack } from '../support/packs';
import { labelsIn } from './completing';

it('every field that has a source of values is one of the newest minor', () => {
  const kube = loadKube(newestMinor, {}, readPack);
  const fields = kube.definitions().flatMap(definition => {
    const schema = kube.schemaOf(definition);
    return schema?.type === 'object' ? [...schema.fields.keys()].map(it => sourceName(definition, it)) : [];
  });
  const known = new Set(fields);
  expect(Object.keys(SOURCES).filter(it => !known.has(it.replace(/(?:\[\]|\{\})$/, '')))).toEqual([]);
});

it.each([
  ['apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n  - resources: [po|]\n', ['pods', 'podtemplates']],
  ['apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n  - verbs:\n      - w|\n', ['watch']],
  ['apiVersion: v1\nkind: Secret\ntype: kubernetes.io/t|\n', ['kubernetes.io/tls']],
  ['apiVersion: v1\nkind: ResourceQuota\nspec:\n  hard:\n    limits.c|\n', ['limits.cpu']],
  ['apiVersion: v1\nkind: PersistentVolume\nspec:\n  capacity:\n    |\n', ['storage']],
])('%j is completed', (text, wanted) => {
  expect(labelsIn(text)).toEqual(expect.arrayContaining(wanted));
});
