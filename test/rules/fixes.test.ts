import { describe, expect, test } from 'vitest';
import { diagnose, fixed, fixesOf } from '../support/check';

const POD =
  'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: web\n      image: nginx\n';
const CLAIM =
  'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data, namespace: prod }\nspec:\n  accessModes: [ReadWriteOnce]\n  resources: { requests: { storage: 1Gi } }\n';

describe('fixes keep comments and style', () => {
  test.each([
    [
      'a repeated toleration goes with its lines',
      `${POD}  tolerations:\n    - key: a # first\n      operator: Exists\n    # below\n    - key: a\n      operator: Exists\n  hostNetwork: true\n`,
      'Remove the repeated',
      `${POD}  tolerations:\n    - key: a # first\n      operator: Exists\n    # below\n  hostNetwork: true\n`,
    ],
    [
      'a list in brackets keeps its commas right',
      `${POD}  tolerations: [{ key: a, operator: Exists }, { key: a, operator: Exists }]\n`,
      'Remove the repeated',
      `${POD}  tolerations: [{ key: a, operator: Exists }]\n`,
    ],
    [
      'one of two values is kept',
      `${POD}  tolerations:\n    - key: a\n      value: red\n    - key: a\n      value: blue\n`,
      'Keep only value: blue',
      `${POD}  tolerations:\n    - key: a\n      value: blue\n`,
    ],
    [
      'a number for text is quoted as written',
      POD.replace('name: web\nspec', 'name: web\n  labels: { version: 1.10 } # kept\nspec'),
      'Put the value in quotes',
      POD.replace('name: web\nspec', 'name: web\n  labels: { version: "1.10" } # kept\nspec'),
    ],
    ['a key is renamed', `${POD}  HostNetwork: true\n`, 'Rename to hostNetwork', `${POD}  hostNetwork: true\n`],
    [
      'a namespace that is the own one goes',
      `${CLAIM}  dataSourceRef:\n    kind: PersistentVolumeClaim\n    name: golden\n    namespace: prod\n`,
      'Remove the namespace',
      `${CLAIM}  dataSourceRef:\n    kind: PersistentVolumeClaim\n    name: golden\n`,
    ],
  ])('%s', (_name, before, title, after) => {
    expect(fixed(before, title)).toBe(after);
  });

  test('a repeated toleration whose anchor is used elsewhere has no fix', () => {
    const text = `${POD}  tolerations:\n    - key: a\n      operator: Exists\n    - &t\n      key: a\n      operator: Exists\n    - *t\n`;
    expect(fixesOf(text).filter(it => it.safety === 'safe').length).toBeLessThanOrEqual(1);
  });

  test('the ReferenceGrant that a fix writes is the one that was missing', () => {
    const world = { gates: { CrossNamespaceVolumeDataSource: true } };
    const golden = CLAIM.replace('name: data, namespace: prod', 'name: golden, namespace: images');
    const before = `${golden}---\n${CLAIM}  dataSourceRef: { kind: PersistentVolumeClaim, name: golden, namespace: images }\n`;
    expect(diagnose(before, world).map(it => it.code)).toEqual(['references/reference-grant-missing']);
    const after = fixed(before, 'Write the ReferenceGrant at the end', world) ?? '';
    expect(diagnose(after, world)).toEqual([]);
  });
});
