import { describe, expect, it } from 'vitest';
import { assigned, largest, smallest } from '../../server/src/base/manyItems';
import { readRange } from '../../server/src/cluster/admission/limitRanger';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import { jsonOf } from '../../server/src/policy/kyverno/cel/json';
import { containerWarnings } from '../../server/src/rules/apiserver/validate/podSpec/warnings/containers';

/** More than V8 takes as arguments of one call. */
const MANY = 150_000;

describe('lists that are longer than arguments may be', () => {
  const numbers = Array.from({ length: MANY }, (_, i) => i);

  it('are such lists', () => {
    expect(() => Math.max(...numbers)).toThrow(RangeError);
  });

  it('have a largest and a smallest number', () => {
    expect([largest(numbers), smallest(numbers)]).toEqual([MANY - 1, 0]);
    expect([largest([]), smallest([])]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect([largest([1, Number.NaN]), smallest([1, Number.NaN])]).toEqual([Number.NaN, Number.NaN]);
  });

  it('are put into one record, of which the last counts', () => {
    const records = numbers.map(i => ({ a: i, [`b${i % 2}`]: i }));
    expect(assigned(records)).toEqual({ a: MANY - 1, b0: MANY - 2, b1: MANY - 1 });
  });

  it('may be variables that hide each other', () => {
    const env = numbers.map(() => ({ name: 'A', value: 'b' }));
    expect(containerWarnings({ containers: [{ name: 'c', env }] }, FieldPath.of('spec'))).toHaveLength(MANY - 1);
  });

  it('may be the limits of a LimitRange', () => {
    const limits = numbers.map(i => ({ type: 'Container', default: { cpu: String(i) }, defaultRequest: { cpu: '1' } }));
    const read = readRange({ metadata: { name: 'a' }, spec: { limits } });
    expect(read).toMatchObject({ limits: { cpu: String(MANY - 1) }, requests: { cpu: '1' } });
  });

  it('may be the bytes of an expression', () => {
    expect(jsonOf(new Uint8Array(MANY).fill(97))).toBe(btoa('a'.repeat(MANY)));
  });
});
