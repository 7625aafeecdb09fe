import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../server/src/base/json';
import { checkConditions } from '../../../server/src/policy/kyverno/conditions/conditions';
import { conditionOperator } from '../../../server/src/policy/kyverno/conditions/operators';
import { type EvalContext, evalContext } from '../../../server/src/policy/kyverno/context/context';
import { substitute } from '../../../server/src/policy/kyverno/context/variables';
import { jmespath } from '../../../server/src/policy/kyverno/jmespath/jmespath';
import { budgetOf } from '../../../server/src/policy/kyverno/results/failures';

describe('operators', () => {
  const cases: readonly (readonly [key: JsonValue, operator: string, value: JsonValue, holds: boolean])[] = [
    ['a', 'Equals', 'a', true],
    ['abc', 'Equals', 'a*', true],
    ['1Gi', 'Equals', '1024Mi', true],
    ['1h', 'Equals', '60m', true],
    ['60s', 'Equals', 60, true],
    [5, 'Equals', '5', true],
    [[1, 2], 'Equals', [1, 2], true],
    [{ a: 1 }, 'NotEquals', { a: 2 }, true],
    ['a', 'NotEquals', 5, true],
    [true, 'Equal', true, true],
    [null, 'NotEquals', 'a', false],
    ['a', 'AnyIn', ['b', 'a*'], true],
    [['a', 'z'], 'AnyIn', ['a'], true],
    [['a', 'z'], 'AllIn', ['a'], false],
    [['a', 'z'], 'AnyNotIn', ['a'], true],
    [['a'], 'AnyNotIn', ['a'], false],
    [['x', 'z'], 'AllNotIn', ['a'], true],
    [['a', 'z'], 'AllNotIn', ['a'], false],
    [8080, 'AnyIn', '1000-9000', true],
    [[80, 8080], 'AnyNotIn', '1000-9000', true],
    [[8080], 'AllNotIn', '1000-9000', false],
    ['a', 'AnyIn', '["a", "b"]', true],
    ['a', 'AnyNotIn', '[1]', false],
    [['a'], 'In', ['a', 'b'], true],
    [['a*'], 'In', ['ab'], false],
    [['a', 'c'], 'NotIn', ['a', 'b'], true],
    [{}, 'AnyIn', ['a'], false],
    [5, 'GreaterThan', 4, true],
    ['2Gi', 'GreaterThan', '1Gi', true],
    ['1h', 'LessThan', '61m', true],
    ['1.10.0', 'GreaterThan', '1.9.0', true],
    ['1.5', 'LessThanOrEquals', 1.5, true],
    [5, 'greaterthan', 4, false],
    ['x', 'GreaterThan', 'a', false],
    ['2h', 'DurationGreaterThan', 3600, true],
    [90, 'DurationLessThanOrEquals', '1m30s', true],
  ];
  it.each(cases)('%j %s %j is %s', (key, operator, value, holds) => {
    expect(conditionOperator(operator)?.(key, value)).toBe(holds);
  });
});

const contextOf = (data: Readonly<Record<string, JsonValue>>, operation = 'CREATE'): EvalContext =>
  evalContext({ data, entries: [], operation, jmespath: jmespath(), budget: budgetOf(10_000) });

describe('conditions', () => {
  const context = contextOf({ n: 5 });
  const is = (key: number) => ({ key: '{{ n }}', operator: 'Equals', value: key, message: `is ${key}` });
  const cases: readonly (readonly [conditions: JsonValue, holds: boolean, message: string])[] = [
    [null, true, ''],
    [{ any: [is(1), is(5)] }, true, 'is 5'],
    [{ any: [is(1), is(2)] }, false, 'is 1; is 2'],
    [{ all: [is(5), is(2)] }, false, 'is 2'],
    [{ any: [is(5)], all: [is(5)] }, true, 'is 5; is 5'],
    [{ any: [], all: [is(5)] }, true, 'is 5'],
    [[is(5), is(1)], false, 'is 1'],
  ];
  it.each(cases)('%j', (conditions, holds, message) => {
    expect(checkConditions(conditions, context)).toEqual({ holds, message });
  });

  it('an unknown operator or variable is an error', () => {
    expect(() => checkConditions([{ key: 1, operator: 'Near', value: 1 }], context)).toThrow('operator');
    expect(() => checkConditions([{ key: '{{ m.o }}', operator: 'Equals', value: 1 }], context)).toThrow(
      'Unknown key "m"',
    );
  });
});

describe('variables', () => {
  const context = contextOf({
    request: { object: { metadata: { name: 'web', labels: { a: 'x' } }, n: 3 } },
    path: 'name',
    loop: '{{ loop }}x',
  });
  const cases: readonly (readonly [document: JsonValue, result: JsonValue])[] = [
    ['{{ request.object.n }}', 3],
    ['n={{ request.object.n }}', 'n=3'],
    ['{{request.object.metadata.labels}}', { a: 'x' }],
    ['<{{ request.object.metadata.labels }}>', '<{"a":"x"}>'],
    ['{{ request.object.metadata.{{ path }} }}', 'web'],
    ['\\{{ not }} {{ path }}', '{{ not }} name'],
    [{ '{{ path }}': ['{{ path }}'] }, { name: ['name'] }],
    ['{{- loop }}', '{{ loop }}x'],
    [
      { a: '5', b: '$(./../a)', c: '<$(/a)' },
      { a: '5', b: '5', c: '<5' },
    ],
    [{ a: '\\$(x)' }, { a: '$(x)' }],
  ];
  it.each(cases)('%j', (document, result) => expect(substitute(document, context)).toEqual(result));

  it('a variable that expands without end is stopped', () => {
    expect(() => substitute('a {{ loop }}', context)).toThrow('more steps');
  });

  it('a delete request uses the old object', () => {
    const deleted = contextOf({ request: { oldObject: { n: 1 } } }, 'DELETE');
    expect(substitute('{{ request.object.n }}', deleted)).toBe(1);
  });
});
