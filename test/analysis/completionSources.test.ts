import { expect, it } from 'vitest';
import { KUSTOMIZATION_KIND } from '../../server/src/analysis/features/completion/kustomize';
import { SOURCES, sourceName } from '../../server/src/analysis/features/completion/sources';
import type { Schema } from '../../server/src/kube/kube';
import { loadKube, newestMinor } from '../../server/src/kube/load';
import { readPack } from '../support/packs';
import { labelsIn } from './completing';

/** The fields of a schema and of all that it holds, as the table of sources calls them. */
function fieldsIn(schema: Schema, seen = new Set<Schema>()): readonly string[] {
  if (schema.type === 'list') return fieldsIn(schema.items, seen);
  if (schema.type === 'map') return fieldsIn(schema.values, seen);
  if (schema.type !== 'object' || seen.has(schema)) return [];
  seen.add(schema);
  return [...schema.fields.values()].flatMap(it => [
    sourceName(schema.definition, it.name),
    ...fieldsIn(it.schema, seen),
  ]);
}

it('every field with a source of values exists in the newest minor or in a kustomization', () => {
  const kube = loadKube(newestMinor, {}, readPack);
  const fields = kube.definitions().flatMap(definition => {
    const schema = kube.schemaOf(definition);
    return schema?.type === 'object' ? [...schema.fields.keys()].map(it => sourceName(definition, it)) : [];
  });
  const known = new Set([...fields, ...fieldsIn(KUSTOMIZATION_KIND.schema)]);
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
