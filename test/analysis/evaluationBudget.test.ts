import { describe, expect, it } from 'vitest';
import { evaluationBudget, unjudged } from '../../server/src/analysis/policies/evaluationBudget';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import type { PolicyAnswer } from '../../server/src/policy/policySet';
import type { PolicyResult } from '../../server/src/policy/result';
import { snapshotOf } from '../support/check';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n';
const snapshot = snapshotOf({ 'a.yaml': pod, 'b.yaml': pod });
const [object, inOtherFile] = ['a.yaml', 'b.yaml'].flatMap(it => snapshot.objectsIn(it));
if (object === undefined || inOtherFile === undefined) throw new Error('there are two Pods');

const answer = (...outcomes: readonly PolicyResult['outcome'][]): PolicyAnswer => ({
  results: outcomes.map(outcome => ({
    engine: 'kyverno',
    policy: 'p',
    outcome,
    severity: 'error',
    message: '',
    location: { object, at: FieldPath.of('kind'), part: 'value' },
  })),
  mutations: [],
});

describe('the budget of an evaluation of policies', () => {
  it.each([
    ['of what is told', answer('fail', 'warn', 'pass'), 2],
    ['of all results', answer('pass', 'pass', 'skip'), 3],
    ['of values of policies', { ...answer('pass'), work: 40 }, 3],
  ])('ends with the number %s', (_, it, times) => {
    const budget = evaluationBudget({ told: 3, all: 7, work: 100 });
    for (let i = 0; i < times; i++) {
      expect(budget.isSpentFor(object)).toBe(false);
      budget.spend(object, it);
    }
    expect(budget.isSpentFor(object)).toBe(true);
    expect(budget.isSpentFor(inOtherFile)).toBe(true);
  });

  it('ends for the objects of a file before it ends for others', () => {
    const budget = evaluationBudget({ told: 9, all: 9, work: 9 }, { told: 2, all: 9, work: 9 });
    budget.spend(object, answer('fail', 'fail'));
    expect(budget.isSpentFor(object)).toBe(true);
    expect(budget.isSpentFor(inOtherFile)).toBe(false);
  });

  it('leaves an answer that says so', () => {
    expect(unjudged('kyverno', object).results).toMatchObject([
      { outcome: 'warn', severity: 'warning', location: { object } },
    ]);
  });
});
