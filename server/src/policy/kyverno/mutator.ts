import type { Kube } from '../../kube/kube';
import { lazy } from '../../manifest/lazy';
import type { Snapshot } from '../../workspace/workspace';
import { type Arriving, type Mutated, type Mutator, unchanged } from '../admission/mutator';
import { kyvernoPoliciesOf } from './kyverno';
import { mutatingPolicies, mutationsOf } from './mutations';
import { OWN_GROUPS, objectsSeen, partsOf, withPauses } from './seen';
import { subjectOf } from './subject';
import { workspaceWorld } from './workspaceWorld';

/** Kyverno's mutating webhook, with the policies of a workspace; undefined when none changes objects that come. */
export function kyvernoMutator(snapshot: Snapshot, kube: Kube): Mutator | undefined {
  const all = objectsSeen(snapshot);
  const policies = mutatingPolicies(kyvernoPoliciesOf(all));
  if (policies.policies.length + policies.celPolicies.length === 0) return undefined;
  const world = lazy(() => workspaceWorld(kube, snapshot));
  const mutated = (arriving: Arriving): Mutated => {
    const { object, value } = arriving;
    if (OWN_GROUPS.has(object.group)) return unchanged(arriving);
    const { subject, previews, results } = mutationsOf(policies, subjectOf(object, value), world());
    return { value: previews.length === 0 ? value : subject.value, mutations: previews, results };
  };
  return {
    engine: 'kyverno',
    parts: partsOf(all, policies),
    mutate: (arriving, round) =>
      withPauses(arriving, it => {
        const made = mutated(it);
        if (round !== 'again') return made;
        // What fails did so in the first round.
        return { ...made, mutations: made.mutations.map(it => ({ ...it, isAgain: true })), results: [] };
      }),
    late: () => [],
    release: () => undefined,
  };
}
