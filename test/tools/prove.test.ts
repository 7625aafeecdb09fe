import { describe, expect, test } from 'vitest';
import { isSameAnswer, isSameDecision, judgementOf, realJudgement } from '../../tools/prove/verdicts.mjs';

const accepted = (...warnings: string[]) => ({ answer: 'accepted', errors: [], warnings }) as const;
const causes = (...fields: string[]) => ({
  details: { causes: fields.map(field => ({ reason: 'FieldValueInvalid', field })) },
});
const invalid = (...fields: string[]) =>
  judgementOf(
    fields.map(fieldPath => ({ category: 'apiserver', errorType: 'FieldValueInvalid', fieldPath, message: '' })),
  );
const unknown = (fieldPath: string) =>
  judgementOf([
    { category: 'decode', errorType: 'UnknownField', fieldPath, message: `unknown field "${fieldPath}"; did you …?` },
  ]);
const strict = (path: string) =>
  realJudgement(400, { message: `Pod cannot be handled: strict decoding error: unknown field "${path}"` }, []);

describe('a prediction of an answer', () => {
  test.each([
    ['accepted by both', accepted(), realJudgement(201, {}, []), true],
    ['accepted with another warning', accepted('a'), realJudgement(201, {}, ['b']), false],
    ['accepted, but refused', accepted(), realJudgement(422, causes('spec.a'), []), false],
    [
      'refused for the same fields',
      invalid('spec.b', 'spec.a'),
      realJudgement(422, causes('spec.a', 'spec.b'), []),
      true,
    ],
    ['refused for one field too few', invalid('spec.a'), realJudgement(422, causes('spec.a', 'spec.b'), []), false],
    ['refused, but accepted', invalid('spec.a'), realJudgement(201, {}, []), false],
    ['an unknown field', unknown('spec.x'), strict('spec.x'), true],
    ['another unknown field', unknown('spec.y'), strict('spec.x'), false],
  ])('%s', (_, predicted, real, same) => {
    expect(isSameAnswer(predicted, real!)).toBe(same);
  });

  test('an answer about something else is none', () => {
    expect(realJudgement(404, { message: 'namespaces "x" not found' }, [])).toBeUndefined();
  });
});

describe('a prediction of a decision', () => {
  const on = (node: string, ...victims: string[]) => ({ node, victims });
  test.each([
    ['the same nodes', [on('a'), on('b')], [{ node: 'a' }, { node: 'b' }], [], true],
    ['another node', [on('a')], [{ node: 'b' }], [], false],
    ['a Pod too few', [on('a')], [{ node: 'a' }, { node: 'b' }], [], false],
    ['the same words', [{ waits: 'no room', victims: [] }], [{ waits: 'no room' }], [], true],
    ['other words', [{ waits: 'no room', victims: [] }], [{ waits: 'taints' }], [], false],
    ['the same victims', [on('a', 'x', 'y')], [{ node: 'a' }], ['x', 'y'], true],
    ['another victim', [on('a', 'x')], [{ node: 'a' }], ['y'], false],
  ])('%s', (_, predicted, real, evicted, same) => {
    expect(isSameDecision({ predicted, real, evicted })).toBe(same);
  });
});
