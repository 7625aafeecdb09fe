import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import type { PolicyAnswer } from '../../policy/policySet';
import { isTold, type PolicyEngineName } from '../../policy/result';
import type { WorkspaceObject } from '../../workspace/object';

/** Numbers of results: of those that are told, each of which takes some 1 KB, and of all. */
interface MostResults {
  readonly told: number;
  readonly all: number;
}

/** Of one engine in one go. */
const MOST_RESULTS: MostResults = { told: 100_000, all: 1_000_000 };

/** About the objects of one file, which lists no more problems. */
const MOST_OF_A_FILE: MostResults = { told: 10_000, all: 100_000 };

/** Bounds the product of policies and objects. */
export interface EvaluationBudget {
  readonly isSpentFor: (object: WorkspaceObject) => boolean;
  readonly spend: (object: WorkspaceObject, answer: PolicyAnswer) => void;
}

export function evaluationBudget(most = MOST_RESULTS, mostOfAFile = MOST_OF_A_FILE): EvaluationBudget {
  const spent = { told: 0, all: 0 };
  const byFile = new Map<string, typeof spent>();
  const isOver = ({ told, all }: MostResults, bound: MostResults): boolean => told >= bound.told || all >= bound.all;
  return {
    isSpentFor({ manifest }) {
      const ofFile = byFile.get(manifest.uri);
      return isOver(spent, most) || (ofFile !== undefined && isOver(ofFile, mostOfAFile));
    },
    spend({ manifest }, { results }) {
      const ofFile = byFile.get(manifest.uri) ?? { told: 0, all: 0 };
      byFile.set(manifest.uri, ofFile);
      const told = results.filter(isTold).length;
      for (const it of [spent, ofFile]) {
        it.told += told;
        it.all += results.length;
      }
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
      message: t(
        'So many results of policies were told before that this object was not judged here, though a cluster does so.',
      ),
      location: { object, at: FieldPath.of('kind'), part: 'value' },
    },
  ],
  mutations: [],
});
