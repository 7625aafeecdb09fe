import type { Kube } from '../../kube/kube';
import type { AdmissionChain } from '../../policy/admission/chain';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import { baseNameOf } from '../../workspace/paths';
import { type MutationAnswers, mutationAnswers } from './mutationAnswers';
import type { EvaluatedEnvironment } from './policyEvaluation';
import { hasSameItems } from './policySets';

/** Mutating policies with their answers, by environment. Environments with the same policies share a chain. */
export interface AdmissionChains {
  /** The chain of an environment in its current state. The previous chain stays in use while its parts are the same. */
  of(environment: EvaluatedEnvironment): AdmissionChain;
  /** Answers so far; undefined: nothing was evaluated yet, or there are no mutating policies. */
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
  readonly answers: MutationAnswers | undefined;
}

export function createAdmissionChains(engine: PolicyEngine, onQuestion: () => void): AdmissionChains {
  const answersOf = (chain: AdmissionChain, kube: Kube): MutationAnswers | undefined =>
    chain.isMutating ? mutationAnswers(chain, kube, { fileOf: baseNameOf, onQuestion }) : undefined;
  const chains = new Map<string, LoadedChain>();
  const outdated = new Set<AdmissionChain>();
  return {
    of({ environment, kube, snapshot, cache }) {
      const made = admissionChainOf(snapshot, kube, engine);
      const isEqual = ({ chain, index }: LoadedChain) =>
        index === cache && hasSameItems(chain.dependencies, made.dependencies);
      const previous = chains.get(environment.id);
      const equal = [...(previous ? [previous] : []), ...chains.values()].find(isEqual);
      const loaded = equal ?? { chain: made, index: cache, answers: answersOf(made, kube) };
      chains.set(environment.id, loaded);
      if (previous !== undefined && previous !== loaded) outdated.add(previous.chain);
      return loaded.chain;
    },
    answersFor: ({ environment }) => chains.get(environment.id)?.answers,
    hasQuestions: () => [...chains.values()].some(it => it.answers?.hasQuestions()),
    keepOnly(environments) {
      for (const [id, { chain }] of chains) {
        if (environments.has(id)) continue;
        chains.delete(id);
        outdated.add(chain);
      }
      const used = new Set([...chains.values()].map(it => it.chain));
      for (const it of outdated) if (!used.has(it)) it.release();
      outdated.clear();
    },
  };
}
