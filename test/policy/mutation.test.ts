import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../server/src/policy/mutation';

describe('the changes of an object', () => {
  const told = (...objects: Parameters<typeof changesBetween>) =>
    changesBetween(...objects).map(({ at, ...values }) => ({ at: at.toString(), ...values }));

  it('are the fields that differ, those of before first', () => {
    const list = [1, { b: 2 }];
    const before = { same: { list }, gone: 1, list: [1, { b: 2 }], kept: [1], shorter: [1, 2] };
    const after = { made: null, shorter: [1], kept: [1, 2], list: [1, { b: 3 }], same: { list } };
    expect(told(before, after)).toEqual([
      { at: 'gone', before: 1 },
      { at: 'list[1].b', before: 2, after: 3 },
      { at: 'kept[1]', after: 2 },
      { at: 'shorter', before: [1, 2], after: [1] },
      { at: 'made', after: null },
    ]);
  });

  it('may be of fields that are named like what each object of JavaScript has', () => {
    expect(told({ labels: {} }, { labels: { constructor: 'a' } })).toEqual([{ at: 'labels.constructor', after: 'a' }]);
    expect(told({ labels: { toString: 'a' } }, { labels: {} })).toEqual([{ at: 'labels.toString', before: 'a' }]);
  });
});
