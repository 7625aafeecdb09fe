import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveIn, resolverIn } from '../../server/src/workspace/paths';

test.each([
  // An invalid host name is the first step of a path.
  ['//[x', 'file:///[x'],
  ['\\\\a b\\c', 'file:///a%20b/c'],
  ['//host/share', 'file://host/share'],
  ['\\\\host\\share\\x', 'file://host/share/x'],
])('resolves %s without throwing', (path, uri) => {
  expect(resolveIn('file:///ws', path)).toBe(uri);
});

test('resolves any text without throwing', () => {
  const parts = fc.array(
    fc.constantFrom('/', '\\', '..', '.', '[', ']', '%', '?', '#', ':', '@', 'a', ' ', '\u0000', '\ud800'),
  );
  fc.assert(
    fc.property(parts, it => void expect(resolveIn('file:///ws', it.join(''))).toEqual(expect.any(String))),
    {
      numRuns: 500,
    },
  );
});

test('a plain path in a folder has the uri that a URL has, however the folder is written', () => {
  const folders = ['file:///ws', 'file:///', 'file:///c%3A/a%20b', 'file:///c:/ä', 'file:///ws/x/../y', 'untitled:/ws'];
  for (const folder of folders)
    for (const path of ['a', 'a.yaml', 'a/b-c/d.e', '9', '_a/kustomization.yaml'])
      for (const uri of [resolverIn(folder)(path), resolveIn(folder, path)])
        expect(uri).toBe(resolveIn(folder, `./${path}`));
});
