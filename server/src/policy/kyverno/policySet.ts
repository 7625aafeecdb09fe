import { lazy } from '../../base/lazy';
import { printed } from '../../base/printed';
import type { Kube } from '../../kube/kube';
import type { WorkspaceObject } from '../../workspace/object';
import { holdsGroup } from '../../workspace/objectsOfGroups';
import type { Snapshot } from '../../workspace/workspace';
import { type AdmissionChain, type AdmittedObject, stepsOf } from '../admission/chain';
import type { PolicyAnswer, PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { everywhere, type PolicyScopes } from '../scopes';
import { checkPolicies } from './check/check';
import { candidatesAmong } from './evaluation/candidates';
import { deletionsOf } from './evaluation/deletions';
import { evaluateKyverno, type KyvernoPolicies } from './evaluation/evaluatePolicies';
import { notEvaluatedResult } from './evaluation/results';
import { sideEffectsOf } from './evaluation/sideEffects';
import { countOfValues, workOf } from './evaluation/work';
import { judgedObjects, OWN_GROUPS, policiesOf, sourcesOf, withPauses } from './evaluation/workspaceObjects';
import { writtenName } from './policies/policy';
import { type MakeWorld, type ObjectRead, type ReadRecorder, readRecorder } from './reads';
import { type Resource, resourceOf } from './resource/resource';
import { guarded } from './results/outcome';
import { workspaceWorld } from './workspaceWorld';
import type { KyvernoWorld } from './world';

/** To change an object takes as long as to look at so many values of policies. */
const WORK_OF_CHANGE = 200;

/** What sets share that differ only in the objects which policies read. */
interface SharedState {
  readonly recorder: ReadRecorder;
  readonly stopped: Map<string, PolicyResult>;
  /** The world of the newest of them. */
  readonly newest: { world: () => KyvernoWorld };
}

/** A set that may go on where an earlier one has ended. */
interface KyvernoPolicySet extends PolicySet {
  readonly after: (shared: SharedState) => PolicySet;
}

const isOfKyverno = (set: PolicySet): set is KyvernoPolicySet => 'after' in set;

/** Kyverno's policies of a workspace; undefined when there are none. Needs no WebAssembly engine. */
export function kyvernoPolicySet(
  snapshot: Snapshot,
  kube: Kube,
  chain: AdmissionChain,
  scopes: PolicyScopes = everywhere,
  makeWorld: MakeWorld = note => workspaceWorld(kube, snapshot, { note }),
): PolicySet | undefined {
  if (!holdsGroup(snapshot, OWN_GROUPS)) return undefined;
  const policies = policiesOf(snapshot);
  if (Object.values(policies).every(it => it.length === 0)) return undefined;
  const { dependencies, inventory } = sourcesOf(snapshot, policies);
  const objects = judgedObjects(snapshot);
  const after = (shared: SharedState): KyvernoPolicySet => {
    const world = lazy(() => makeWorld(shared.recorder.note));
    shared.newest.world = world;
    return {
      needsEngine: false,
      denies: policies.policies.length + policies.celPolicies.length > 0,
      dependencies: [kube, chain, scopes.key, ...dependencies],
      ...(inventory && { inventory }),
      objects,
      check: async () => ({ results: checkPolicies(policies, world()), inFiles: [] }),
      evaluate: evaluator(policies, chain, scopes, world, shared),
      runtimeProblems: () => ({ results: [...shared.stopped.values()], inFiles: [] }),
      release: () => undefined,
      origin: shared.stopped,
      continueWith: async later => (isOfKyverno(later) ? later.after(shared) : undefined),
      after,
    };
  };
  const recorder = readRecorder();
  return after({ recorder, stopped: new Map(), newest: { world: () => makeWorld(recorder.note) } });
}

function evaluator(
  policies: KyvernoPolicies,
  chain: AdmissionChain,
  scopes: PolicyScopes,
  world: () => KyvernoWorld,
  { recorder, stopped, newest }: SharedState,
): PolicySet['evaluate'] {
  let active = activePolicies(withoutStopped(policies, [...stopped.values()]), world, scopes);

  function answerFor(object: WorkspaceObject, admitted: () => AdmittedObject): PolicyAnswer {
    const { result, reads } = recorder.during(() =>
      guarded<PolicyAnswer>(
        'any policy',
        () => evaluated(object, admitted(), active.candidates(), world()),
        it => ({ results: [notEvaluatedResult(object, it)], mutations: [] }),
      ),
    );
    const { results, mutations, denied, work } = result;
    const own = results.filter(it => !isAt(it, object));
    for (const it of own) stopped.set(`${it.policy}\n${it.rule ?? ''}`, it);
    if (own.length > 0) active = activePolicies(withoutStopped(active.policies, own), world, scopes);
    return {
      results: results.filter(it => isAt(it, object)),
      mutations,
      ...(denied !== undefined && { denied }),
      ...(work !== undefined && { work }),
      ...(reads.length > 0 && { holds: holdsIn(newest, reads) }),
    };
  }

  return async objects => {
    const admitted = await admittedBy(chain, objects);
    return withPauses(admitted, (it, i) => answerFor(objects[i] as WorkspaceObject, it));
  };
}

/** A function of its own, as placements keep the result for long: it holds no policies. */
const holdsIn = (newest: SharedState['newest'], reads: readonly ObjectRead[]) => (): boolean =>
  reads.every(it => it.isSameIn(newest.world()));

/** Compares by content: the chain's cached results may refer to an earlier position of the object. */
const isAt = ({ location: place }: PolicyResult, { manifest }: WorkspaceObject): boolean =>
  place.object.manifest.contentId === manifest.contentId;

/**
 * The chain's outcome for each object. If it throws, which is a bug, each object is admitted alone, so that only the
 * faulty one fails.
 */
async function admittedBy(
  chain: AdmissionChain,
  objects: readonly WorkspaceObject[],
): Promise<readonly (() => AdmittedObject)[]> {
  const together = await chain.admit(objects).catch(() => undefined);
  if (together !== undefined) return together.map(it => () => it);
  const alone: (() => AdmittedObject)[] = [];
  for (const it of objects) alone.push(await admittedAlone(chain, it));
  return alone;
}

async function admittedAlone(chain: AdmissionChain, object: WorkspaceObject): Promise<() => AdmittedObject> {
  try {
    const [admitted] = await chain.admit([object]);
    return () => admitted as AdmittedObject;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The policies that are evaluated, with their candidates by resource. */
const activePolicies = (policies: KyvernoPolicies, world: () => KyvernoWorld, scopes: PolicyScopes) => ({
  policies,
  candidates: lazy(() => candidatesAmong(policies, world(), scopes)),
});

/** A stopped rule is not evaluated again: the next object would take as long. */
function withoutStopped(
  { policies, celPolicies, cleanupPolicies }: KyvernoPolicies,
  stopped: readonly PolicyResult[],
): KyvernoPolicies {
  if (stopped.length === 0) return { policies, celPolicies, cleanupPolicies };
  const isStopped = (object: WorkspaceObject, rule: string | undefined) =>
    stopped.some(it => isAt(it, object) && (it.rule && writtenName(it.rule)) === rule);
  return {
    policies: policies.map(it => ({
      ...it,
      autogenRules: new Map(),
      rules: it.rules.filter(({ name }) => !isStopped(it.object, printed(name))),
    })),
    celPolicies: celPolicies.filter(it => !isStopped(it.object, undefined)),
    cleanupPolicies,
  };
}

/** The webhook's answer where enforced policies fail; a rule that cannot be evaluated refuses nothing here. */
function denialBy(results: readonly PolicyResult[]): string | undefined {
  const failing = results.filter(it => it.outcome === 'fail' && it.severity === 'error');
  if (failing.length === 0) return undefined;
  const said = failing.map(({ policy, rule, message }) => `${[policy, rule].filter(Boolean).join(', ')}: ${message}`);
  return `admission webhook "validate.kyverno.svc-fail" denied the request: ${said.join('; ')}`;
}

/** Evaluates the object as the validating webhook sees it, after mutation. */
function evaluated(
  object: WorkspaceObject,
  admitted: AdmittedObject,
  candidates: (resource: Resource) => KyvernoPolicies,
  world: KyvernoWorld,
): PolicyAnswer {
  const { results, mutations } = stepsOf(admitted, 'kyverno');
  if (admitted.isRefused) return { results, mutations };
  const resource = resourceOf(object, admitted.value);
  const policies = candidates(resource);
  const sideEffects = sideEffectsOf(policies, resource, world);
  const judged = evaluateKyverno(policies, [resource], world);
  const denied = denialBy(judged);
  return {
    ...(denied !== undefined && { denied }),
    results: withBugsReportedOnce([
      ...results,
      ...judged,
      ...deletionsOf(policies, resource, world),
      ...sideEffects.results,
    ]),
    mutations: [...mutations, ...sideEffects.previews],
    work: workOf(policies, world) + mutations.length * (WORK_OF_CHANGE + countOfValues(admitted.value)),
  };
}

/** A policy that hits a bug of Berth can fail in several ways for one object; it is reported once. */
function withBugsReportedOnce(results: readonly PolicyResult[]): readonly PolicyResult[] {
  const told = new Map<WorkspaceObject | undefined, Set<string>>();
  return results.filter(({ outcome, message, rule, source }) => {
    if (outcome !== 'error') return true;
    const known = told.get(source?.object) ?? new Set<string>();
    told.set(source?.object, known);
    const text = JSON.stringify([message, rule]);
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}
