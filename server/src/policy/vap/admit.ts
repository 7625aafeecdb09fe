import type { Kube } from '../../kube/kube';
import type { JsonObject } from '../../manifest/manifest';
import type { WorkspaceObject } from '../../workspace/workspace';
import { admittedObject, admittedValue } from '../admitted';
import type { CallLimits, PolicyEngine } from '../engine/engine';
import { rulesOf } from './check';
import type { AdmissionAnswer } from './judge';
import { kindsNamedBy, type OpenApi, openApiOf } from './openApi';
import type { AdmissionPolicies, ApiResource } from './policies';

/** Upstream lets one binding cost what it means to be a second; here that takes up to ten. */
const LIMITS: CallLimits = { milliseconds: 8_000, grace: 250 };

/** What admission policies are asked with. */
export interface Admission {
  readonly policies: AdmissionPolicies;
  readonly resources: readonly ApiResource[];
  /** Schemas of the custom resources that the workspace defines. */
  readonly custom: OpenApi;
  readonly kube: Kube;
  readonly engine: PolicyEngine;
}

export interface Admitted {
  /** The object as it comes to the first policy: with its defaults. */
  readonly value: JsonObject;
  readonly answer: AdmissionAnswer;
}

/** Loads the policies with some of their bindings. */
export function loadRequest({ policies, resources, custom, kube }: Admission, bindings: readonly WorkspaceObject[]) {
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
    ...(policies.mutating.length > 0 && openApiOf(kindsNamedBy(policies.mutating.flatMap(rulesOf), kube), custom)),
  };
}

/**
 * What a server answers to the creation of each object: mutating policies come first, what they left out gets its
 * defaults, and validating policies see what has become of it. A mutating policy that fails ends the request.
 */
export async function admitAll(
  { policies, kube, engine }: Admission,
  handle: number,
  objects: readonly WorkspaceObject[],
): Promise<readonly Admitted[]> {
  const around = policies.around.map(it => admittedObject(it, kube));
  const call = async (phase: 'mutate' | 'validate', values: readonly JsonObject[]) => {
    const requests = values.map(object => ({ operation: 'CREATE', object }));
    const { answers } = (await engine.call({ op: 'admit', handle, phase, objects: around, requests }, LIMITS)) as {
      readonly answers: readonly AdmissionAnswer[];
    };
    return answers;
  };
  const values = objects.map(it => admittedObject(it, kube));
  const mutated = policies.mutating.length === 0 ? [] : await call('mutate', values);
  const stored = objects.map((object, i) => {
    const last = mutated[i]?.mutations.findLast(it => it.object !== undefined)?.object;
    return last === undefined ? (values[i] as JsonObject) : admittedValue(object, last, kube);
  });
  const validated = policies.validating.length === 0 ? [] : await call('validate', stored);
  return values.map((value, i) => {
    const mutations = mutated[i]?.mutations ?? [];
    const isRefused = mutations.some(it => it.error !== undefined);
    return { value, answer: { mutations, outcomes: isRefused ? [] : (validated[i]?.outcomes ?? []) } };
  });
}
