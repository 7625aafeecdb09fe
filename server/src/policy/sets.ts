import type { Kube } from '../kube/kube';
import type { Snapshot } from '../workspace/workspace';
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
}

/** Makes the policies of one kind, where there are any. `texts` are the files that are no manifests, by uri. */
export interface PolicySetMaker {
  readonly name: string;
  (scene: PolicyScene, texts: ReadonlyMap<string, string>, engine: PolicyEngine): PolicySet | undefined;
}

/** All that the policy engine evaluates. */
export const POLICY_SETS: readonly PolicySetMaker[] = [
  function vap({ snapshot, kube }, _, engine) {
    return admissionPolicySet(snapshot, kube, engine);
  },
  function gatekeeper({ snapshot, kube }, _, engine) {
    return gatekeeperPolicySet(snapshot, kube, engine);
  },
  function conftest({ snapshot, environment }, texts, engine) {
    return conftestPolicySet(snapshot, texts, engine, environment.conftest);
  },
  function kyverno({ snapshot, kube }) {
    return kyvernoPolicySet(snapshot, kube);
  },
];
