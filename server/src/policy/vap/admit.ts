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

/** Patches of one object whose defaults are passed on; each may need a further call. */
const MOST_DEFAULTED = 20;

/**
 * The mutations of created objects; empty for an object whose kind the server does not have. The server applies
 * defaults after each patch, the engine cannot: an object of several patches is evaluated again with the defaults of
 * what the earlier ones left. Upstream: dispatchOne.
 */
export async function mutateAll(
  admission: VapAdmission,
  request: AdmissionRequest,
  arriving: readonly IncomingObject[],
  round: MutationRound,
): Promise<readonly (readonly Mutation[])[]> {
  const asked = arriving.map(({ object, original, value }) => ({
    object,
    defaulted: {} as Readonly<Record<string, JsonObject>>,
    request: round === 'again' ? { object: original, after: value } : { object: value },
  }));
  const mutations = new Map<(typeof asked)[number]['object'], readonly Mutation[]>();
  for (let [open, turn] = [asked, 0]; open.length > 0; turn++) {
    const requests = open.map(it => ({ ...it.request, defaulted: it.defaulted }));
    const answers = await admit(admission, { ...request, phase: round }, requests);
    answers.forEach((answer, i) => {
      const it = open[i];
      if (it !== undefined) mutations.set(it.object, answer.mutations);
    });
    if (turn === MOST_DEFAULTED) break;
    open = open.flatMap((it, i) => {
      const more = defaultsOf(it.object, answers[i]?.patched ?? [], it.defaulted, admission.kube);
      return more === undefined ? [] : [{ ...it, defaulted: { ...it.defaulted, ...more } }];
    });
  }
  return arriving.map(it => mutations.get(it.object) ?? []);
}

/** The defaults of patched objects that later patches do not see yet; undefined: they see all of them. */
function defaultsOf(
  object: WorkspaceObject,
  patched: readonly string[],
  known: Readonly<Record<string, JsonObject>>,
  kube: Kube,
): Readonly<Record<string, JsonObject>> | undefined {
  const added = patched.slice(0, -1).flatMap(text => {
    if (Object.hasOwn(known, text)) return [];
    const value = JSON.parse(text) as JsonObject;
    const defaulted = requestedValue(object, value, kube);
    return isSameValue(defaulted, value) ? [] : [[text, defaulted] as const];
  });
  return added.length === 0 ? undefined : Object.fromEntries(added);
}

/** The outcomes of validating policies for objects as mutating policies left them. */
export async function validateAll(
  admission: VapAdmission,
  { handle, limits }: AdmissionRequest,
  values: readonly JsonObject[],
): Promise<readonly (readonly VapOutcome[])[]> {
  const objects = values.map(it => ({ object: withSystemFields(it) }));
  const answers = await admit(admission, { handle, limits, phase: 'validate' }, objects);
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

async function admit(
  { policies, kube, engine }: VapAdmission,
  { handle, limits, phase }: AdmissionRequest & { readonly phase: 'first' | 'again' | 'validate' },
  requests: readonly {
    readonly object: JsonObject;
    readonly after?: JsonObject;
    readonly defaulted?: Readonly<Record<string, JsonObject>>;
  }[],
): Promise<readonly AdmissionAnswer[]> {
  const objects = policies.contextObjects.map(it => admittedObject(it, kube));
  const creations = requests.map(it => ({ operation: 'CREATE', user: UNKNOWN_USER, ...it }));
  const answer = await engine.call({ op: 'admit', handle, phase, objects, requests: creations }, limits);
  return (answer as { readonly answers: readonly AdmissionAnswer[] }).answers;
}
