import { lazyPromise } from '../../base/lazyPromise';
import { grouped } from '../../base/multiMap';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import { answerOf } from '../../rules/apiserver/validate/engine';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { type AdmissionChain, stepsOf } from '../admission/chain';
import type { PolicyEngine } from '../engine/engine';
import { nothingWrong, objectsAmong, type PolicyAnswer, type PolicyCheck, type PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { isOneAsked, type PolicyScopes } from '../scopes';
import { type VapAdmission, vapAdmission } from './admission';
import { validateAll } from './admit';
import { activeBindings } from './bindings';
import { rulesOf } from './check';
import { checkAll } from './checkAll';
import {
  ADMISSION,
  type ApiResource,
  admissionPoliciesOf,
  onlyMutating,
  type PolicyCluster,
  withoutMutating,
} from './policies';
import { denialOf, resultsOf, severityOf, type VapOutcome } from './results';

/** The engine takes as long for one policy about one object as Kyverno's evaluator for so many values of policies. */
const WORK_OF_POLICY = 50;
/** Each patch is merged by the schema of its object. */
const WORK_OF_MUTATION = 2_000;

/** The problems without those that the API server's validation reports at the same field of the policy. */
function notToldByServer(results: readonly PolicyResult[], kube: Kube): readonly PolicyResult[] {
  const told = new Map<WorkspaceObject, ReadonlySet<string>>();
  const fieldsTold = (object: WorkspaceObject): ReadonlySet<string> => {
    const known = told.get(object);
    if (known !== undefined) return known;
    const answer = answerOf(object.manifest.value, kube.kindOf(object.apiVersion, object.kind), kube);
    const fields = new Set(answer?.errors.map(it => it.at.toString()));
    told.set(object, fields);
    return fields;
  };
  return results.filter(
    ({ severity, location: { object, at } }) => severity !== 'error' || !fieldsTold(object).has(at.toString()),
  );
}

/**
 * Whether a rule of any policy names the resource of an object, in whatever group, as versions of one resource are matched in
 * others. The engine is given all parameters with each question, which costs more than not to ask about the others.
 */
function namedBy(policies: readonly WorkspaceObject[], resources: readonly ApiResource[]) {
  const named = new Set(policies.flatMap(rulesOf).flatMap(it => it.resources.map(one => one.split('/', 1)[0])));
  const isUnbound = named.has('*') || policies.some(it => rulesOf(it).length === 0);
  const kinds = new Set(resources.filter(it => isUnbound || named.has(it.resource)).map(keyOf));
  return (object: WorkspaceObject): boolean => kinds.has(keyOf(object));
}

const keyOf = ({ group, version, kind }: Pick<WorkspaceObject, 'group' | 'version' | 'kind'>): string =>
  `${group}/${version}/${kind}`;

/** The check of mutating policies of which none has a binding: nothing else loads them. */
async function checkUnbound(admission: VapAdmission): Promise<PolicyCheck> {
  const bindings = activeBindings(admission, admission.policies.mutatingBindings, async () => nothingWrong);
  try {
    return await checkAll(admission, bindings.unread);
  } finally {
    bindings.release();
  }
}

interface VapWorld {
  readonly chain: AdmissionChain;
  readonly cluster?: PolicyCluster | undefined;
  readonly scopes: PolicyScopes;
}

/** The ValidatingAdmissionPolicies and MutatingAdmissionPolicies of a workspace and its cluster; undefined when there are none. */
export function admissionPolicySet(
  snapshot: Snapshot,
  kube: Kube,
  engine: PolicyEngine,
  { chain, cluster, scopes }: VapWorld,
): PolicySet | undefined {
  const policies = admissionPoliciesOf(snapshot, kube, cluster);
  if (policies === undefined) return undefined;
  const all = Object.values(policies).flat() as readonly WorkspaceObject[];
  const admission = vapAdmission(policies, snapshot, kube, engine);
  const validating: VapAdmission = { ...admission, policies: withoutMutating(policies) };
  const bindings = activeBindings(validating, policies.validatingBindings, () => check());
  const check = lazyPromise(() => checkAll(validating, bindings.unread));
  const kinds = new Set(admission.resources.map(keyOf));
  const isNamed = namedBy(policies.validating, admission.resources);
  const hasParams = policies.validating.some(it => fieldAt(it.manifest.value, 'spec', 'paramKind') !== undefined);
  const byName = grouped(policies.validating, it => it.name);
  const isMeant = ({ policy }: VapOutcome, object: WorkspaceObject): boolean =>
    isOneAsked(scopes, byName.get(policy) ?? [], object);
  const hasPolicies = policies.validating.length + policies.mutating.length > 0;

  return {
    ...(!hasPolicies && { needsEngine: false }),
    denies: policies.validating.length > 0 && policies.validatingBindings.some(it => severityOf(it) === 'error'),
    mostResults: policies.validatingBindings.length * (hasParams ? Math.max(1, policies.contextObjects.length) : 1),
    dependencies: [kube, chain, scopes.key, ...all.map(it => it.manifest.contentId), ...admission.definitions],
    objects: objectsAmong(snapshot, it => hasPolicies && it.group !== ADMISSION && kinds.has(keyOf(it))),
    check: async () => {
      const { results } = await check();
      const ofMutating = await (chain.check('vap') ?? checkUnbound({ ...admission, policies: onlyMutating(policies) }));
      return { ...nothingWrong, results: notToldByServer([...results, ...ofMutating.results], kube) };
    },
    async evaluate(objects) {
      const admitted = await chain.admit(objects);
      const asked = admitted.filter((_, i) => isNamed(objects[i] as WorkspaceObject));
      const values = asked.map(it => it.value);
      const found =
        asked.length === 0 ? [] : await bindings.evaluate(request => validateAll(validating, request, values));
      const outcomes = new Map(asked.map((it, i) => [it, found[i]]));
      return admitted.map((it, i): PolicyAnswer => {
        const { mutations, results } = stepsOf(it, 'vap');
        const object = objects[i] as WorkspaceObject;
        const judged = it.isRefused ? [] : (outcomes.get(it) ?? []).filter(it => isMeant(it, object));
        const denied = denialOf(judged);
        return {
          mutations,
          results: [...results, ...resultsOf(object, judged, policies)],
          ...(denied !== undefined && { denied }),
          work:
            judged.length * WORK_OF_POLICY +
            policies.mutating.length * WORK_OF_MUTATION +
            (outcomes.has(it) || policies.mutating.length > 0 ? policies.contextObjects.length : 0),
        };
      });
    },
    runtimeProblems: () => ({
      ...nothingWrong,
      results: [...chain.runtimeProblems().filter(it => it.engine === 'vap'), ...bindings.stopped()],
    }),
    release: () => bindings.release(),
  };
}
