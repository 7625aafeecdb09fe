import type { Kube } from '../../kube/kube';
import type { Snapshot } from '../../workspace/workspace';
import { type IncomingObject, type Mutator, unchanged } from '../admission/mutator';
import { admittedObject } from '../admitted';
import { PATIENT_LIMITS, type PolicyEngine, retryWhenEnded } from '../engine/engine';
import { loadedIn } from '../engine/loaded';
import { gatekeeperPoliciesOf, OWN_GROUPS } from './policies';
import { mutatedByReview, type Review } from './results';

/** Gatekeeper's mutating webhook, with the mutators of a workspace; undefined when there are none. */
export function gatekeeperMutator(snapshot: Snapshot, kube: Kube, engine: PolicyEngine): Mutator | undefined {
  const policies = gatekeeperPoliciesOf(snapshot);
  if (policies === undefined || policies.lists.mutators.length === 0) return undefined;
  const { lists, namespaces } = policies;
  const { configs, mutators } = lists;
  const loaded = loadedIn(engine, PATIENT_LIMITS);
  const request = () => ({
    op: 'loadGatekeeper',
    configs: configs.map(it => it.manifest.value),
    mutators: mutators.map(it => it.manifest.value),
    namespaces: namespaces.map(it => admittedObject(it, kube)),
  });
  return {
    engine: 'gatekeeper',
    isReinvoked: false,
    dependencies: [...configs, ...mutators, ...namespaces].map(it => it.manifest.contentId),
    async mutate(arriving) {
      const relevant = arriving.filter(({ object }) => !OWN_GROUPS.has(object.group) && object.kind !== '');
      if (relevant.length === 0) return arriving.map(unchanged);
      const objects = relevant.map(({ value }) => ({ object: value, operation: 'CREATE' }));
      const { reviews } = await retryWhenEnded(async () => {
        const { answer } = await loaded.get(request);
        const asks = { op: 'reviewGatekeeper', handle: answer.handle, phase: 'mutate', objects };
        return (await engine.call(asks, PATIENT_LIMITS)) as { readonly reviews: readonly Review[] };
      });
      const byObject = new Map<IncomingObject, Review | undefined>(relevant.map((it, i) => [it, reviews[i]]));
      return arriving.map(it => {
        const review = byObject.get(it);
        return review === undefined ? unchanged(it) : mutatedByReview(it, review, mutators);
      });
    },
    runtimeProblems: () => [],
    release: () => loaded.release(),
  };
}
