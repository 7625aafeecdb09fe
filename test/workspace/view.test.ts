import { expect, it } from 'vitest';
import { snapshotSubset } from '../../server/src/workspace/view';
import { snapshotOf } from '../support/check';

const pod = (i: number): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: p${i}, labels: { app: web } }\n`;

it('a part of a workspace asks once for each Pod whether it belongs to it, however many selectors look for Pods', () => {
  const snapshot = snapshotOf({ 'test:///a.yaml': Array.from({ length: 100 }, (_, i) => pod(i)).join('---\n') });
  let asked = 0;
  const includes = (): boolean => {
    asked += 1;
    return true;
  };
  const part = snapshotSubset(snapshot, { includes });
  const ask = (): number =>
    part.references.podsIn('default').length + part.references.podsWith('default', 'app', 'web').length;
  expect(ask()).toBe(200);
  const once = asked;
  for (let i = 0; i < 50; i++) ask();
  expect(asked).toBe(once);
});

it('files that are known to belong to a part are listed in order, and none is asked for', () => {
  const snapshot = snapshotOf({ 'test:///a.yaml': pod(1), 'test:///b.yaml': pod(2), 'test:///c.yaml': pod(3) });
  const part = snapshotSubset(snapshot, {
    includes: it => {
      throw new Error(`${it} is asked for`);
    },
    uris: all => all.filter(it => it !== 'test:///b.yaml'),
  });
  expect([...part.files.keys()]).toEqual(['test:///a.yaml', 'test:///c.yaml']);
  expect(part.files.size).toBe(2);
});
