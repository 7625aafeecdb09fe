import type { AdmissionChain } from '../policy/admission/chain';
import { admissionChainOf } from '../policy/admission/mutators';
import type { PolicyEngine } from '../policy/engine/engine';
import type { JudgedScene } from './policyRuns';
import { isSame } from './policyStandings';

/** What mutating policies make of objects, by environment; environments that have the same policies share it. */
export interface AdmissionChains {
  /** The chain of an environment as it is now: the one that is there goes on as long as its parts are the same. */
  of(scene: JudgedScene): AdmissionChain;
  /** Gives back what no environment has any more. */
  keepOnly(environments: ReadonlySet<string>): void;
}

interface Kept {
  readonly chain: AdmissionChain;
  readonly ground: object;
}

export function createAdmissionChains(engine: PolicyEngine): AdmissionChains {
  const known = new Map<string, Kept>();
  const outdated = new Set<AdmissionChain>();
  return {
    of({ environment, kube, snapshot, cache }) {
      const made = admissionChainOf(snapshot, kube, engine);
      const isIt = ({ chain, ground }: Kept) => ground === cache && isSame(chain.parts, made.parts);
      const before = known.get(environment.id);
      const kept = [...(before ? [before] : []), ...known.values()].find(isIt) ?? { chain: made, ground: cache };
      known.set(environment.id, kept);
      if (before !== undefined && before !== kept) outdated.add(before.chain);
      return kept.chain;
    },
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
