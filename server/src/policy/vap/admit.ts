import type { JsonObject } from '../../base/json';
import type { WorkspaceObject } from '../../workspace/object';
import type { IncomingObject, MutationRound } from '../admission/mutator';
import { admittedObject } from '../admitted';
import type { CallLimits } from '../engine/engine';
import type { VapAdmission } from './admission';
import { rulesOf } from './check';
import { kindsMatchedBy, openApiOf } from './openApi';
import type { AdmissionAnswer, Mutation, VapOutcome } from './results';

/** Upstream gives one binding a cost budget meant to be one second; in WebAssembly that takes up to ten. */
export const LIMITS: CallLimits = { milliseconds: 8_000, grace: 250 };

/** The handle of the loaded policies, and the limits of the call. */
export interface AdmissionRequest {
  readonly handle: number;
  readonly limits: CallLimits;
}

/** The request that loads the policies with some of their bindings. */
export function loadRequest({ policies, resources, custom, kube }: VapAdmission, bindings: readonly WorkspaceObject[]) {
  const values = (objects: readonly WorkspaceObject[]) => objects.map(it => it.manifest.value);
  const isIncluded = new Set(bindings);
  return {
    op: 'loadPolicies',
    kubernetesVersion: kube.minor,
    resources,
    policies: values(policies.validating),
    bindings: values(policies.validatingBindings.filter(it => isIncluded.has(it))),
    mutatingPolicies: values(policies.mutating),
    mutatingBindings: values(policies.mutatingBindings.filter(it => isIncluded.has(it))),
    ...(policies.mutating.length > 0 && openApiOf(kindsMatchedBy(policies.mutating.flatMap(rulesOf), kube), custom)),
  };
}

/** The mutations of created objects; empty for an object whose kind the server does not have. */
export async function mutateAll(
  admission: VapAdmission,
  { handle, limits }: AdmissionRequest,
  arriving: readonly IncomingObject[],
  round: MutationRound,
): Promise<readonly (readonly Mutation[])[]> {
  const requests = arriving.map(({ original, value }) =>
    round === 'again' ? { object: original, after: value } : { object: value },
  );
  const answers = await admit(admission, { handle, limits, phase: round === 'whole' ? 'mutate' : round }, requests);
  return answers.map(it => it.mutations);
}

/** The outcomes of validating policies for objects as mutating policies left them. */
export async function validateAll(
  admission: VapAdmission,
  { handle, limits }: AdmissionRequest,
  values: readonly JsonObject[],
): Promise<readonly (readonly VapOutcome[])[]> {
  const objects = values.map(object => ({ object }));
  const answers = await admit(admission, { handle, limits, phase: 'validate' }, objects);
  return answers.map(it => it.outcomes);
}

async function admit(
  { policies, kube, engine }: VapAdmission,
  { handle, limits, phase }: AdmissionRequest & { readonly phase: 'mutate' | 'first' | 'again' | 'validate' },
  requests: readonly { readonly object: JsonObject; readonly after?: JsonObject }[],
): Promise<readonly AdmissionAnswer[]> {
  const objects = policies.contextObjects.map(it => admittedObject(it, kube));
  const creations = requests.map(it => ({ operation: 'CREATE', ...it }));
  const answer = await engine.call({ op: 'admit', handle, phase, objects, requests: creations }, limits);
  return (answer as { readonly answers: readonly AdmissionAnswer[] }).answers;
}
