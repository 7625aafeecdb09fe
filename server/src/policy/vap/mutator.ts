import { lazyPromise } from '../../base/lazyPromise';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { Snapshot } from '../../workspace/workspace';
import { type IncomingObject, type Mutator, type MutatorResult, unchanged } from '../admission/mutator';
import type { PolicyEngine } from '../engine/engine';
import { changesBetween, type MutationPreview } from '../mutation';
import { vapAdmission } from './admission';
import { mutateAll } from './admit';
import { activeBindings } from './bindings';
import { checkAll } from './checkAll';
import { ADMISSION, type AdmissionPolicies, admissionPoliciesOf, onlyMutating, type PolicyCluster } from './policies';
import { type Mutation, mutationFailure } from './results';

/** The MutatingAdmissionPolicies of a workspace and its cluster; undefined when there are none with a binding. */
export function admissionPolicyMutator(
  snapshot: Snapshot,
  kube: Kube,
  engine: PolicyEngine,
  cluster?: PolicyCluster,
): Mutator | undefined {
  const all = admissionPoliciesOf(snapshot, kube, cluster);
  if (all === undefined || all.mutating.length === 0 || all.mutatingBindings.length === 0) return undefined;
  const policies = onlyMutating(all);
  const admission = vapAdmission(policies, snapshot, kube, engine);
  const bindings = activeBindings(admission, policies.mutatingBindings, () => check());
  const check = lazyPromise(() => checkAll(admission, bindings.unread));
  const kinds = new Set(admission.resources.map(it => `${it.group}/${it.version}/${it.kind}`));
  const isServed = ({ object: { group, version, kind } }: IncomingObject): boolean =>
    group !== ADMISSION && kinds.has(`${group}/${version}/${kind}`);
  const { mutating, mutatingBindings, contextObjects } = policies;
  return {
    engine: 'vap',
    isReinvoked: mutating.some(it => fieldAt(it.manifest.value, 'spec', 'reinvocationPolicy') === 'IfNeeded'),
    dependencies: [
      ...[...mutating, ...mutatingBindings, ...contextObjects].map(it => it.manifest.contentId),
      ...admission.definitions,
    ],
    async mutate(arriving, round) {
      const served = arriving.filter(isServed);
      const answers =
        served.length === 0 ? [] : await bindings.evaluate(request => mutateAll(admission, request, served, round));
      const mutated = new Map(served.map((it, i) => [it, mutatedBy(it, answers[i] ?? [], policies)]));
      return arriving.map(it => mutated.get(it) ?? unchanged(it));
    },
    check,
    runtimeProblems: bindings.stopped,
    release: bindings.release,
  };
}

function mutatedBy(
  { object, value }: IncomingObject,
  steps: readonly Mutation[],
  policies: AdmissionPolicies,
): MutatorResult {
  const mutations: MutationPreview[] = [];
  let last = value;
  for (const { policy, object: after, again } of steps) {
    if (after === undefined) continue;
    const source = policies.mutating.find(it => it.name === policy);
    mutations.push({
      policy,
      kind: 'MutatingAdmissionPolicy',
      changes: changesBetween(last, after),
      ...(source && { source }),
      ...(again && { isAgain: true }),
    });
    last = after;
  }
  const results = steps.flatMap(it => mutationFailure(object, it, policies) ?? []);
  return { value: last, mutations, results, ...(steps.some(it => it.error !== undefined) && { isRefused: true }) };
}
