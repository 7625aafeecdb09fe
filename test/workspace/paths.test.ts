import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveIn } from '../../server/src/workspace/paths';

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
