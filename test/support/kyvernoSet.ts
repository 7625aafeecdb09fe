import type { Kube } from '../../server/src/kube/kube';
import { kyvernoPolicySet } from '../../server/src/policy/kyverno/policySet';
import { admissionChainOf } from '../../server/src/policy/mutators';
import type { PolicySet } from '../../server/src/policy/policySet';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { engineThatIsNotBuilt } from './policyEngine';

/** Kyverno's policy set of a workspace after its mutating policies, in a build without the engine. */
export const kyvernoSetOf = (snapshot: Snapshot, kube: Kube): PolicySet | undefined =>
  kyvernoPolicySet(snapshot, kube, admissionChainOf(snapshot, kube, engineThatIsNotBuilt()));
