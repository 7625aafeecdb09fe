import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { asText, fieldAt } from '../../rules/values';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import type { PolicyEngine, PolicyStopped } from '../engine/engine';
import { kept } from '../engine/kept';
import { type ListedError, loadedIn } from '../engine/loaded';
import { withoutRunaways } from '../engine/runaway';
import { changesBetween, type MutationPreview } from '../mutation';
import { nothingWrong, type PolicyAnswer, type PolicyCheck, type PolicySet, saysNothing } from '../policySet';
import type { PolicyResult } from '../result';
import { type Admission, type Admitted, admitAll, loadRequest } from './admit';
import { checkPolicy, offPolicies, unboundPolicies } from './check';
import { resultsOf } from './judge';
import { customSchemasOf } from './openApi';
import { ADMISSION, type AdmissionPolicies, admissionPoliciesOf, apiResourcesOf } from './policies';

/** The ValidatingAdmissionPolicies and MutatingAdmissionPolicies of a workspace; undefined when there are none. */
export function admissionPolicySet(snapshot: Snapshot, kube: Kube, engine: PolicyEngine): PolicySet | undefined {
  const policies = admissionPoliciesOf(snapshot, kube);
  if (policies === undefined) return undefined;
  const definitions = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition');
  const all = [...Object.values(policies).flat(), ...definitions] as readonly WorkspaceObject[];
  const resources = apiResourcesOf(kube, snapshot);
  const admission: Admission = { policies, resources, custom: customSchemasOf(snapshot, kube), kube, engine };
  const bindings = [...policies.validatingBindings, ...policies.mutatingBindings];
  const loaded = loadedIn(engine);
  const stopped = new Map<WorkspaceObject, PolicyResult>();
  /** Policies that the server would not take; it asks nobody about them. */
  const refused = new Set<WorkspaceObject>();
  const check = kept(async () => {
    const checked = await checkAll(admission);
    for (const { severity, place } of checked.results) if (severity === 'error') refused.add(place.object);
    return checked;
  });
  const kinds = new Set(resources.map(it => `${it.group}/${it.version}/${it.kind}`));
  const areThere = policies.validating.length + policies.mutating.length > 0;

  return {
    engine: 'vap',
    ...(!areThere && { needsEngine: false }),
    parts: [kube, ...all.map(it => it.manifest.contentId)],
    objects: [...(areThere ? snapshot.files.keys() : [])]
      .flatMap(uri => snapshot.objectsIn(uri))
      .filter(it => it.group !== ADMISSION && kinds.has(`${it.group}/${it.version}/${it.kind}`)),
    check,
    async judge(objects) {
      await check();
      const isAsked = (it: WorkspaceObject) => !stopped.has(it) && !refused.has(policyOf(it, policies) ?? it);
      const members = bindings.filter(isAsked);
      const attempt = async (asked: readonly WorkspaceObject[]) => {
        if (asked.length !== members.length) loaded.outdate();
        const { answer } = await loaded.get(() => loadRequest(admission, asked));
        return admitAll(admission, answer.handle, objects);
      };
      const admitted = await withoutRunaways(members, attempt, (binding, reason) =>
        stopped.set(binding, stoppedResult(binding, policies, reason)),
      );
      return objects.map((object, i): PolicyAnswer => {
        const it = admitted[i];
        if (it === undefined) return saysNothing;
        return { results: resultsOf(object, it.answer, policies), mutations: mutationsOf(it) };
      });
    },
    late: () => ({ ...nothingWrong, results: [...stopped.values()] }),
    release: () => loaded.release(),
  };
}

async function checkAll(admission: Admission): Promise<PolicyCheck> {
  const { policies, kube } = admission;
  const results: PolicyResult[] = [
    ...offPolicies(policies.off, kube),
    ...unboundPolicies(policies.validating, policies.validatingBindings),
    ...unboundPolicies(policies.mutating, policies.mutatingBindings),
  ];
  for (const policy of [...policies.validating, ...policies.mutating]) {
    results.push(...(await checkPolicy(policy, admission)));
  }
  results.push(...(await undecodable(admission)));
  return { ...nothingWrong, results };
}

/** What the engine cannot even read. The API server's decoder says the same, so it is told only in short. */
async function undecodable(admission: Admission): Promise<readonly PolicyResult[]> {
  const { policies, engine } = admission;
  const bindings = [...policies.validatingBindings, ...policies.mutatingBindings];
  if (policies.validating.length + policies.mutating.length === 0) return [];
  const lists: Readonly<Record<string, readonly WorkspaceObject[]>> = {
    policies: policies.validating,
    bindings: policies.validatingBindings,
    mutatingPolicies: policies.mutating,
    mutatingBindings: policies.mutatingBindings,
  };
  const loaded = loadedIn(engine);
  const { answer } = await loaded.get(() => loadRequest(admission, bindings));
  loaded.release();
  return (answer.errors ?? []).flatMap(({ list, index, message }: ListedError): readonly PolicyResult[] => {
    const object = lists[list]?.[index];
    if (object === undefined) return [];
    return [
      {
        engine: 'vap',
        policy: object.name ?? '',
        outcome: 'error',
        severity: 'error',
        message: `This ${object.kind} cannot be read: ${message}`,
        place: { object, at: FieldPath.of('kind'), part: 'value' },
      },
    ];
  });
}

function policyOf(binding: WorkspaceObject, { validating, mutating }: AdmissionPolicies): WorkspaceObject | undefined {
  const name = asText(fieldAt(binding.manifest.value, 'spec', 'policyName'));
  return [...validating, ...mutating].find(it => it.name === name && `${it.kind}Binding` === binding.kind);
}

function stoppedResult(binding: WorkspaceObject, policies: AdmissionPolicies, reason: PolicyStopped): PolicyResult {
  const policy = policyOf(binding, policies) ?? binding;
  return {
    engine: 'vap',
    policy: policy.name ?? '',
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked: ${reason.message}. An API server would stop it, too.`,
    place: { object: policy, at: FieldPath.of('spec'), part: 'key' },
  };
}

function mutationsOf({ value, answer }: Admitted): readonly MutationPreview[] {
  const previews: MutationPreview[] = [];
  let last = value;
  for (const { policy, object, again } of answer.mutations) {
    if (object === undefined) continue;
    const changes = changesBetween(last, object);
    previews.push({ policy, kind: 'MutatingAdmissionPolicy', changes, ...(again && { isAgain: true }) });
    last = object;
  }
  return previews;
}
