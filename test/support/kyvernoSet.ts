import type { Kube } from '../../server/src/kube/kube';
import { kyvernoPolicySet } from '../../server/src/policy/kyverno/policySet';
import { admissionChainOf } from '../../server/src/policy/mutators';
import type { PolicySet } from '../../server/src/policy/policySet';
import type { Snapshot } from '../../server/src/workspace/workspace';
import { engineThatIsNotBuilt } from './policyEngine';

/** Kyverno's policies of a workspace after its mutating ones, in a build that has no engine. */
export const kyvernoSetOf = (snapshot: Snapshot, kube: Kube): PolicySet | undefined =>
  kyvernoPolicySet(snapshot, kube, admissionChainOf(snapshot, kube, engineThatIsNotBuilt()));
