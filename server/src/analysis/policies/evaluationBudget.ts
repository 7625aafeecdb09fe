import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import type { PolicyAnswer } from '../../policy/policySet';
import { isTold, type PolicyEngineName } from '../../policy/result';
import type { WorkspaceObject } from '../../workspace/object';

/** Numbers of results: of those that are told, each of which takes some 1 KB, and of all; and what evaluating them took. */
interface MostResults {
  readonly told: number;
  readonly all: number;
  readonly work: number;
}

/** Of one engine in one go. */
const MOST_RESULTS: MostResults = { told: 100_000, all: 1_000_000, work: 100_000_000 };

/** About the objects of one file, which lists no more problems. */
const MOST_OF_A_FILE: MostResults = { told: 10_000, all: 100_000, work: 2_000_000 };

/** Bounds the product of policies and objects. */
export interface EvaluationBudget {
  readonly isSpentFor: (object: WorkspaceObject) => boolean;
  readonly spend: (object: WorkspaceObject, answer: PolicyAnswer) => void;
}

export function evaluationBudget(most = MOST_RESULTS, mostOfAFile = MOST_OF_A_FILE): EvaluationBudget {
  const spent = { told: 0, all: 0, work: 0 };
  const byFile = new Map<string, typeof spent>();
  const isOver = ({ told, all, work }: MostResults, bound: MostResults): boolean =>
    told >= bound.told || all >= bound.all || work >= bound.work;
  return {
    isSpentFor({ manifest }) {
      const ofFile = byFile.get(manifest.uri);
      return isOver(spent, most) || (ofFile !== undefined && isOver(ofFile, mostOfAFile));
    },
    spend({ manifest }, { results, work = 0 }) {
      const ofFile = byFile.get(manifest.uri) ?? { told: 0, all: 0, work: 0 };
      byFile.set(manifest.uri, ofFile);
      const told = results.filter(isTold).length;
      for (const it of [spent, ofFile]) {
        it.told += told;
        it.all += results.length;
        it.work += work;
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
        'So many policies were asked about other objects before that this object was not judged here, though a cluster does so.',
      ),
      location: { object, at: FieldPath.of('kind'), part: 'value' },
    },
  ],
  mutations: [],
});
