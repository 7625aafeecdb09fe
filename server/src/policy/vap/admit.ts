import { asList, asObject, type JsonObject } from '../../base/json';
import { isSameValue } from '../../base/sameValue';
import type { Kube } from '../../kube/kube';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { IncomingObject, MutationRound } from '../admission/mutator';
import { admittedObject, requestedValue } from '../admitted';
import type { CallLimits } from '../engine/engine';
import type { VapAdmission } from './admission';
import { rulesOf } from './check';
import { kindsMatchedBy, type OpenApi, openApiOf } from './openApi';
import type { AdmissionPolicies } from './policies';
import type { AdmissionAnswer, Mutation, VapOutcome } from './results';

/** Upstream gives one binding a cost budget meant to be one second; in WebAssembly that takes up to ten. */
export const LIMITS: CallLimits = { milliseconds: 8_000, grace: 250 };

/** The handle of the loaded policies, and the limits of the call. */
export interface AdmissionRequest {
  readonly handle: number;
  readonly limits: CallLimits;
}

/** What is loaded of the policies with some of their bindings, by the engine's list names. */
export function loadedLists(
  policies: AdmissionPolicies,
  bindings: readonly WorkspaceObject[],
): Readonly<Record<string, readonly WorkspaceObject[]>> {
  const isIncluded = new Set(bindings);
  return {
    policies: policies.validating,
    bindings: policies.validatingBindings.filter(it => isIncluded.has(it)),
    mutatingPolicies: policies.mutating,
    mutatingBindings: policies.mutatingBindings.filter(it => isIncluded.has(it)),
  };
}

/** The request that loads the policies with some of their bindings. */
export function loadRequest({ policies, resources, custom, kube }: VapAdmission, bindings: readonly WorkspaceObject[]) {
  const lists = Object.entries(loadedLists(policies, bindings));
  return {
    op: 'loadPolicies',
    kubernetesVersion: kube.minor,
    resources,
    ...Object.fromEntries(lists.map(([list, objects]) => [list, objects.map(it => it.manifest.value)])),
    ...schemasToMerge(policies.mutating, kube, custom),
  };
}

/** The schemas by which ApplyConfigurations are merged. A JSON Patch needs none. */
function schemasToMerge(mutating: readonly WorkspaceObject[], kube: Kube, custom: OpenApi): OpenApi | undefined {
  const merging = mutating.filter(policy =>
    asList(fieldAt(policy.manifest.value, 'spec', 'mutations')).some(
      it => fieldAt(it, 'applyConfiguration') !== undefined,
    ),
  );
  return merging.length === 0 ? undefined : openApiOf(kindsMatchedBy(merging.flatMap(rulesOf), kube), custom);
}

/**
 * The mutations of created objects; empty for an object whose kind the server does not have. The server applies
 * defaults after each patch, the engine cannot: it stops there, and goes on with the defaults. Upstream: dispatchOne.
 */
export async function mutateAll(
  admission: VapAdmission,
  request: AdmissionRequest,
  arriving: readonly IncomingObject[],
  round: MutationRound,
): Promise<readonly (readonly Mutation[])[]> {
  const requests = arriving.map(({ original, value }) =>
    round === 'again' ? { object: original, after: value } : { object: value },
  );
  const mutations = new Map<IncomingObject, readonly Mutation[]>();
  let asked = arriving;
  let step = await admit(admission, { ...request, phase: round }, requests);
  for (;;) {
    const { answers, session } = step;
    for (const [i, it] of asked.entries()) mutations.set(it, answers[i]?.mutations ?? []);
    if (session === undefined) return arriving.map(it => mutations.get(it) ?? []);
    const waiting = asked.flatMap((it, i) => {
      const patched = answers[i]?.patched;
      return patched === undefined ? [] : [{ it, patched }];
    });
    asked = waiting.map(({ it }) => it);
    const defaulted = waiting.map(({ it, patched }) => defaultsOf(it.object, patched, admission.kube));
    step = await resume(admission, request.limits, session, defaulted);
  }
}

/** A patched object with its defaults; null where that is the same. */
function defaultsOf(object: WorkspaceObject, patched: string, kube: Kube): JsonObject | null {
  const value = JSON.parse(patched) as JsonObject;
  const defaulted = requestedValue(object, value, kube);
  return isSameValue(defaulted, value) ? null : defaulted;
}

/** The outcomes of validating policies for objects as mutating policies left them. */
export async function validateAll(
  admission: VapAdmission,
  { handle, limits }: AdmissionRequest,
  values: readonly JsonObject[],
): Promise<readonly (readonly VapOutcome[])[]> {
  const objects = values.map(it => ({ object: withSystemFields(it) }));
  const { answers } = await admit(admission, { handle, limits, phase: 'validate' }, objects);
  return answers.map(it => it.outcomes);
}

/** Upstream: rest.FillObjectMetaSystemFields, which the store calls after mutating admission. */
function withSystemFields(object: JsonObject): JsonObject {
  const creationTimestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  return { ...object, metadata: { ...asObject(object.metadata), uid: SOME_UID, creationTimestamp } };
}

/**
 * Who makes the request is not known. Of each user the server knows a name and this group, so that an expression which reads
 * them must not fail. Upstream: request.WithUser, user.AllAuthenticated.
 */
const UNKNOWN_USER = { name: 'unknown-user', groups: ['system:authenticated'] };

/** The server makes a new one for each object. */
const SOME_UID = '7d9f2c64-1b0e-4c8a-9a53-3f6f0a5f2e11';

/** The answers to the requests of a call, and the session in which those go on that wait for defaults. */
interface AdmissionStep {
  readonly answers: readonly AdmissionAnswer[];
  readonly session?: number;
}

async function admit(
  { policies, kube, engine }: VapAdmission,
  { handle, limits, phase }: AdmissionRequest & { readonly phase: 'first' | 'again' | 'validate' },
  requests: readonly { readonly object: JsonObject; readonly after?: JsonObject }[],
): Promise<AdmissionStep> {
  const objects = policies.contextObjects.map(it => admittedObject(it, kube));
  const creations = requests.map(it => ({ operation: 'CREATE', user: UNKNOWN_USER, ...it }));
  return (await engine.call({ op: 'admit', handle, phase, objects, requests: creations }, limits)) as AdmissionStep;
}

async function resume(
  { engine }: VapAdmission,
  limits: CallLimits,
  session: number,
  defaulted: readonly (JsonObject | null)[],
): Promise<AdmissionStep> {
  return (await engine.call({ op: 'resume', handle: session, defaulted }, limits)) as AdmissionStep;
}
