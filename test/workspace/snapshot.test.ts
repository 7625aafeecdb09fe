import { describe, expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { withFiles } from '../../server/src/workspace/snapshot';
import { snapshotOf } from '../support/check';

const claim = (name: string, namespace?: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: ${name}\n${namespace === undefined ? '' : `  namespace: ${namespace}\n`}`;

describe('a snapshot', () => {
  test('finds objects by namespace and name, default where none is written', () => {
    const snapshot = snapshotOf({ 'a.yaml': `${claim('x')}---\n${claim('x', 'prod')}` });
    expect(snapshot.find('', 'PersistentVolumeClaim', 'default', 'x')).toHaveLength(1);
    expect(snapshot.find('', 'PersistentVolumeClaim', 'prod', 'x')[0]?.manifest.document).toBe(1);
    expect(snapshot.find('', 'PersistentVolumeClaim', 'other', 'x')).toEqual([]);
  });

  test('a change makes a new one and leaves the old as it is', () => {
    const before = snapshotOf({ 'a.yaml': claim('x'), 'b.yaml': claim('b') });
    const after = withFiles(before, [
      { uri: 'a.yaml', file: parseManifests('a.yaml', claim('z')) },
      { uri: 'b.yaml', file: undefined },
    ]);
    const names = (it: typeof before) => it.objectsOf('', 'PersistentVolumeClaim').map(({ name }) => name);
    expect(names(before)).toEqual(['x', 'b']);
    expect(names(after)).toEqual(['z']);
    expect(after.files.has('b.yaml')).toBe(false);
  });

  test('a cluster-scoped object has no namespace, whatever is written', () => {
    const text = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high, namespace: prod }\n';
    expect(snapshotOf({ 'a.yaml': text }).objectsIn('a.yaml')[0]?.namespace).toBeUndefined();
  });
});
