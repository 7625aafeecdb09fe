import { expect, it } from 'vitest';
import { jsonText, numeric, printed } from '../../server/src/base/printed';
import { jsonStart } from '../../server/src/text/jsonStart';

const ODD = JSON.parse('{ "toString": null, "valueOf": 1, "__proto__": { "a": [] } }') as object;

it.each([
  ['text', 'text'],
  [1.5, '1.5'],
  [null, 'null'],
  [undefined, 'undefined'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [['a', null], '["a",null]'],
  [ODD, '{"toString":null,"valueOf":1,"__proto__":{"a":[]}}'],
  [{ size: 9_007_199_254_740_993n }, '{"size":"9007199254740993"}'],
])('%o is printed as %s', (value, text) => {
  expect(printed(value)).toBe(text);
});

it('lists and objects are not numbers, whatever their fields are', () => {
  expect([ODD, [1], '7', null].map(numeric)).toEqual([Number.NaN, Number.NaN, 7, 0]);
});

it.each([ODD, 'a "b"\n', [1, [{ a: undefined, b: { c: '\ud83d\udc33' } }], null, true], 12, null])(
  'the start of %o is that of its JSON',
  value => {
    const whole = jsonText(value);
    for (const most of [0, 1, 5, 17, whole.length - 1, whole.length, 1_000])
      expect(jsonStart(value, most)).toBe(whole.length > most ? `${whole.slice(0, most)}…` : whole);
  },
);

it('of a large value only the shown part is serialized', () => {
  let read = 0;
  const items = new Proxy(
    Array.from({ length: 10_000 }, (_, i) => i),
    {
      get(of, key) {
        read += 1;
        return of[key as unknown as number];
      },
    },
  );
  expect(jsonStart(items, 160)).toHaveLength(161);
  expect(read).toBeLessThan(500);
});
