import { describe, expect, it } from 'vitest';
import { createMemo } from '../../server/src/base/memo';
import { collectGarbage, watched } from '../support/collected';

describe('the memo of runs', () => {
  it('finds a value by its inputs, and does not keep them alive', async () => {
    const memory = createMemo();
    const object = {};
    const inputs = watched();
    const first = inputs.watch({});
    expect(memory.of('model', object, [first, 1], () => 'first')).toBe('first');
    expect(memory.of('model', object, [first, 1], () => 'again')).toBe('first');
    expect(memory.of('model', object, [first, 2], () => 'other number')).toBe('other number');
    const askWithOthers = (): void => {
      for (const name of ['a', 'b', 'c']) {
        const other = inputs.watch({});
        expect(memory.of(name, object, [other], () => name)).toBe(name);
        expect(memory.last(name, [other], () => name)).toBe(name);
      }
    };
    askWithOthers();
    await collectGarbage();
    expect(inputs.alive().map(it => it === first)).toEqual([true]);
    expect(memory.of('model', object, [first, 2], () => 'again')).toBe('other number');
  });

  it('returns the object made before for a key, as long as it is used', async () => {
    const memory = createMemo();
    const maker = {};
    const madeOnce = watched<{ readonly name: string }>();
    const make = (name: string) => memory.same(maker, name, madeOnce.watch({ name }));
    const kept = make('web');
    for (let run = 0; run < 10; run += 1) {
      memory.startRun();
      expect(make('web')).toBe(kept);
      make(`web-${run}`);
    }
    await collectGarbage();
    expect(madeOnce.alive().map(it => it.name)).toEqual(['web', 'web-8', 'web-9']);
  });

  it('drops shared objects once there are many more than a run makes', async () => {
    const memory = createMemo();
    const shared = watched();
    for (let run = 0; run < 40; run += 1) {
      memory.startRun();
      for (let i = 0; i < 200; i += 1) memory.shared(`${run} ${i}`, () => shared.watch({}));
    }
    await collectGarbage();
    expect(shared.alive().length).toBeLessThan(3_000);
  });
});
