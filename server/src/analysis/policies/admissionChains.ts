import type { Kube } from '../../kube/kube';
import type { AdmissionChain } from '../../policy/admission/chain';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import { baseNameOf } from '../../workspace/paths';
import { type MutationAnswers, mutationAnswers } from './mutationAnswers';
import type { EvaluatedEnvironment } from './policyEvaluation';
import { isSame } from './policySets';

/** What mutating policies make of objects, by environment; environments that have the same policies share it. */
export interface AdmissionChains {
  /** The chain of an environment as it is now: the one that is there goes on as long as its parts are the same. */
  of(scene: EvaluatedEnvironment): AdmissionChain;
  /** What is known of the mutating policies of an environment; undefined while none were asked, or there are none. */
  answersFor(scene: Pick<EvaluatedEnvironment, 'environment'>): MutationAnswers | undefined;
  /** Whether a placement wants to know something that nobody has answered. */
  hasQuestions(): boolean;
  /** Gives back what no environment has any more. */
  keepOnly(environments: ReadonlySet<string>): void;
}

interface Kept {
  readonly chain: AdmissionChain;
  readonly ground: object;
  readonly answers: MutationAnswers | undefined;
}

export function createAdmissionChains(engine: PolicyEngine, onOpen: () => void): AdmissionChains {
  const answering = (chain: AdmissionChain, kube: Kube): MutationAnswers | undefined =>
    chain.isMutating ? mutationAnswers(chain, kube, { fileOf: baseNameOf, onQuestion: onOpen }) : undefined;
  const known = new Map<string, Kept>();
  const outdated = new Set<AdmissionChain>();
  return {
    of({ environment, kube, snapshot, cache }) {
      const made = admissionChainOf(snapshot, kube, engine);
      const isIt = ({ chain, ground }: Kept) => ground === cache && isSame(chain.parts, made.parts);
      const before = known.get(environment.id);
      const found = [...(before ? [before] : []), ...known.values()].find(isIt);
      const kept = found ?? { chain: made, ground: cache, answers: answering(made, kube) };
      known.set(environment.id, kept);
      if (before !== undefined && before !== kept) outdated.add(before.chain);
      return kept.chain;
    },
    answersFor: ({ environment }) => known.get(environment.id)?.answers,
    hasQuestions: () => [...known.values()].some(it => it.answers?.hasQuestions()),
    keepOnly(environments) {
      for (const [id, { chain }] of known) {
        if (environments.has(id)) continue;
        known.delete(id);
        outdated.add(chain);
      }
      const used = new Set([...known.values()].map(it => it.chain));
      for (const it of outdated) if (!used.has(it)) it.release();
      outdated.clear();
    },
  };
}
