import type { Kube } from '../../kube/kube';
import { type AdmissionChain, goesOnWith, readsOthers } from '../../policy/admission/chain';
import { judgedBy } from '../../policy/admission/judged';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import type { PolicyJudge } from '../../policy/policySet';
import { baseNameOf } from '../../workspace/paths';
import { type MutationAnswers, mutationAnswers } from './mutationAnswers';
import type { EvaluatedEnvironment } from './policyEvaluation';
import { policyScopes } from './policyScopes';
import { hasSameItems } from './policySets';

/** The policies that admission asks, with their answers, by environment. Environments with the same policies share both. */
export interface AdmissionChains {
  /** The chain of an environment in its current state. The previous chain stays in use while its parts are the same. */
  of(environment: EvaluatedEnvironment): AdmissionChain;
  /**
   * The answers of an environment's chain and of the loaded validating policies; the same ones while these are. Those before
   * stay in use until `put`. undefined: there is no chain.
   */
  judge(environment: EvaluatedEnvironment, sets: readonly PolicyJudge[]): JudgedEnvironment | undefined;
  /** Placements of an environment use these answers from now on. */
  put(environment: Pick<EvaluatedEnvironment, 'environment'>, judged: JudgedEnvironment): void;
  /** Answers so far; undefined: nothing was evaluated yet, or no policy changes or refuses anything. */
  answersFor(environment: Pick<EvaluatedEnvironment, 'environment'>): MutationAnswers | undefined;
  /** Whether placements asked something that has no answer yet. */
  hasQuestions(): boolean;
  /** Releases chains that none of these environments uses. */
  keepOnly(environments: ReadonlySet<string>): void;
}

interface LoadedChain {
  readonly chain: AdmissionChain;
  /** The `cache` of its environments. */
  readonly index: object;
}

/** The policies of an environment with their answers. */
export interface JudgedEnvironment {
  readonly chain: AdmissionChain;
  /** Those that may refuse something. */
  readonly sets: readonly PolicyJudge[];
  readonly answers: MutationAnswers | undefined;
}

export function createAdmissionChains(engine: PolicyEngine, onQuestion: () => void): AdmissionChains {
  const answersOf = (chain: AdmissionChain, sets: readonly PolicyJudge[], kube: Kube): MutationAnswers | undefined => {
    if (!chain.isMutating && sets.length === 0) return undefined;
    const admission = judgedBy(chain, sets);
    const earlier = find(known(), it => it.chain === chain && isContinuedBy(it.sets, sets))?.answers;
    return earlier?.continuedBy(admission) ?? mutationAnswers(admission, kube, { fileOf: baseNameOf, onQuestion });
  };
  const chains = new Map<string, LoadedChain>();
  const answered = new Map<string, JudgedEnvironment>();
  /** Answers of jobs that were overtaken before all questions had one. */
  const unfinished = new Map<string, JudgedEnvironment>();
  function* known(): Iterable<JudgedEnvironment> {
    yield* answered.values();
    yield* unfinished.values();
  }
  const outdated = new Set<AdmissionChain>();
  return {
    of(asked) {
      const { environment, kube, snapshot, cache, cluster } = asked;
      const made = admissionChainOf(snapshot, kube, engine, { cluster, scopes: policyScopes(asked) });
      const isEqual = ({ chain, index }: LoadedChain) =>
        index === cache && hasSameItems(chain.dependencies, made.dependencies);
      const previous = chains.get(environment.id);
      const isContinued = previous !== undefined && isEqual(previous) && goesOnWith(previous.chain, made);
      // Environments differ in what policies may read.
      const shared = readsOthers(made) ? undefined : () => find(chains.values(), isEqual);
      const equal = isContinued ? previous : shared?.();
      const loaded = equal ?? { chain: made, index: cache };
      chains.set(environment.id, loaded);
      if (previous !== undefined && previous !== loaded) outdated.add(previous.chain);
      return loaded.chain;
    },
    judge({ environment, kube }, loaded) {
      const chain = chains.get(environment.id)?.chain;
      if (chain === undefined) return undefined;
      const sets = loaded.filter(it => it.denies === true);
      const isEqual = (it: JudgedEnvironment) => it.chain === chain && hasSameItems(it.sets, sets);
      const last = answered.get(environment.id);
      const equal = last && isEqual(last) ? last : find(known(), isEqual);
      const judged = equal ?? { chain, sets, answers: answersOf(chain, sets, kube) };
      unfinished.set(environment.id, judged);
      return judged;
    },
    put({ environment }, judged) {
      unfinished.delete(environment.id);
      answered.set(environment.id, judged);
    },
    answersFor: ({ environment }) => answered.get(environment.id)?.answers,
    hasQuestions: () => [...answered.values()].some(it => it.answers?.hasQuestions()),
    keepOnly(environments) {
      for (const [id, { chain }] of chains) {
        if (environments.has(id)) continue;
        chains.delete(id);
        answered.delete(id);
        unfinished.delete(id);
        outdated.add(chain);
      }
      const used = new Set([...chains.values()].map(it => it.chain));
      for (const it of outdated) if (!used.has(it)) it.release();
      outdated.clear();
    },
  };
}

/** There may be thousands, of which the first is most often wanted: they are not made a list. */
function find<T>(all: Iterable<T>, isWanted: (item: T) => boolean): T | undefined {
  for (const it of all) if (isWanted(it)) return it;
  return undefined;
}

/** Whether sets are earlier ones, or continue them. */
const isContinuedBy = (earlier: readonly PolicyJudge[], later: readonly PolicyJudge[]): boolean =>
  hasSameItems(earlier.map(originOf), later.map(originOf));

const originOf = (set: PolicyJudge): object => set.origin ?? set;
