import { describe, expect, it } from 'vitest';
import { evaluationBudget, unjudged } from '../../server/src/analysis/policies/evaluationBudget';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import type { PolicyAnswer } from '../../server/src/policy/policySet';
import type { PolicyResult } from '../../server/src/policy/result';
import { snapshotOf } from '../support/check';

const [object] = snapshotOf({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\n' }).objectsIn('a.yaml');
if (object === undefined) throw new Error('there is a Pod');

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
  ])('ends with the number %s', (_, it, times) => {
    const budget = evaluationBudget({ told: 3, all: 7 });
    for (let i = 0; i < times; i++) {
      expect(budget.isSpent()).toBe(false);
      budget.spend(it);
    }
    expect(budget.isSpent()).toBe(true);
  });

  it('leaves an answer that says so', () => {
    expect(unjudged('kyverno', object).results).toMatchObject([
      { outcome: 'warn', severity: 'warning', location: { object } },
    ]);
  });
});
