import type { Kube } from '../kube/kube';
import type { Snapshot } from '../workspace/workspace';
import { type AdmissionChain, admissionChain, type Webhook } from './admission/chain';
import type { Mutator } from './admission/mutator';
import { serverPlugins } from './admission/serverPlugins';
import type { PolicyEngine } from './engine/engine';
import { gatekeeperMutator } from './gatekeeper/mutator';
import { kyvernoMutator } from './kyverno/mutator';
import { everywhere, type PolicyScopes } from './scopes';
import { admissionPolicyMutator } from './vap/mutator';
import type { PolicyCluster } from './vap/policies';

export interface ChainOptions {
  readonly cluster?: PolicyCluster | undefined;
  readonly scopes?: PolicyScopes;
}

/**
 * The mutating policies of a workspace, and MutatingAdmissionPolicies of its cluster, with webhooks as the projects install them: Gatekeeper's
 * (`gatekeeper-mutating-webhook-configuration`) is called once; Kyverno's (`kyverno-resource-mutating-webhook-cfg`),
 * which comes after it, is called again when others change something later. Without the WebAssembly engine only
 * Kyverno's are called.
 */
export function admissionChainOf(
  snapshot: Snapshot,
  kube: Kube,
  engine: PolicyEngine,
  { cluster, scopes = everywhere }: ChainOptions = {},
): AdmissionChain {
  const isBuilt = engine.isBuilt();
  const webhook = (mutator: Mutator | undefined, reinvocationPolicy: Webhook['reinvocationPolicy']) =>
    mutator === undefined ? [] : [{ mutator, reinvocationPolicy }];
  return admissionChain(
    {
      plugin: isBuilt ? admissionPolicyMutator(snapshot, kube, engine, cluster) : undefined,
      webhooks: [
        ...webhook(isBuilt ? gatekeeperMutator(snapshot, kube, engine) : undefined, 'Never'),
        ...webhook(kyvernoMutator(snapshot, kube, scopes), 'IfNeeded'),
      ],
    },
    { kube, plugins: serverPlugins(snapshot) },
  );
}
