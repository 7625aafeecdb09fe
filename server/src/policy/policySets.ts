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
import type { PolicyScopes } from './scopes';
import type { PolicyCluster } from './vap/policies';
import { admissionPolicySet } from './vap/policySet';

/** The input from which policy sets are made. */
export interface PolicySetInput {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: { readonly conftest?: ConfiguredConftest };
  /** The same object while kinds are the same. */
  readonly cache: object;
  /** The mutating policies, applied before evaluation. */
  readonly chain: AdmissionChain;
  readonly scopes: PolicyScopes;
  /** The chosen cluster, whose own policies are asked, too; absent: the workspace is all there is. */
  readonly cluster?: PolicyCluster | undefined;
}

/** Makes the policy set of one engine, if there are such policies. */
export interface PolicySetFactory {
  /** Prefix of its problem codes. Written out, since minifying removes the names of functions. */
  readonly engine: PolicyEngineName;
  /** `texts` are the non-manifest files, by uri. */
  readonly make: (
    input: PolicySetInput,
    texts: ReadonlyMap<string, string>,
    engine: PolicyEngine,
  ) => PolicySet | undefined;
}

/** All engines. */
export const POLICY_SETS: readonly PolicySetFactory[] = [
  {
    engine: 'vap',
    make: ({ snapshot, kube, chain, cluster, scopes }, _, engine) =>
      admissionPolicySet(snapshot, kube, engine, { chain, cluster, scopes }),
  },
  {
    engine: 'gatekeeper',
    make: ({ snapshot, kube, chain, scopes }, _, engine) =>
      gatekeeperPolicySet(snapshot, kube, engine, { chain, scopes }),
  },
  {
    engine: 'conftest',
    make: ({ snapshot, environment, cache }, texts, engine) =>
      conftestPolicySet(snapshot, texts, engine, cache, environment.conftest),
  },
  { engine: 'kyverno', make: ({ snapshot, kube, chain, scopes }) => kyvernoPolicySet(snapshot, kube, chain, scopes) },
];
