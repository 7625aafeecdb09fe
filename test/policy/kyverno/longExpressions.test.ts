import { describe, expect, test } from 'vitest';
import { celEngine } from '../../../server/src/policy/kyverno/cel/engine';
import { x509Decode } from '../../../server/src/policy/kyverno/go/certificates';
import { LONGEST_QUERY, parseQuery } from '../../../server/src/policy/kyverno/jmespath/query';
import { Indeterminate, KyvernoError } from '../../../server/src/policy/kyverno/results/failures';

/** Each object is judged by them, with a message about it: 10,000 Pods would say 1 MB each. */
describe('an expression that is too long', () => {
  test('is no query that is asked', () => {
    const fits = `${' '.repeat(9)}${'a'.repeat(LONGEST_QUERY)}`;
    expect(parseQuery(fits)).toMatchObject({ type: 'Field' });
    expect(() => parseQuery(`${fits}a`)).toThrow(Indeterminate);
    expect(() => parseQuery(`${fits}a`)).toThrow(/^a query has more than 10,000 characters and is not asked here$/);
  });

  test('is no CEL that is evaluated', () => {
    const engine = celEngine();
    const long = `${'1+'.repeat(5_000)}1`;
    expect(engine.problemOf(long)).toBeUndefined();
    expect(engine.evaluate(long, {})).toEqual({
      undecided: 'the expression has more than 10,000 characters and is not evaluated here',
    });
    expect(engine.evaluate('1+1', {})).toEqual({ value: 2n });
  });
});

test('certificates that do not end are looked for in a few places', () => {
  const begins = '-----BEGIN A-----'.repeat(100_000);
  expect(() => x509Decode(begins)).toThrow(KyvernoError);
  expect(() => x509Decode('-----BEGIN A----------BEGIN B-----AAAA-----END B-----')).toThrow(/neither contains/);
});
