import type { Kube } from '../kube/kube';
import type { Snapshot } from '../workspace/workspace';
import type { AdmissionChain } from './admission/chain';
import type { ConfiguredConftest } from './conftest/folders';
import { conftestPolicySet } from './conftest/policySet';
import type { PolicyEngine } from './engine/engine';
import { gatekeeperPolicySet } from './gatekeeper/policySet';
import { kyvernoPolicySet } from './kyverno/policySet';
import type { PolicySet } from './policySet';
import type { PolicyEngineName } from './result';
import { admissionPolicySet } from './vap/policySet';

/** What policies are made from. */
export interface PolicySetInput {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: { readonly conftest?: ConfiguredConftest };
  /** What mutating policies make of objects first. */
  readonly chain: AdmissionChain;
}

/** Makes the policies of one kind, where there are any. */
export interface PolicySetFactory {
  /** Codes of its problems begin with it. Written out: minifying takes the names of functions. */
  readonly engine: PolicyEngineName;
  /** `texts` are the files that are no manifests, by uri. */
  readonly make: (
    scene: PolicySetInput,
    texts: ReadonlyMap<string, string>,
    engine: PolicyEngine,
  ) => PolicySet | undefined;
}

/** All that the policy engine evaluates. */
export const POLICY_SETS: readonly PolicySetFactory[] = [
  {
    engine: 'vap',
    make: ({ snapshot, kube, chain }, _, engine) => admissionPolicySet(snapshot, kube, engine, chain),
  },
  {
    engine: 'gatekeeper',
    make: ({ snapshot, kube, chain }, _, engine) => gatekeeperPolicySet(snapshot, kube, engine, chain),
  },
  {
    engine: 'conftest',
    make: ({ snapshot, environment }, texts, engine) =>
      conftestPolicySet(snapshot, texts, engine, environment.conftest),
  },
  { engine: 'kyverno', make: ({ snapshot, kube, chain }) => kyvernoPolicySet(snapshot, kube, chain) },
];
