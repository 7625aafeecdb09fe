import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { admittedObject } from '../admitted';
import type { CallLimits, PolicyEngine, PolicyStopped } from '../engine/engine';
import { loadedIn } from '../engine/loaded';
import { withoutRunaways } from '../engine/runaway';
import { nothingWrong, type PolicySet, saysNothing } from '../policySet';
import type { PolicyResult } from '../result';
import { kindsAskingProviders, refusals, undecided } from './check';
import { mutationsOfReview, type Review, resultsOfReview } from './judge';
import { gatekeeperPoliciesOf } from './policies';

/** Gatekeeper's Rego cannot be asked to stop; only the end of the engine ends it. */
const LIMITS: CallLimits = { milliseconds: 5_000, grace: 0 };
const LOAD_LIMITS: CallLimits = { milliseconds: 60_000, grace: 0 };

/** What Gatekeeper does by the objects of a workspace; undefined when there are none of its kinds. */
export function gatekeeperPolicySet(snapshot: Snapshot, kube: Kube, engine: PolicyEngine): PolicySet | undefined {
  const policies = gatekeeperPoliciesOf(snapshot);
  if (policies === undefined) return undefined;
  const { lists, syncSets, namespaces, inventory, objects } = policies;
  const { templates, constraints, mutators } = lists;
  const loaded = loadedIn(engine, LOAD_LIMITS);
  const stopped = new Map<WorkspaceObject, PolicyResult>();
  const unasked = kindsAskingProviders(lists);

  const load = (asked: readonly WorkspaceObject[]) => ({
    op: 'loadGatekeeper',
    ...Object.fromEntries(
      Object.entries({ ...lists, constraints: asked }).map(([list, them]) => [list, them.map(it => it.manifest.value)]),
    ),
    namespaces: namespaces.map(it => admittedObject(it, kube)),
    inventory: inventory.map(it => admittedObject(it, kube)),
  });

  return {
    engine: 'gatekeeper',
    parts: [kube, ...[Object.values(lists), syncSets, namespaces, inventory].flat(2).map(it => it.manifest.contentId)],
    objects,
    async check() {
      const { answer } = await loaded.get(() => load(constraints));
      return {
        ...nothingWrong,
        results: [...(await refusals(answer.errors ?? [], lists, kube, engine)), ...undecided(policies)],
      };
    },
    async judge(asked) {
      if (constraints.length + mutators.length === 0) return asked.map(() => saysNothing);
      const values = asked.map(it => admittedObject(it, kube));
      const reviewed = values.map(object => ({ object, operation: 'CREATE' }));
      const members = constraints.filter(it => !stopped.has(it));
      const attempt = async (some: readonly WorkspaceObject[]) => {
        if (some.length !== members.length) loaded.outdate();
        const { answer } = await loaded.get(() => load(some));
        const request = { op: 'reviewGatekeeper', handle: answer.handle, objects: reviewed };
        return (await engine.call(request, LIMITS)) as { readonly reviews: readonly Review[] };
      };
      const { reviews } = await withoutRunaways(members, attempt, (constraint, reason) =>
        stopped.set(constraint, stoppedResult(constraint, templates, reason)),
      );
      return asked.map((object, i) => {
        const [review, value] = [reviews[i], values[i]];
        if (review === undefined || value === undefined) return saysNothing;
        const results = resultsOfReview(object, review, constraints, unasked);
        return { results, mutations: mutationsOfReview(value, review) };
      });
    },
    late: () => ({ ...nothingWrong, results: [...stopped.values()] }),
    release: () => loaded.release(),
  };
}

function stoppedResult(
  constraint: WorkspaceObject,
  templates: readonly WorkspaceObject[],
  reason: PolicyStopped,
): PolicyResult {
  const template = templates.find(it => it.name === constraint.kind.toLowerCase());
  const object = template ?? constraint;
  return {
    engine: 'gatekeeper',
    policy: constraint.kind,
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked for the constraint ${constraint.name ?? ''}: ${reason.message}.`,
    place: { object, at: FieldPath.of('spec'), part: 'key' },
  };
}
