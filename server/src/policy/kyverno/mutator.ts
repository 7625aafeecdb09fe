import { lazy } from '../../base/lazy';
import type { Kube } from '../../kube/kube';
import { holdsGroup } from '../../workspace/objectsOfGroups';
import type { Snapshot } from '../../workspace/workspace';
import { type IncomingObject, type Mutator, type MutatorResult, unchanged } from '../admission/mutator';
import type { PolicyAnswer } from '../policySet';
import { everywhere, type PolicyScopes } from '../scopes';
import { candidatesAmong } from './evaluation/candidates';
import { mutatingPolicies, mutationsOf } from './evaluation/mutations';
import { notEvaluatedResult } from './evaluation/results';
import { workOf } from './evaluation/work';
import { dependenciesOf, OWN_GROUPS, policiesOf, withPauses } from './evaluation/workspaceObjects';
import { resourceOf } from './resource/resource';
import { guarded } from './results/outcome';
import { workspaceWorld } from './workspaceWorld';
import type { KyvernoWorld } from './world';

/** With how much was evaluated, for pauses. */
type Mutated = MutatorResult & Pick<PolicyAnswer, 'work'>;

/** Kyverno's mutating webhook with the policies of a workspace; undefined when none mutates at admission. */
export function kyvernoMutator(
  snapshot: Snapshot,
  kube: Kube,
  scopes: PolicyScopes = everywhere,
  worldOf: () => KyvernoWorld = () => workspaceWorld(kube, snapshot),
): Mutator | undefined {
  if (!holdsGroup(snapshot, OWN_GROUPS)) return undefined;
  const policies = mutatingPolicies(policiesOf(snapshot));
  if (policies.policies.length + policies.celPolicies.length === 0) return undefined;
  const world = lazy(worldOf);
  const candidates = lazy(() => candidatesAmong(policies, world(), scopes));
  const mutated = (arriving: IncomingObject): Mutated => {
    const { object, value } = arriving;
    if (OWN_GROUPS.has(object.group)) return unchanged(arriving);
    return guarded<Mutated>(
      'any mutating policy',
      () => {
        const came = resourceOf(object, value);
        const asked = candidates()(came);
        const { resource, previews, results } = mutationsOf(asked, came, world());
        const mutatedValue = previews.length === 0 ? value : resource.value;
        return { value: mutatedValue, mutations: previews, results, work: workOf(asked, world()) };
      },
      it => ({ ...unchanged(arriving), results: [notEvaluatedResult(object, it)] }),
    );
  };
  return {
    engine: 'kyverno',
    isReinvoked: true,
    dependencies: [scopes.key, ...dependenciesOf(snapshot, policies)],
    mutate: (arriving, round) =>
      withPauses(arriving, it => {
        const made = mutated(it);
        if (round !== 'again') return made;
        // Failures were reported in the first round.
        return { ...made, mutations: made.mutations.map(it => ({ ...it, isAgain: true })), results: [] };
      }),
    runtimeProblems: () => [],
    release: () => undefined,
  };
}
