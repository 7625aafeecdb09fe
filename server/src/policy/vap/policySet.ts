import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import type { JsonObject } from '../../manifest/manifest';
import { asText, fieldAt } from '../../rules/values';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { admittedObject } from '../admitted';
import type { CallLimits, PolicyEngine, PolicyStopped } from '../engine/engine';
import { type ListedError, loadedIn } from '../engine/loaded';
import { withoutRunaways } from '../engine/runaway';
import { changesBetween, type MutationPreview } from '../mutation';
import { nothingWrong, type PolicyAnswer, type PolicyCheck, type PolicySet, saysNothing } from '../policySet';
import type { PolicyResult } from '../result';
import { checkPolicy, rulesOf, unboundPolicies } from './check';
import { type AdmissionAnswer, resultsOf } from './judge';
import { kindsNamedBy, openApiOf } from './openApi';
import { ADMISSION, type AdmissionPolicies, admissionPoliciesOf, apiResourcesOf } from './policies';

/** Upstream lets one binding cost what it means to be a second; here that takes up to ten. */
const LIMITS: CallLimits = { milliseconds: 8_000, grace: 250 };

/** The ValidatingAdmissionPolicies and MutatingAdmissionPolicies of a workspace; undefined when there are none. */
export function admissionPolicySet(snapshot: Snapshot, kube: Kube, engine: PolicyEngine): PolicySet | undefined {
  const policies = admissionPoliciesOf(snapshot);
  if (policies === undefined) return undefined;
  const definitions = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition');
  const all = [...Object.values(policies).flat(), ...definitions] as readonly WorkspaceObject[];
  const resources = apiResourcesOf(kube, snapshot);
  const bindings = [...policies.validatingBindings, ...policies.mutatingBindings];
  const loaded = loadedIn(engine);
  const stopped = new Map<WorkspaceObject, PolicyResult>();
  const kinds = new Set(resources.map(it => `${it.group}/${it.version}/${it.kind}`));

  async function ask(asked: readonly WorkspaceObject[], objects: readonly JsonObject[]) {
    const { answer } = await loaded.get(() => loadRequest(policies as AdmissionPolicies, asked, resources, kube));
    const request = {
      op: 'admit',
      handle: answer.handle,
      objects: policies?.around.map(it => admittedObject(it, kube)),
      requests: objects.map(object => ({ operation: 'CREATE', object })),
    };
    return (await engine.call(request, LIMITS)) as { readonly answers: readonly AdmissionAnswer[] };
  }

  return {
    engine: 'vap',
    parts: [kube, ...all.map(it => it.manifest.contentId)],
    objects: [...snapshot.files.keys()]
      .flatMap(uri => snapshot.objectsIn(uri))
      .filter(it => it.group !== ADMISSION && kinds.has(`${it.group}/${it.version}/${it.kind}`)),
    check: () => checkAll(policies, kube, resources, engine),
    async judge(objects) {
      const values = objects.map(it => admittedObject(it, kube));
      const members = bindings.filter(it => !stopped.has(it));
      const attempt = (asked: readonly WorkspaceObject[]) => {
        if (asked.length !== members.length) loaded.outdate();
        return ask(asked, values);
      };
      const { answers } = await withoutRunaways(members, attempt, (binding, reason) =>
        stopped.set(binding, stoppedResult(binding, policies, reason)),
      );
      return objects.map((object, i): PolicyAnswer => {
        const answer = answers[i];
        if (answer === undefined) return saysNothing;
        return { results: resultsOf(object, answer, policies), mutations: mutationsOf(values[i], answer) };
      });
    },
    late: () => ({ ...nothingWrong, results: [...stopped.values()] }),
    release: () => loaded.release(),
  };
}

function loadRequest(
  policies: AdmissionPolicies,
  bindings: readonly WorkspaceObject[],
  resources: ReturnType<typeof apiResourcesOf>,
  kube: Kube,
) {
  const values = (objects: readonly WorkspaceObject[]) => objects.map(it => it.manifest.value);
  const isAsked = new Set(bindings);
  return {
    op: 'loadPolicies',
    kubernetesVersion: kube.minor,
    resources,
    policies: values(policies.validating),
    bindings: values(policies.validatingBindings.filter(it => isAsked.has(it))),
    mutatingPolicies: values(policies.mutating),
    mutatingBindings: values(policies.mutatingBindings.filter(it => isAsked.has(it))),
    ...(policies.mutating.length > 0 && openApiOf(kindsNamedBy(policies.mutating.flatMap(rulesOf), kube))),
  };
}

async function checkAll(
  policies: AdmissionPolicies,
  kube: Kube,
  resources: ReturnType<typeof apiResourcesOf>,
  engine: PolicyEngine,
): Promise<PolicyCheck> {
  const results: PolicyResult[] = [
    ...unboundPolicies(policies.validating, policies.validatingBindings),
    ...unboundPolicies(policies.mutating, policies.mutatingBindings),
  ];
  for (const policy of [...policies.validating, ...policies.mutating]) {
    results.push(...(await checkPolicy(policy, kube, resources, engine)));
  }
  results.push(...(await undecodable(policies, resources, kube, engine)));
  return { ...nothingWrong, results };
}

/** What the engine cannot even read. The API server's decoder says the same, so it is told only in short. */
async function undecodable(
  policies: AdmissionPolicies,
  resources: ReturnType<typeof apiResourcesOf>,
  kube: Kube,
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const lists: Readonly<Record<string, readonly WorkspaceObject[]>> = {
    policies: policies.validating,
    bindings: policies.validatingBindings,
    mutatingPolicies: policies.mutating,
    mutatingBindings: policies.mutatingBindings,
  };
  const loaded = loadedIn(engine);
  const bindings = [...policies.validatingBindings, ...policies.mutatingBindings];
  const { answer } = await loaded.get(() => loadRequest(policies, bindings, resources, kube));
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

function stoppedResult(binding: WorkspaceObject, policies: AdmissionPolicies, reason: PolicyStopped): PolicyResult {
  const name = asText(fieldAt(binding.manifest.value, 'spec', 'policyName'));
  const policy = [...policies.validating, ...policies.mutating].find(it => it.name === name) ?? binding;
  return {
    engine: 'vap',
    policy: name ?? '',
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked: ${reason.message}. An API server would stop it, too.`,
    place: { object: policy, at: FieldPath.of('spec'), part: 'key' },
  };
}

function mutationsOf(before: JsonObject | undefined, { mutations }: AdmissionAnswer): readonly MutationPreview[] {
  const previews: MutationPreview[] = [];
  let last = before;
  for (const { policy, object } of mutations) {
    if (object === undefined || last === undefined) continue;
    previews.push({ policy, kind: 'MutatingAdmissionPolicy', changes: changesBetween(last, object) });
    last = object;
  }
  return previews;
}
