import { FieldPath } from '../../manifest/fieldPath';
import type { PolicyAnswer } from '../../policy/policySet';
import type { PolicyEngineName } from '../../policy/result';
import type { WorkspaceObject } from '../../workspace/object';

/** Results of one engine in one go: those that are told, each of which takes some 1 KB, and all of them. */
interface MostResults {
  readonly told: number;
  readonly all: number;
}

const MOST_RESULTS: MostResults = { told: 100_000, all: 1_000_000 };

/** Bounds the product of policies and objects. */
export interface EvaluationBudget {
  readonly isSpent: () => boolean;
  readonly spend: (answer: PolicyAnswer) => void;
}

export function evaluationBudget(most: MostResults = MOST_RESULTS): EvaluationBudget {
  const left = { ...most };
  return {
    isSpent: () => left.told <= 0 || left.all <= 0,
    spend({ results }) {
      left.all -= results.length;
      left.told -= results.filter(it => it.outcome !== 'pass' && it.outcome !== 'skip').length;
    },
  };
}

/** The answer about an object for which nothing of the budget is left. */
export const unjudged = (engine: PolicyEngineName, object: WorkspaceObject): PolicyAnswer => ({
  results: [
    {
      engine,
      policy: 'not-judged',
      outcome: 'warn',
      severity: 'warning',
      message:
        'So many results of policies were told before that this object was not judged here, though a cluster does so.',
      location: { object, at: FieldPath.of('kind'), part: 'value' },
    },
  ],
  mutations: [],
});
