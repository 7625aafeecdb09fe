import { expect, test } from 'vitest';
import { keptParts } from '../../server/src/base/keptParts';
import { createPartMemo } from '../../server/src/base/partMemo';

test('a part that is equal to the earlier one in its place is the earlier one', () => {
  const before = { a: { b: [1, { c: 2 }] }, d: { e: 1 } };
  const now = keptParts(before, { a: { b: [1, { c: 2 }] }, d: { e: 2 } }) as typeof before;
  expect(now).toEqual({ a: { b: [1, { c: 2 }] }, d: { e: 2 } });
  expect(now.a).toBe(before.a);
  expect(now.d).not.toBe(before.d);
  expect(keptParts(before, structuredClone(before))).toBe(before);
});

test.each([
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: 0 }, { a: -0 }],
  [{ a: 1 }, { a: 1n }],
  [[1, 2], [1]],
  [{ a: 1 }, [1]],
  [{ a: null }, { a: {} }],
  [{ a: 1, b: 2 }, { a: 1 }],
])('%o does not stand for %o', (before, now) => {
  const kept = keptParts(before, now);
  expect(kept).toStrictEqual(now);
  expect(Object.keys(kept as object)).toEqual(Object.keys(now));
  expect(kept).not.toBe(before);
});

test('a part that has nothing is asked once; one that has something, or was not asked to the end, again', () => {
  const memo = createPartMemo();
  const asked: string[] = [];
  const ask = (name: string, part: object, items: readonly number[]) =>
    memo.unlessNone('numbers', part, () => {
      asked.push(name);
      return items;
    });
  const [none, some] = [{}, {}];
  expect([[...ask('none', none, [])], [...ask('none', none, [])]]).toEqual([[], []]);
  expect([[...ask('some', some, [1])], [...ask('some', some, [1])]]).toEqual([[1], [1]]);
  for (const _ of ask('some', some, [1])) break;
  expect([...ask('some', some, [1])]).toEqual([1]);
  expect(asked).toEqual(['none', 'some', 'some', 'some', 'some']);
});
