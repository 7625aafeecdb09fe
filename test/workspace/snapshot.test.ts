import { describe, expect, test } from 'vitest';
import { parseManifests } from '../../server/src/manifest/parse';
import { reparseManifests } from '../../server/src/manifest/reparse';
import { withFiles } from '../../server/src/workspace/snapshot';
import { snapshotOf } from '../support/check';

const claim = (name: string, namespace?: string) =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: ${name}\n${namespace === undefined ? '' : `  namespace: ${namespace}\n`}`;

describe('a snapshot', () => {
  test('finds objects by namespace (default if none is written) and name', () => {
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

  test('objects that only moved in a large file are found at their new positions, in order', () => {
    const claims = Array.from({ length: 40 }, (_, i) => claim(`claim-${i}`)).join('---\n');
    const files = [
      claims,
      claims.replace('name: claim-7\n', 'name: other\n  labels: {a: b}\n'),
      `${claim('first')}---\n${claims}`,
    ];
    const [start, ...edited] = files.map(text => ({ 'a.yaml': text, 'b.yaml': claim('b') }));
    let snapshot = snapshotOf(start!);
    for (const now of edited) {
      const before = snapshot.files.get('a.yaml')!;
      snapshot = withFiles(snapshot, [{ uri: 'a.yaml', file: reparseManifests(before, now['a.yaml']) }]);
      const fresh = snapshotOf(now);
      const placesIn = (it: typeof snapshot) =>
        it.objectsOf('', 'PersistentVolumeClaim').map(({ name, manifest }) => [name, manifest.uri, manifest.span]);
      expect(placesIn(snapshot)).toEqual(placesIn(fresh));
      const spansOf = (it: typeof snapshot, name: string) =>
        it.find('', 'PersistentVolumeClaim', 'default', name).map(({ manifest }) => manifest.span);
      for (const name of ['first', 'other', 'claim-7', 'claim-39']) {
        expect(spansOf(snapshot, name)).toEqual(spansOf(fresh, name));
      }
    }
  });

  test('also after edits of many other files', () => {
    const textOf = (file: number, label: number) =>
      ['w', 'x', 'y', 'z']
        .map((it, i) => claim(`${it}${file}${i === 0 ? `\n  labels: {l: v${'0'.repeat(label)}}` : ''}`))
        .join('---\n');
    const uris = Array.from({ length: 12 }, (_, i) => `f${i}.yaml`);
    let snapshot = snapshotOf(Object.fromEntries(uris.map((uri, i) => [uri, textOf(i, 0)])));
    for (const label of [1, 2]) {
      for (const [i, uri] of uris.entries()) {
        const file = reparseManifests(snapshot.files.get(uri)!, textOf(i, label));
        snapshot = withFiles(snapshot, [{ uri, file }]);
      }
    }
    const fresh = snapshotOf(Object.fromEntries(uris.map((uri, i) => [uri, textOf(i, 2)])));
    const placesIn = (it: typeof snapshot) =>
      it.objectsOf('', 'PersistentVolumeClaim').map(({ name, manifest }) => [name, manifest.uri, manifest.span]);
    expect(placesIn(snapshot)).toEqual(placesIn(fresh));
  });

  test('a cluster-scoped object has no namespace, even if one is written', () => {
    const text = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high, namespace: prod }\n';
    expect(snapshotOf({ 'a.yaml': text }).objectsIn('a.yaml')[0]?.namespace).toBeUndefined();
  });
});
