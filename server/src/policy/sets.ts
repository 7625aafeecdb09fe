import type { Kube } from '../kube/kube';
import type { Snapshot } from '../workspace/workspace';
import type { AdmissionChain } from './admission/chain';
import type { ConfiguredConftest } from './conftest/folders';
import { conftestPolicySet } from './conftest/policySet';
import type { PolicyEngine } from './engine/engine';
import { gatekeeperPolicySet } from './gatekeeper/policySet';
import { kyvernoPolicySet } from './kyverno/policySet';
import type { PolicySet } from './policySet';
import { admissionPolicySet } from './vap/policySet';

/** What policies are made from. */
export interface PolicyScene {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: { readonly conftest?: ConfiguredConftest };
  /** What mutating policies make of objects first. */
  readonly chain: AdmissionChain;
}

/** Makes the policies of one kind, where there are any. `texts` are the files that are no manifests, by uri. */
export interface PolicySetMaker {
  readonly name: string;
  (scene: PolicyScene, texts: ReadonlyMap<string, string>, engine: PolicyEngine): PolicySet | undefined;
}

/** All that the policy engine evaluates. */
export const POLICY_SETS: readonly PolicySetMaker[] = [
  function vap({ snapshot, kube, chain }, _, engine) {
    return admissionPolicySet(snapshot, kube, engine, chain);
  },
  function gatekeeper({ snapshot, kube, chain }, _, engine) {
    return gatekeeperPolicySet(snapshot, kube, engine, chain);
  },
  function conftest({ snapshot, environment }, texts, engine) {
    return conftestPolicySet(snapshot, texts, engine, environment.conftest);
  },
  function kyverno({ snapshot, kube, chain }) {
    return kyvernoPolicySet(snapshot, kube, chain);
  },
];
