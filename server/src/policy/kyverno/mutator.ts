import { lazy } from '../../base/lazy';
import type { Kube } from '../../kube/kube';
import { holdsGroup } from '../../workspace/objectsOfGroups';
import type { Snapshot } from '../../workspace/workspace';
import { type IncomingObject, type Mutator, type MutatorResult, unchanged } from '../admission/mutator';
import type { PolicyAnswer } from '../policySet';
import { everywhere, type PolicyScopes } from '../scopes';
import { candidatesAmong } from './evaluation/candidates';
import type { KyvernoPolicies } from './evaluation/evaluatePolicies';
import { mutatingPolicies, mutationsOf } from './evaluation/mutations';
import { notEvaluatedResult } from './evaluation/results';
import { workOf } from './evaluation/work';
import { OWN_GROUPS, policiesOf, sourcesOf, withPauses } from './evaluation/workspaceObjects';
import { type MakeWorld, type ObjectRead, readRecorder } from './reads';
import { resourceOf } from './resource/resource';
import { guarded } from './results/outcome';
import { workspaceWorld } from './workspaceWorld';
import type { KyvernoWorld } from './world';

/** With how much was evaluated, for pauses. */
type Mutated = MutatorResult & Pick<PolicyAnswer, 'work'>;

/** A mutator whose world another one may take over. */
interface KyvernoMutator extends Mutator {
  readonly makeWorld: MakeWorld;
}

const isOfKyverno = (mutator: Mutator): mutator is KyvernoMutator => 'makeWorld' in mutator;

/** Kyverno's mutating webhook with the policies of a workspace; undefined when none mutates at admission. */
export function kyvernoMutator(
  snapshot: Snapshot,
  kube: Kube,
  scopes: PolicyScopes = everywhere,
  makeWorld: MakeWorld = note => workspaceWorld(kube, snapshot, { note }),
): KyvernoMutator | undefined {
  if (!holdsGroup(snapshot, OWN_GROUPS)) return undefined;
  const policies = mutatingPolicies(policiesOf(snapshot));
  if (policies.policies.length + policies.celPolicies.length === 0) return undefined;
  const { dependencies, inventory } = sourcesOf(snapshot, policies);
  const recorder = readRecorder();
  const state = { now: inWorld(policies, scopes, () => makeWorld(recorder.note)) };
  /** What was read for any object. */
  const reads = new Map<string, ObjectRead>();
  const mutated = (arriving: IncomingObject): Mutated => {
    const { object, value } = arriving;
    if (OWN_GROUPS.has(object.group)) return unchanged(arriving);
    return guarded<Mutated>(
      'any mutating policy',
      () => {
        const came = resourceOf(object, value);
        const { world, candidates } = state.now;
        const asked = candidates()(came);
        const { resource, previews, results } = mutationsOf(asked, came, world());
        const mutatedValue = previews.length === 0 ? value : resource.value;
        return { value: mutatedValue, mutations: previews, results, work: workOf(asked, world()) };
      },
      it => ({ ...unchanged(arriving), results: [notEvaluatedResult(object, it)] }),
    );
  };
  function continueWith(later: Mutator): boolean {
    if (!isOfKyverno(later)) return false;
    const next = inWorld(policies, scopes, () => later.makeWorld(recorder.note));
    for (const it of reads.values()) if (!it.isSameIn(next.world())) return false;
    state.now = next;
    return true;
  }
  return {
    engine: 'kyverno',
    isReinvoked: true,
    dependencies: [scopes.key, ...dependencies],
    mutate: (arriving, round) =>
      withPauses(arriving, it => {
        const { result: made, reads: own } = recorder.during(() => mutated(it));
        for (const read of own) reads.set(read.key, read);
        if (round !== 'again') return made;
        // Failures were reported in the first round.
        return { ...made, mutations: made.mutations.map(it => ({ ...it, isAgain: true })), results: [] };
      }),
    ...(inventory && { continueWith }),
    runtimeProblems: () => [],
    release: () => undefined,
    makeWorld,
  };
}

/** The policies in one state of the workspace. */
function inWorld(policies: KyvernoPolicies, scopes: PolicyScopes, make: () => KyvernoWorld) {
  const world = lazy(make);
  return { world, candidates: lazy(() => candidatesAmong(policies, world(), scopes)) };
}
